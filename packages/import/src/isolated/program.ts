import { createRequire } from "node:module";
import { basename, join } from "node:path";
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

/** Where tests have programs of the sources built before they begin: one that is translated when it starts takes six times as long. */
export const BUILT_PROGRAMS = "BUILT_TEST_PROGRAMS";

/** A program in TypeScript, as only the sources of this project have them: the tests run them without a build of everything. */
export function sourceProgram(path: string): Program {
  const folder = process.env[BUILT_PROGRAMS];
  if (folder !== undefined) {
    return { path: join(folder, basename(path).replace(/\.ts$/, ".js")), execArgv: [], environment: {} };
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const tsconfig = fileURLToPath(new URL("../../../../tsconfig.json", import.meta.url));
  return { path, execArgv: ["--import", loader], environment: { TSX_TSCONFIG_PATH: tsconfig } };
}
