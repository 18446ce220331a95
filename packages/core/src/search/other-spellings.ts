import type { Analyzer } from "../analysis/analyzer.ts";
import type { OtherSpelling } from "../index/postings/held-spellings.ts";
import { unicodeForm } from "../platform/unicode-form.ts";

/**
 * Other spellings of the codes in a question. Between letters and digits there may be a hyphen, a space or nothing; a version may have a `v` or not.
 *
 *     KB 5001330 → KB5001330     E1042 → E 1042     RTX4090Ti → RTX 4090Ti, RTX4090 Ti, RTX 4090 Ti     v2.10.3 → 2.10.3
 */

const DIGIT = /\p{N}/u;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const DIGITS_OR_OTHERS = /\p{N}+|\P{N}+/gu;
const HYPHEN = /^[-\u2010\u2011]$/;
const SPACE = /^[ \u00a0]$/;
const VERSION = /(?<![\p{L}\p{N}.])v?\p{Nd}+(?:\.\p{Nd}+)+/giu;

/** The maximum number of words that form a code together. */
const WORDS_MAX = 3;
/** The maximum number of runs of letters or of digits in a code. Words with more are encoded data. */
const STRETCHES_MAX = 4;
/** Least length of a code with a space, in UTF-16 units: "a 4" is not A4. */
const SPACED_MIN = 4;
/** The maximum number of spellings that are tried for one question. */
const SPELLINGS_MAX = 32;

/** The other spellings of the codes in a text, as terms. Takes time linear in its length. */
export function otherSpellings(text: string, analyzer: Analyzer): readonly OtherSpelling[] {
  if (!DIGIT.test(text)) return [];
  const spellings: OtherSpelling[] = [];
  let tried = 0;
  for (const [asked, instead] of spelledOtherwise(unicodeForm(text, "NFKC"))) {
    if (++tried > SPELLINGS_MAX) break;
    const spelling = { asked: analyzer.terms(asked), instead: analyzer.terms(instead) };
    if (spelling.asked.join(" ") !== spelling.instead.join(" ")) spellings.push(spelling);
  }
  return spellings;
}

function* spelledOtherwise(text: string): Generator<readonly [asked: string, instead: string]> {
  for (const [version] of text.matchAll(VERSION))
    yield [version, /^v/i.test(version) ? version.slice(1) : `v${version}`];
  const words = [...text.matchAll(WORD)];
  for (const [i, { 0: word, index }] of words.entries()) {
    yield* apart(word);
    let joined = word;
    let end = index + word.length;
    let isSpaced = false;
    for (const next of words.slice(i + 1, i + WORDS_MAX)) {
      const between = text.slice(end, next.index);
      isSpaced ||= SPACE.test(between);
      if (!(HYPHEN.test(between) || SPACE.test(between)) || !partsLettersFromDigits(joined, next[0])) break;
      joined += next[0];
      end = next.index + next[0].length;
      if (!isSpaced || joined.length >= SPACED_MIN) yield [text.slice(index, end), joined];
    }
  }
}

/** The ways to split a word of letters and digits into several words. */
function* apart(word: string): Generator<readonly [asked: string, instead: string]> {
  const stretches = word.length < SPACED_MIN ? [] : (word.match(DIGITS_OR_OTHERS) ?? []);
  if (stretches.length < 2 || stretches.length > STRETCHES_MAX) return;
  for (let at = 1; at < stretches.length; at++)
    yield [word, `${stretches.slice(0, at).join("")} ${stretches.slice(at).join("")}`];
  if (stretches.length > 2) yield [word, stretches.join(" ")];
}

function partsLettersFromDigits(before: string, after: string): boolean {
  return DIGIT.test(before.slice(-1)) !== DIGIT.test(after.charAt(0));
}
