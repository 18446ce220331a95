import { frenchLetters, plainDigits, withoutMarks } from "../../analysis/folding.ts";
import { isUnspaced, UNSPACED_LETTER } from "../../analysis/unspaced.ts";
import { spelledAlike } from "../../analysis/within-words.ts";
import { hasNonAscii, termsOfParts, withoutSign, words } from "../../analysis/words.ts";
import { SUGGESTED_PIECES_MAX } from "../../model/limits.ts";
import { unicodeForm } from "../../platform/unicode-form.ts";

/**
 * A text is cut into pieces: words, and in scripts without spaces single letters.
 *
 *     "Crêpes with 抹茶 cream"   crepes · with · 抹 · 茶 · cream
 *
 * Both the texts and what is typed are folded: to small letters without accents.
 */

/** A letter of a script without spaces, with its marks; or a run of other letters. */
const PIECE = new RegExp(String.raw`${UNSPACED_LETTER}\p{M}{0,8}|(?:(?!${UNSPACED_LETTER})[^])+`, "gu");

/** The pieces of each word of a text. Pieces after the first {@link SUGGESTED_PIECES_MAX} are left out. */
export function piecesOfWords(text: string): readonly (readonly string[])[] {
  const pieces: string[][] = [];
  let count = 0;
  for (const word of words(spelledAlike(text))) {
    const own = piecesOf(word).slice(0, SUGGESTED_PIECES_MAX - count);
    pieces.push(own);
    count += own.length;
    if (count === SUGGESTED_PIECES_MAX) break;
  }
  return pieces;
}

function piecesOf(word: string): string[] {
  if (!hasNonAscii(word)) return [word];
  if (!isUnspaced(word)) return [folded(word)];
  // The parts of a Korean syllable are letters, so that one that is being typed begins the whole one. Marks of these scripts carry meaning.
  const pieces = word.match(PIECE) ?? [];
  return pieces.map((piece) => (isUnspaced(piece) ? unicodeForm(piece, "NFD") : folded(piece)));
}

function folded(word: string): string {
  return hasNonAscii(word) ? plainDigits(frenchLetters(withoutMarks(word)).replaceAll("ß", "ss")) : word;
}

/** The typed form of a piece: without apostrophes. */
export function typedForm(piece: string): string {
  return piece.replaceAll("'", "");
}

/**
 * The forms of a piece of a text, any of which may be typed: `o'brien` as `obrien` and `brien`, `.net` also as `net`. The whole one comes first.
 */
export function formsOf(piece: string): readonly string[] {
  const plain = withoutSign(piece);
  return plain === undefined ? termsOfParts(piece.split("'")) : [typedForm(piece), typedForm(plain)];
}
