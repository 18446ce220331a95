import { unicodeForm } from "@loredex/core";

/** Reduces a text to its words, so that differently written copies compare as equal. */
export function wordsOf(text: string): string {
  return unicodeForm(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
