import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { StudentEncoder } from "./embedder.ts";
import { openStudent } from "./student.ts";

/** package.json says where, for the sources as for what is built of them. */
const ENGLISH = dirname(createRequire(import.meta.url).resolve("#model/student/manifest.json"));

/**
 * Opens the English student that comes with the engine, in the space of `@loredex/minilm`: about 12 MB of memory, a tenth of a second.
 * For {@link EmbedderOffer.student}.
 * @throws LoredexError `CORRUPT` if its files are not those that were shipped
 */
export function openEnglishStudent(): Promise<StudentEncoder> {
  return openStudent((name) => readFile(join(ENGLISH, name)));
}
