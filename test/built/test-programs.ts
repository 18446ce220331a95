import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { AS_PUBLISHED } from "./build-packages.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const SOURCES = [
  "packages/import/src/isolated/convert-program.ts",
  "packages/import/test/isolated/hostile-program.ts",
  "packages/import/test/isolated/host-program.ts",
  "packages/minilm/test/exiting-program.ts",
  "test/nodes/node-program.ts",
  "test/process/embedding-writer.ts",
  "test/process/faulty-life.ts",
  "test/process/idle-connections.ts",
  "test/process/writer.ts",
  "test/security/attacked-server.ts",
];
/** A thread's own file, which stands beside the program that starts it. */
const BESIDE = "packages/import/src/isolated/watcher.js";

/**
 * Builds the programs that tests of the sources start for themselves.
 * @param directory where the packages have been built before: what the programs need of them is found there
 * @returns where they are
 */
export async function buildTestPrograms(directory: string): Promise<string> {
  const programs = join(directory, "programs");
  await mkdir(programs);
  await build({
    entryPoints: SOURCES.map((path) => join(ROOT, path)),
    outdir: programs,
    entryNames: "[name]",
    ...AS_PUBLISHED,
  });
  await copyFile(join(ROOT, BESIDE), join(programs, basename(BESIDE)));
  return programs;
}
