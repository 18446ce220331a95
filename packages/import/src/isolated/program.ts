import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program that can be started: a file, and how. */
export interface Program {
  readonly path: string;
  readonly execArgv: readonly string[];
}

/** The one that converts files. It stands beside this one, in the sources as in the build. */
export function convertProgram(): Program {
  return sourceProgram(convertPath(import.meta.url));
}

/** @param moduleUrl a parameter: if `new URL` names a file beside `import.meta.url`, bundlers try to bundle that file */
function convertPath(moduleUrl: string): string {
  const path = fileURLToPath(moduleUrl);
  return join(path, "..", `convert-program${extname(path)}`);
}

/** Where tests have programs of the sources built before they begin: one that is translated when it starts takes six times as long. */
export const BUILT_PROGRAMS = "BUILT_TEST_PROGRAMS";

/** How a program is started. Only the sources of this project have one in TypeScript: it is started as it was built for the tests, or as this process runs its own. */
export function sourceProgram(path: string): Program {
  if (extname(path) !== ".ts") return { path, execArgv: [] };
  const folder = process.env[BUILT_PROGRAMS];
  if (folder === undefined) return { path, execArgv: process.execArgv };
  return { path: join(folder, basename(path).replace(/\.ts$/, ".js")), execArgv: [] };
}
