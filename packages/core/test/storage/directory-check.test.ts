import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkDirectory } from "../../src/storage/directory-check.ts";

it("a disk with less room than is needed is full, in the words of a write that fails", async () => {
  const directory = await mkdtemp(join(tmpdir(), "lx-check-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const roomy = await checkDirectory(directory, 0);
  expect(roomy).toMatchObject({ path: directory, exists: true, freeBytes: expect.any(Number) });
  expect(roomy.full).toBeUndefined();
  const { full } = await checkDirectory(directory, Number.MAX_SAFE_INTEGER);
  expect(full).toMatchObject({ code: "DISK_FULL", message: expect.stringContaining(directory) });
  expect(await readdir(directory)).toEqual([]);
});
