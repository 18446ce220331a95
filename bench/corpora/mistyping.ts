import { seededRandom } from "./seeded-random.ts";

/** Questions as people type them in haste, by seed: the same seed gives the same question the same mistake. */

/** Words shorter than this stay as they are. Letters. */
const WORD_MIN = 4;
const WORDS = new RegExp(`[A-Za-z]{${WORD_MIN},}`, "g");

/** Of an unfinished word so many letters are there, at least and at most. */
const BEGINNING = { min: 3, max: 5 } as const;

/** Rows of a keyboard, each moved to the right against the one above it: by a quarter of a key, then by half a key. */
const KEY_ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const ROW_SHIFTS = [0, 0.25, 0.75];
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** The letters on the keys around each letter's. */
const NEIGHBOURS = neighbours();

export type Mistake = "insert" | "delete" | "replace" | "transpose";
const MISTAKES: readonly Mistake[] = ["insert", "delete", "replace", "transpose"];

/**
 * The text with one mistake in one of its words: a letter too many, one missing, one replaced by the key beside it, or two that
 * changed places. A text without a word of four letters stays as it is.
 */
export function mistyped(text: string, seed: number): string {
  const random = seededRandom(hashOf(text, seed));
  const words = [...text.matchAll(WORDS)];
  const chosen = words[Math.floor(random() * words.length)];
  if (chosen === undefined) return text;
  const [word] = chosen;
  for (;;) {
    const mistake = MISTAKES[Math.floor(random() * MISTAKES.length)] ?? "delete";
    const changed = withMistake(word, mistake, random);
    // Two equal letters that change places are no mistake.
    if (changed !== word) return text.slice(0, chosen.index) + changed + text.slice(chosen.index + word.length);
  }
}

/**
 * The text up to its last word, of which only the first three to five letters are there, one less than it has at most. Short
 * words behind it are not typed yet. A text without a word of four letters stays as it is.
 */
export function unfinished(text: string, seed: number): string {
  const last = [...text.matchAll(WORDS)].at(-1);
  if (last === undefined) return text;
  const random = seededRandom(hashOf(text, seed));
  const letters = BEGINNING.min + Math.floor(random() * (BEGINNING.max - BEGINNING.min + 1));
  return text.slice(0, last.index + Math.min(letters, last[0].length - 1));
}

function withMistake(word: string, mistake: Mistake, random: () => number): string {
  const at = Math.floor(random() * (mistake === "transpose" ? word.length - 1 : word.length));
  const letter = word[at] ?? "";
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  if (mistake === "delete") return before + after;
  if (mistake === "insert") return before + oneOf(LETTERS, random) + letter + after;
  if (mistake === "transpose") return before + (after[0] ?? "") + letter + after.slice(1);
  return before + oneOf(NEIGHBOURS.get(letter.toLowerCase()) ?? LETTERS, random) + after;
}

function oneOf(letters: string, random: () => number): string {
  return letters[Math.floor(random() * letters.length)] ?? "";
}

function neighbours(): ReadonlyMap<string, string> {
  const keys = KEY_ROWS.flatMap((row, y) => [...row].map((letter, i) => ({ letter, x: i + (ROW_SHIFTS[y] ?? 0), y })));
  return new Map(
    keys.map(({ letter, x, y }) => {
      const near = keys.filter((key) => key.letter !== letter && Math.abs(key.x - x) <= 1 && Math.abs(key.y - y) <= 1);
      return [letter, near.map((key) => key.letter).join("")];
    }),
  );
}

/** FNV-1a over the text, begun with the seed. */
function hashOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
