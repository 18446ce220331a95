import { seededRandom } from "./seeded-random.ts";

/** What people type who ask nothing, and what they mistype who do: after real text of a language, by seed. */

export interface Draw {
  /** An integer from 0, below this. */
  below(end: number): number;
  /** One of several; of none, the one given. */
  oneOf<Item>(items: readonly Item[], none: Item): Item;
}

export function drawBy(seed: number): Draw {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return { below, oneOf: (items, none) => items[below(items.length)] ?? none };
}

/** Some words of a text that stand side by side; of a language without spaces, as many pairs of token codes. */
export function cutOut(text: string, words: number, hasSpaces: boolean, draw: Draw): string {
  const all = hasSpaces ? text.split(" ") : (text.match(/.{1,2}/gsu) ?? []);
  const first = draw.below(Math.max(1, all.length - words));
  return all.slice(first, first + words).join(hasSpaces ? " " : "");
}

/** The letters of each word in another order. */
export function shuffled(text: string, draw: Draw): string {
  return text
    .split(" ")
    .map((word) => {
      const letters = [...word];
      for (let i = letters.length - 1; i > 0; i--) {
        const other = draw.below(i + 1);
        [letters[i], letters[other]] = [letters[other] ?? "", letters[i] ?? ""];
      }
      return letters.join("");
    })
    .join(" ");
}

/** One word of it with a letter too many, one missing, or two that changed places. Words of three letters stay. */
export function mistyped(text: string, draw: Draw): string {
  const words = text.split(" ");
  const chosen = draw.below(words.length);
  const letters = [...(words[chosen] ?? "")];
  if (letters.length < 4) return text;
  const at = 1 + draw.below(letters.length - 2);
  const [here = "", next = ""] = letters.slice(at, at + 2);
  letters.splice(at, 2, draw.oneOf([next, `${next}${here}`, `${here}${here}${next}`], ""));
  words[chosen] = letters.join("");
  return words.join(" ");
}

/** Words that nobody has: each letter one that follows the two before it somewhere in these texts. */
export function inventedWords(texts: readonly string[], count: number, draw: Draw): string[] {
  const known = new Set<string>();
  const next = new Map<string, string[]>();
  for (const word of texts
    .join(" ")
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)) {
    if (word.length < 3 || known.has(word)) continue;
    known.add(word);
    const path = `${START}${word}${END}`;
    for (let i = START.length; i < path.length; i++) {
      const before = path.slice(i - START.length, i);
      next.set(before, [...(next.get(before) ?? []), path.charAt(i)]);
    }
  }
  const found: string[] = [];
  for (let tries = 0; found.length < count && tries < count * 50; tries++) {
    let word = "";
    while (word.length < INVENTED_MAX) {
      const letter = draw.oneOf(next.get(`${START}${word}`.slice(-START.length)) ?? [], END);
      if (letter === END) break;
      word += letter;
    }
    if (word.length >= INVENTED_MIN && !known.has(word)) found.push(word);
  }
  return found;
}

const START = "^^";
const END = "$";
const INVENTED_MIN = 4;
const INVENTED_MAX = 12;

/** Words of any of these letters, as a cat types. */
export function typedAtRandom(letters: readonly string[], words: number, draw: Draw): string {
  const word = (): string => Array.from({ length: 3 + draw.below(8) }, () => draw.oneOf(letters, "")).join("");
  return Array.from({ length: words }, word).join(" ");
}

const KEY_ROWS = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiopü",
  "asdfghjklöä",
  "йцукенгшщзхъ",
  "фывапролджэ",
  "ячсмитьбю",
];

/** Keys side by side, in the order in which fingers roll over them. */
export function rolledOver(words: number, draw: Draw): string {
  const row = draw.oneOf(KEY_ROWS, "");
  const word = (): string => {
    const at = draw.below(row.length - 3);
    const keys = [...row.slice(at, at + 3 + draw.below(5))];
    const again = draw.below(2) === 0 ? keys.reverse() : keys;
    return Array.from({ length: 1 + draw.below(2) }, () => again.join("")).join("");
  };
  return Array.from({ length: words }, word).join(" ");
}

const HEX = [..."0123456789abcdef"];
const DIGITS = [..."0123456789"];
/** Token codes that hardly any text has: single letters of Hangul, and Chinese ones of an extension. */
const RARE = [[0x3131, 0x3163] as const, [0x3400, 0x4db5] as const];

/** One key held down, token codes of a number or of a code, letters large and small, token codes that no word is made of. */
export const ODD_KINDS: Readonly<Record<string, (draw: Draw) => string>> = {
  "one key": (draw) => {
    const key = draw.oneOf(draw.oneOf(KEY_ROWS, "").split(""), "x");
    return `${draw.below(2) === 0 ? draw.oneOf(HEX, "") : ""}${key.repeat(4 + draw.below(20))}`;
  },
  "two keys": (draw) => {
    const row = draw.oneOf([...KEY_ROWS, "0123456789abcdef"], "xy").split("");
    const pair = draw.oneOf(row, "x") + draw.oneOf(row, "y");
    return pair.repeat(2 + draw.below(8));
  },
  hexadecimal: (draw) => Array.from({ length: 6 + draw.below(20) }, () => draw.oneOf(HEX, "0")).join(""),
  digits: (draw) => Array.from({ length: 4 + draw.below(10) }, () => draw.oneOf(DIGITS, "0")).join(""),
  "large and small": (draw) =>
    Array.from({ length: 6 + draw.below(14) }, () => {
      const letter = draw.oneOf(LATIN, "a");
      return draw.below(2) === 0 ? letter : letter.toUpperCase();
    }).join(""),
  "rare token codes": (draw) => {
    const [first, last] = draw.oneOf(RARE, [0x3131, 0x3163] as const);
    return Array.from({ length: 2 + draw.below(8) }, () =>
      String.fromCodePoint(first + draw.below(last - first + 1)),
    ).join("");
  },
};

const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];
