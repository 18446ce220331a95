import { frenchLetters, plainDigits, withoutMarks } from "../../analysis/folding.ts";
import { isUnspaced, UNSPACED_LETTER } from "../../analysis/unspaced.ts";
import { spelledAlike } from "../../analysis/within-words.ts";
import { hasNonAscii, termsOfParts, withoutSign, words } from "../../analysis/words.ts";
import { SUGGESTED_TOKENS_MAX } from "../../model/limits.ts";
import { unicodeForm } from "../../platform/unicode-form.ts";

/**
 * A text is cut into tokens: words, and in scripts without spaces single letters.
 *
 *     "Crêpes with 抹茶 cream"   crepes · with · 抹 · 茶 · cream
 *
 * Both the texts and what is typed are folded: to small letters without accents.
 */

/** A letter of a script without spaces, with its marks; or a run of other letters. */
const TOKEN = new RegExp(String.raw`${UNSPACED_LETTER}\p{M}{0,8}|(?:(?!${UNSPACED_LETTER})[^])+`, "gu");

/** The tokens of each word of a text. Tokens after the first {@link SUGGESTED_TOKENS_MAX} are left out. */
export function tokensOfWords(text: string): readonly (readonly string[])[] {
  const tokens: string[][] = [];
  let count = 0;
  for (const word of words(spelledAlike(text))) {
    const own = tokensOf(word).slice(0, SUGGESTED_TOKENS_MAX - count);
    tokens.push(own);
    count += own.length;
    if (count === SUGGESTED_TOKENS_MAX) break;
  }
  return tokens;
}

function tokensOf(word: string): string[] {
  if (!hasNonAscii(word)) return [word];
  if (!isUnspaced(word)) return [folded(word)];
  // The parts of a Korean syllable are letters, so that one that is being typed begins the whole one. Marks of these scripts carry meaning.
  const tokens = word.match(TOKEN) ?? [];
  return tokens.map((token) => (isUnspaced(token) ? unicodeForm(token, "NFD") : folded(token)));
}

function folded(word: string): string {
  return hasNonAscii(word) ? plainDigits(frenchLetters(withoutMarks(word)).replaceAll("ß", "ss")) : word;
}

/** The typed form of a token: without apostrophes. */
export function typedForm(token: string): string {
  return token.replaceAll("'", "");
}

/**
 * The forms of a token of a text, any of which may be typed: `o'brien` as `obrien` and `brien`, `.net` also as `net`. The whole one comes first.
 */
export function formsOf(token: string): readonly string[] {
  const plain = withoutSign(token);
  return plain === undefined ? termsOfParts(token.split("'")) : [typedForm(token), typedForm(plain)];
}
