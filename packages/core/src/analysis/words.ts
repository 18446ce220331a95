import { unicodeForm } from "../platform/unicode-form.ts";
import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * The tokenizer: cuts text into words, in any script with spaces between them. A sign that belongs to a name stays with it, and symbols are words:
 *
 *     C++ costs 5€ in .NET (a && b => 👍🏽)
 *     ~~~ ~~~~~ ~~ ~~ ~~~~  ~ ~~ ~ ~~ ~
 */

/** Letters, marks and digits. An apostrophe belongs to a word if letters follow, so that "don't" stays whole. */
const LETTERS = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}+)*`;
/** The dot of a name such as .NET or .docx, not the full stop of a sentence. */
const DOT = String.raw`(?:(?<![\p{L}\p{N}\p{M}.])\.(?=\p{L}))?`;
/** The final sign of a name such as C++, F# or Disney+, not that of a sum, an address or a key combination. */
const ENDING_SIGN = String.raw`(?:\+\+|[+#](?:(?=${UNSPACED_LETTER})|(?![\p{L}\p{N}+#=])))?`;
/** Operators of programs with several characters, not all of which are symbols by themselves. */
const OPERATOR = String.raw`&&|\|\||[!=]==?|=>|<[=<-]|>[=>]|-[>=]|:[:=]|\+[+=]|[*/]=`;
/** A symbol. A flag is two letters. Separate accents, skin tones and the replacement character are no symbols. */
const SYMBOL = String.raw`[\u{1f1e6}-\u{1f1ff}]{2}|(?!\ufffd)[\p{Sc}\p{Sm}\p{So}^]`;

const WORD = new RegExp(`${DOT}${LETTERS}${ENDING_SIGN}|${OPERATOR}|${SYMBOL}`, "gu");
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

// Soft hyphens and zero-width characters, which would cut a word in two.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** All characters but ℠ and ™: their compatibility form is letters, which would join the name before. */
const NO_TRADE_MARKS = /[^\u2120\u2122]+/g;
const NON_ASCII = /[^\p{ASCII}]/u;

/** Longer runs of letters and digits are encoded data, not words. They are kept whole and never stemmed. */
export const WORD_CHARACTERS_MAX = 40;

/** Whether the text has a character outside ASCII. */
export function hasNonAscii(text: string): boolean {
  return NON_ASCII.test(text);
}

/** The words of `text` in order: lower case, in Unicode's compatibility form (NFKC), with a final sigma as a usual one. */
export function words(text: string): string[] {
  if (!hasNonAscii(text)) return text.toLowerCase().match(WORD) ?? [];
  const formed = text.replace(NO_TRADE_MARKS, (part) => unicodeForm(part, "NFKC"));
  const prepared = formed.replace(INVISIBLE, "").toLowerCase();
  return prepared.replaceAll("ς", "σ").match(WORD) ?? [];
}

/** Whether a word is a symbol or an operator. */
export function isSymbol(word: string): boolean {
  return !LETTER_OR_DIGIT.test(word);
}

/**
 * The name without its sign: `disney` of `disney+`, `docx` of `.docx`. Undefined for a word without a sign, and for a single letter with
 * one: C++ and C# are not C.
 */
export function withoutSign(word: string): string | undefined {
  const end = word.endsWith("++") ? -2 : word.endsWith("+") || word.endsWith("#") ? -1 : word.length;
  const start = word.startsWith(".") ? 1 : 0;
  if (start === 0 && end === word.length) return undefined;
  const plain = word.slice(start, end);
  return plain.length > 1 || !/^\p{L}$/u.test(plain) ? plain : undefined;
}

/** Whether a word begins or ends with a sign of a name. */
export function hasSign(word: string): boolean {
  return word.startsWith(".") || word.endsWith("+") || word.endsWith("#");
}

/**
 * The terms of a name with apostrophes, by its parts: the joined name, and each part of two letters or more. So "O'Brien" is found by "Brien" and
 * "OBrien", but not by "O'Neill".
 */
export function termsOfParts(parts: readonly string[]): readonly string[] {
  return parts.length === 1 ? parts : [parts.join(""), ...parts.filter(({ length }) => length > 1)];
}
