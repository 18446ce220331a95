import { readFile } from "node:fs/promises";
import type { StudentEncoder } from "./embedding/embedder.ts";
import { openStudent } from "./embedding/student.ts";

/** Beside the sources as beside the build. */
const ENGLISH = new URL("../model/student/", import.meta.url);

/**
 * Opens the English student that comes with the engine, in the space of `@loredex/minilm`: about 12 MB of memory, a tenth of a second.
 * For {@link EmbedderOffer.student}.
 * @throws LoredexError `CORRUPT` if its files are not those that were shipped
 */
export function openEnglishStudent(): Promise<StudentEncoder> {
  return openStudent((name) => readFile(new URL(name, ENGLISH)));
}
