import { unicodeForm } from "../platform/unicode-form.ts";
import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * Where words begin and end, in any script that puts spaces between them. A sign that belongs to a name stays with it, and symbols are words of their own:
 *
 *     C++ costs 5€ in .NET (a && b => 👍🏽)
 *     ~~~ ~~~~~ ~~ ~~ ~~~~  ~ ~~ ~ ~~ ~
 */

/** Letters, marks and digits; an apostrophe counts when letters follow, so that "don't" stays whole. */
const LETTERS = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}+)*`;
/** Of a name such as .NET or .docx: not the full stop that ends a sentence. */
const DOT = String.raw`(?:(?<![\p{L}\p{N}\p{M}.])\.(?=\p{L}))?`;
/** Of a name such as C++, F# or Disney+: not the one of a sum, of an address or of keys that are pressed together. */
const ENDING_SIGN = String.raw`(?:\+\+|[+#](?:(?=${UNSPACED_LETTER})|(?![\p{L}\p{N}+#=])))?`;
/** Operators of programs that are written with several characters, of which not all are symbols. */
const OPERATOR = String.raw`&&|\|\||[!=]==?|=>|<[=<-]|>[=>]|-[>=]|:[:=]|\+[+=]|[*/]=`;
/** A flag is two letters. Accents that stand by themselves and shades of skin are no symbols here, nor is what stands for a character that was lost. */
const SYMBOL = String.raw`[\u{1f1e6}-\u{1f1ff}]{2}|(?!\ufffd)[\p{Sc}\p{Sm}\p{So}^]`;

const WORD = new RegExp(`${DOT}${LETTERS}${ENDING_SIGN}|${OPERATOR}|${SYMBOL}`, "gu");
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

// Without marks, soft hyphens and zero-width characters would cut a word in two.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** All but the marks ℠ and ™: the compatibility form makes letters of them, which would belong to the name before. */
const NO_TRADE_MARKS = /[^\u2120\u2122]+/g;
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
  const formed = text.replace(NO_TRADE_MARKS, (part) => unicodeForm(part, "NFKC"));
  const prepared = formed.replace(INVISIBLE, "").toLowerCase();
  return prepared.replaceAll("ς", "σ").match(WORD) ?? [];
}

/** Whether a word is a symbol or an operator. */
export function isSymbol(word: string): boolean {
  return !LETTER_OR_DIGIT.test(word);
}

/**
 * The name without its sign, for a word that has one: `disney` of `disney+`, `docx` of `.docx`. Undefined for any other word, and where the sign makes another
 * name of a single letter: C++ and C# are not C.
 */
export function withoutSign(word: string): string | undefined {
  const end = word.endsWith("++") ? -2 : word.endsWith("+") || word.endsWith("#") ? -1 : word.length;
  const start = word.startsWith(".") ? 1 : 0;
  if (start === 0 && end === word.length) return undefined;
  const plain = word.slice(start, end);
  return plain.length > 1 || !/^\p{L}$/u.test(plain) ? plain : undefined;
}

/** Whether a sign stands at one of the ends of a word, as part of a name. */
export function hasSign(word: string): boolean {
  return word.startsWith(".") || word.endsWith("+") || word.endsWith("#");
}

/**
 * The terms of a name by what stands between its apostrophes: all of it, and each part of two letters and more. So "O'Brien" is found by "Brien" and by
 * "OBrien", and not by "O'Neill".
 */
export function termsOfParts(parts: readonly string[]): readonly string[] {
  return parts.length === 1 ? parts : [parts.join(""), ...parts.filter(({ length }) => length > 1)];
}
