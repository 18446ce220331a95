import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A program that can be started: a file, and how. */
export interface Program {
  readonly path: string;
  readonly execArgv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The one that converts files. It stands beside this one, in the sources as in the build. */
export function convertProgram(): Program {
  const isSource = import.meta.url.endsWith(".ts");
  const path = fileURLToPath(new URL(`./convert-program.${isSource ? "ts" : "js"}`, import.meta.url));
  return isSource ? sourceProgram(path) : { path, execArgv: [], environment: {} };
}

/** A program in TypeScript, as only the sources of this project have them: the tests run them without a build. */
export function sourceProgram(path: string): Program {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const tsconfig = fileURLToPath(new URL("../../../../tsconfig.json", import.meta.url));
  return { path, execArgv: ["--import", loader], environment: { TSX_TSCONFIG_PATH: tsconfig } };
}
