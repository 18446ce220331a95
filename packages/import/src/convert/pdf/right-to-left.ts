const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const MIRRORED: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "<": ">",
  ">": "<",
  "«": "»",
  "»": "«",
};
/** Letters read from the left; numbers have no direction of their own. */
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** Units that are never reversed: numbers as written, and letters with their marks. */
const UNITS = /\p{N}+(?:[.,/:]\p{N}+)*[%°]?|\P{M}\p{M}*|\p{M}+/gu;
const OPENING = "([{<«";
const CLOSING = ")]}>»";

/** True if most words of a text are read from the right. */
export function isRightToLeft(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  return words.filter((word) => RIGHT_TO_LEFT.test(word)).length * 2 > words.length;
}

/** Reorders a line from its visual order, left to right, to its reading order. */
export function logicalOrder(seen: string): string {
  if (!RIGHT_TO_LEFT.test(seen)) return seen;
  const words = seen.split(" ");
  if (!isMostlyRight(words)) {
    return turnedRuns(words, (word) => RIGHT_TO_LEFT.test(word), turnedWord).join(" ");
  }
  const turned = [...words].reverse().map((word) => (isOther(word) ? word : turnedWord(word)));
  return withBrackets(turnedRuns(turned, isOther, (word) => word).join(" "));
}

/** Reorders letters that the file draws as one glyph to their visual order. */
export function seenOrder(letters: string): string {
  if (letters.length < 2 || !RIGHT_TO_LEFT.test(letters)) return letters;
  return (letters.match(UNITS) ?? []).reverse().join("");
}

function isMostlyRight(words: readonly string[]): boolean {
  const right = words.filter((word) => RIGHT_TO_LEFT.test(word)).length;
  return right >= words.filter(isOther).length;
}

function isOther(word: string): boolean {
  return LEFT_TO_RIGHT.test(word) && !RIGHT_TO_LEFT.test(word);
}

/** Mirrors brackets if they close before they open: some programs write their meaning, others their look. */
function withBrackets(text: string): string {
  const turned = text.replace(/[()[\]{}<>«»]/g, (mark) => MIRRORED[mark] ?? mark);
  return closings(text) > closings(turned) ? turned : text;
}

/** Number of closing brackets without an opening one. */
function closings(text: string): number {
  let open = 0;
  let wrong = 0;
  for (const mark of text) {
    if (OPENING.includes(mark)) open++;
    else if (CLOSING.includes(mark)) {
      if (open > 0) open--;
      else wrong++;
    }
  }
  return wrong;
}

/** Reverses every run of words of one kind. */
function turnedRuns(
  words: readonly string[],
  isOfKind: (word: string) => boolean,
  turn: (word: string) => string,
): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; ) {
    let stop = i;
    while (stop < words.length && isOfKind(words[stop] ?? "")) stop++;
    if (stop === i) out.push(words[i++] ?? "");
    else {
      out.push(...words.slice(i, stop).reverse().map(turn));
      i = stop;
    }
  }
  return out;
}

/** Reverses the letters of a word. Marks stay after their letters, and numbers stay as they are. */
function turnedWord(word: string): string {
  return (word.match(UNITS) ?? []).reverse().join("");
}
