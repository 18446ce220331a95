import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackages } from "../../test/built/build-packages.ts";

/**
 * Benches measure the packages as users have them. From the sources they would not: whatever reads TypeScript as it is run keeps the names of
 * functions by a call for each one that is made, in the midst of the loops that are measured.
 */

const FOLDER = fileURLToPath(new URL("../../.tmp/", import.meta.url));

/** Builds the packages, has the work run programs on them, in this environment, and takes them away again. */
export async function withBuiltPackages<Result>(
  work: (environment: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  await mkdir(FOLDER, { recursive: true });
  const directory = await mkdtemp(join(FOLDER, "bench-"));
  try {
    await buildPackages(directory);
    return await work(await onPackagesIn(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The environment in which programs of TypeScript, and those that they start, find the packages that were built there. */
export async function onPackagesIn(directory: string): Promise<NodeJS.ProcessEnv> {
  const path = join(directory, "tsconfig.json");
  const paths = {
    "@loredex/import/files": ["./node_modules/@loredex/import/dist/files.js"],
    "@loredex/*": ["./node_modules/@loredex/*/dist/index.js"],
    loredex: ["./node_modules/loredex/dist/index.js"],
  };
  await writeFile(path, JSON.stringify({ extends: "../../tsconfig.json", compilerOptions: { paths } }));
  return { ...process.env, TSX_TSCONFIG_PATH: path };
}
