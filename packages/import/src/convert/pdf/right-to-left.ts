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
/** Words of the other direction, with what stands between two of them. */
const LEFT_TO_RIGHT_RUN = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+/u;

/** Whether most words of a text are read from the right. */
export function isRightToLeft(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  return words.filter((word) => RIGHT_TO_LEFT.test(word)).length * 2 > words.length;
}

/** A line as it is seen from left to right, in the order in which it is read. */
export function logicalOrder(seen: string): string {
  if (!RIGHT_TO_LEFT.test(seen)) return seen;
  const words = seen.split(" ");
  const isMostlyRight = words.filter((word) => RIGHT_TO_LEFT.test(word)).length * 2 >= words.length;
  if (!isMostlyRight) return turnedRuns(words, (word) => RIGHT_TO_LEFT.test(word), turnedWord).join(" ");
  const turned = [...words].reverse().map((word) => (isOther(word) ? word : turnedWord(word)));
  return turnedRuns(turned, isOther, (word) => word).join(" ");
}

function isOther(word: string): boolean {
  return LEFT_TO_RIGHT_RUN.test(word) && !RIGHT_TO_LEFT.test(word);
}

/** Every run of words that are of one kind, from its end to its beginning. */
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

/** Letters from last to first; marks stay behind their letters, numbers stay as they are, brackets turn. */
function turnedWord(word: string): string {
  const units = word.match(/\p{N}+(?:[.,/:]\p{N}+)*|\P{M}\p{M}*|\p{M}+/gu) ?? [];
  return units
    .reverse()
    .map((unit) => MIRRORED[unit] ?? unit)
    .join("");
}
