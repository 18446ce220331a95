import { unicodeForm } from "@loredex/core";

/** Words of a text alone, so that the same text written otherwise is known. */
export function wordsOf(text: string): string {
  return unicodeForm(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
