import { letterBits } from "../platform/letter-bits.ts";

/** An ending with the bits of its letters, which rule most endings out before a word is built. */
interface Ending {
  readonly text: string;
  readonly letters: number;
}

function endingsOf(texts: readonly string[]): readonly Ending[] {
  return texts.map((text) => ({ text, letters: letterBits(text) }));
}

/**
 * Endings that stemming removes, most frequent first. They cover 98 of 100 stems in the words of 3,500 English support pages.
 */
const ENDINGS = endingsOf(
  (
    "  e s ed ing es er ion ation al ate ly ers ions ent able ated l ive ic ates ity ations ize d ment ating ally ement ence ication " +
    "ized als ance ator ant ings ics ely ization ical ments ous ents ful ible y ness ively ently ency ability ative izing ivity " +
    "ically izes icate ional ities"
  )
    .slice(1)
    .split(" "),
);

/** Endings that replace the last letter of a stem, by that letter. */
const REPLACED: Readonly<Record<string, readonly Ending[]>> = {
  i: endingsOf(["y", "ies", "ied", "ier", "ying", "ys"]),
  e: endingsOf(["ing", "ed"]),
  l: endingsOf(["ility"]),
};

/** Endings before which the last consonant may be doubled. */
const DOUBLING = endingsOf(["ing", "ed", "er", "ers"]);

const NONE: readonly Ending[] = [];

/**
 * Candidate words of a stem, with `lengthMin` to `lengthMax` letters: the stem with common endings. Most of them are no
 * words, and some have another stem. Candidates whose letters `mayHold` refuses are left out before they are built, as most are.
 */
export function inflected(
  stem: string,
  lengthMin: number,
  lengthMax: number,
  mayHold: (letters: number) => boolean = all,
): string[] {
  const found: string[] = [];
  const add = (beginning: string, endings: readonly Ending[]): void => {
    const letters = letterBits(beginning);
    const [shortest, longest] = [lengthMin - beginning.length, lengthMax - beginning.length];
    for (const ending of endings) {
      const { length } = ending.text;
      if (length >= shortest && length <= longest && mayHold(letters | ending.letters))
        found.push(beginning + ending.text);
    }
  };
  const last = stem.slice(-1);
  add(stem, ENDINGS);
  add(stem.slice(0, -1), REPLACED[last] ?? NONE);
  add(stem + last, DOUBLING);
  return found;
}

function all(): boolean {
  return true;
}
