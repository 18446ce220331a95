import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program to start: a file, and its Node.js options. */
export interface Program {
  readonly path: string;
  readonly execArgv: readonly string[];
}

/** The program that converts files. It is beside this one, both in the sources and in the build. */
export function convertProgram(): Program {
  return sourceProgram(convertPath(import.meta.url));
}

/** @param moduleUrl a parameter: if `new URL` names a file beside `import.meta.url`, bundlers try to bundle that file */
function convertPath(moduleUrl: string): string {
  const path = fileURLToPath(moduleUrl);
  return join(path, "..", `convert-program${extname(path)}`);
}

/** The environment variable of the folder with programs that tests build before they begin. A program that is compiled at its start takes six times as long. */
export const BUILT_PROGRAMS = "BUILT_TEST_PROGRAMS";

/**
 * Returns how to start a program. Only the sources of this project have one in TypeScript. It is started as built for the tests, or in the way this process
 * runs its own.
 */
export function sourceProgram(path: string): Program {
  if (extname(path) !== ".ts") return { path, execArgv: [] };
  const folder = process.env[BUILT_PROGRAMS];
  if (folder === undefined) return { path, execArgv: process.execArgv };
  return { path: join(folder, basename(path).replace(/\.ts$/, ".js")), execArgv: [] };
}
