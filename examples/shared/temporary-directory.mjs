import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs `use` with a directory of its own, which is gone afterwards.
 * @template T
 * @param {(directory: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function inTemporaryDirectory(use) {
  const directory = await mkdtemp(join(tmpdir(), "loredex-example-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
