import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { BUILT_PROGRAMS } from "../../packages/import/src/isolated/program.ts";
import { buildPackages } from "./build-packages.ts";
import { buildTestPrograms } from "./test-programs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

declare module "vitest" {
  export interface ProvidedContext {
    /** A directory within the project whose `node_modules` hold Loredex's packages, built from the sources as they are. */
    built: string;
  }
}

/**
 * Once for all tests: a program that is built starts in a fifth of a second, one of sources in more than one, and tests
 * start hundreds.
 * @returns what ends it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(join(ROOT, ".tmp"), { recursive: true });
  const directory = await mkdtemp(join(ROOT, ".tmp", "built-"));
  // Tests run programs as other users.
  await chmod(directory, 0o755);
  await buildPackages(directory);
  project.provide("built", directory);
  // In the environment: programs that tests start have it as well.
  process.env[BUILT_PROGRAMS] = await buildTestPrograms(directory);
  return () => rm(directory, { recursive: true, force: true });
}
