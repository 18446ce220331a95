import { DOCUMENT_BYTES_MAX } from "../domain/limits.ts";
import type { StoredDocument } from "../domain/types.ts";
import { weightUpTo } from "../runtime/json-pieces.ts";

/** UTF-16 units of JSON from which on a document is hashed and encoded in steps: below, each takes well under a millisecond. */
const LARGE_UNITS = 131_072;

export function isLarge(document: StoredDocument): boolean {
  return weightUpTo(LARGE_UNITS, document) >= LARGE_UNITS;
}

/** Whether a document's texts have more bytes than a document may have. */
export function hasTooMuchText(document: StoredDocument): boolean {
  const bytes = (sum: number, text: string): number => sum + Buffer.byteLength(text);
  const texts = textsOf(document);
  // A unit has three bytes at most: nearly every document needs no more counting than this.
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return units * 3 > DOCUMENT_BYTES_MAX && texts.reduce(bytes, 0) > DOCUMENT_BYTES_MAX;
}

function textsOf(document: StoredDocument): readonly string[] {
  if (document.type !== "QNA") return document.content.map(({ md }) => md);
  return [document.question, document.answer, ...(document.alternatives ?? [])];
}
