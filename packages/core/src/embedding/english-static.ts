import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LoredexError } from "../model/errors.ts";
import { BUNDLED_HINT } from "../platform/bundled.ts";
import { sharedWhileHeld } from "../platform/shared-while-held.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { openStatic } from "./static-embedder.ts";

/**
 * Opens the English static embedder that comes with the engine, in the space of `@loredex/minilm`: about 12 MB of memory, a tenth of a second.
 * For {@link EmbedderOffer.static}. All engines of a process that have it open share one.
 * @throws LoredexError `CORRUPT` if its files are not those that were shipped, `STORAGE_FAILED` if they are not there
 */
export async function openEnglishStatic(): Promise<StaticEmbedder> {
  return sharedStatic();
}

const sharedStatic = sharedWhileHeld<StaticEmbedder>(async () => {
  const directory = englishDirectory();
  return openStatic((name) => readFile(join(directory, name)));
});

/** package.json says where, for the sources as for what is built of them. */
function englishDirectory(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("#model/static/manifest.json"));
  } catch (cause) {
    const message = `The files of the English static embedder are not where @loredex/core has them. ${BUNDLED_HINT}`;
    throw new LoredexError("STORAGE_FAILED", message, { cause });
  }
}
