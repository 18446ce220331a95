import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isBuilt } from "../../examples/first-start/build.mjs";

const SOURCES = ["package.json", "tsup.config.ts", "src/index.ts", "src/room/part.ts", "testing/index.ts"];
const BUILT = ["dist/index.js", "dist/index.d.ts"];
/** What stands in the package and is promised too: older than what was checked out after it, and no build makes it newer. */
const STANDING = ["bin/program.js", "schema.json"];
const DIRECTORIES = ["src/room", "src", "testing", "bin", "dist"];

let directory: string;

/** Sets when a file was last written, in seconds after an arbitrary moment. */
const touch = (path: string, seconds: number) =>
  utimes(join(directory, path), 1_000_000 + seconds, 1_000_000 + seconds);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "loredex-build-"));
  for (const path of DIRECTORIES) await mkdir(join(directory, path), { recursive: true });
  for (const path of [...SOURCES, ...STANDING, ...BUILT]) await writeFile(join(directory, path), "");
  const promised = {
    bin: { program: "./bin/program.js" },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./schema.json": "./schema.json",
      "./program": { default: "./bin/program.js" },
    },
  };
  await writeFile(join(directory, "package.json"), JSON.stringify(promised));
  for (const path of [...SOURCES, ...DIRECTORIES]) await touch(path, 10);
  for (const path of BUILT) await touch(path, 20);
  for (const path of STANDING) await touch(path, 5);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("a package", () => {
  test("is built when everything it promises is newer than its sources", () => {
    expect(isBuilt(directory)).toBe(true);
  });

  test.each([...BUILT, ...STANDING])("is not built without %s", async (path) => {
    await rm(join(directory, path));
    expect(isBuilt(directory)).toBe(false);
  });

  test.each(BUILT)("is not built while %s is old", async (path) => {
    await touch(path, 5);
    expect(isBuilt(directory)).toBe(false);
  });

  test.each(SOURCES)("is not built after a change of %s", async (path) => {
    await touch(path, 30);
    expect(isBuilt(directory)).toBe(false);
  });

  test("may have no sources for tests", async () => {
    await rm(join(directory, "testing"), { recursive: true });
    expect(isBuilt(directory)).toBe(true);
  });

  test("is not built after a source file was removed", async () => {
    await rm(join(directory, "src/room/part.ts"));
    expect(isBuilt(directory)).toBe(false);
  });
});
