import { unicodeForm } from "../runtime/unicode-form.ts";

/** Where words begin and end, in any script that puts spaces between them. */

/** Letters, marks and digits; an apostrophe counts when letters follow, so that "don't" stays whole. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}+)*/gu;

// Without marks, soft hyphens and zero-width characters would cut a word in two.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const NON_ASCII = /[^\p{ASCII}]/u;

/** Longer runs of letters and digits are encoded data, not words: they are kept whole but never stemmed. */
export const WORD_CHARACTERS_MAX = 40;

/** Whether the text has a character outside ASCII. */
export function hasNonAscii(text: string): boolean {
  return NON_ASCII.test(text);
}

/** The words of `text` in order: lower case, in Unicode's compatibility form (NFKC), a sigma at the end like any other. */
export function words(text: string): string[] {
  if (!hasNonAscii(text)) return text.toLowerCase().match(WORD) ?? [];
  const prepared = unicodeForm(text, "NFKC").replace(INVISIBLE, "").toLowerCase();
  return prepared.replaceAll("ς", "σ").match(WORD) ?? [];
}
