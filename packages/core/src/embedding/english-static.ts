import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LoredexError } from "../model/errors.ts";
import { BUNDLED_HINT } from "../platform/bundled.ts";
import { sharedWhileHeld } from "../platform/shared-while-held.ts";
import { kindAlong } from "./axis.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { SMALL_TALK_AXIS } from "./small-talk-axis.ts";
import { openStatic } from "./static-embedder.ts";

/** Its vectors tell small talk less clearly than the encoder's: half of it lies beyond the beginning, and fewer than one in a hundred questions of a FAQ. */
const SMALL_TALK = { codes: SMALL_TALK_AXIS, from: 0.2, to: 0.35 };

/**
 * Opens the English static embedder that ships with the engine, in the space of `@loredex/minilm`. It takes about 12 MB of memory and a tenth of a
 * second. For {@link EmbedderOffer.static}. All engines of a process that have it open share one.
 * @throws LoredexError `CORRUPT` if its files are not those that were shipped, `STORAGE_FAILED` if they are missing
 */
export async function openEnglishStatic(): Promise<StaticEmbedder> {
  return sharedStatic();
}

const sharedStatic = sharedWhileHeld<StaticEmbedder>(async () => {
  const directory = englishDirectory();
  const table = await openStatic((name) => readFile(join(directory, name)));
  return Object.assign(table, { smallTalk: kindAlong(SMALL_TALK) });
});

/** The directory of the model's files. package.json maps `#model/`, for the sources and for the built package. */
function englishDirectory(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("#model/static/manifest.json"));
  } catch (cause) {
    const message = `The files of the English static embedder are not where @loredex/core has them. ${BUNDLED_HINT}`;
    throw new LoredexError("STORAGE_FAILED", message, { cause });
  }
}
