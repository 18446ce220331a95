import type { StoredDocument } from "../domain/types.ts";

/** UTF-16 units of text from which on a document is hashed and encoded in steps: below, each takes well under a millisecond. */
const LARGE_UNITS = 131_072;

export function isLarge(document: StoredDocument): boolean {
  const texts = document.type === "QNA" ? [document.question, document.answer] : document.content.map(({ md }) => md);
  return texts.reduce((sum, text) => sum + text.length, 0) >= LARGE_UNITS;
}
