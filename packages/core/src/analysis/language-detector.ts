import { NGRAM_BYTES_MAX, type NgramTable } from "./ngram-table.ts";

/** The detected language of a text. */
export interface ToldLanguage {
  /** The tag of a language; empty if none was detected. */
  readonly tag: string;
  /** Whether the text scores as texts in that language usually do. */
  readonly isReliable: boolean;
}

/** Only this much of a text is read, in UTF-16 units. */
const TEXT_UNITS_MAX = 1_000;
/** No word that begins behind this number of bytes is read. */
const BYTES_READ = 350;
/** A longer text is cut here, within a word. */
const BYTES_READ_MAX = 380;
/** N-grams of a longer word end here, except the last one. It begins four bytes before, and ends with the word. */
const WORD_BYTES_MAX = 70;
const NGRAM_BYTES = 4;
const NGRAM_STRIDE = 3;
const SPACE = 32;

/** Added to every score of the table. */
const SCORE_BASE = 53;
/** Scores are scaled to 0 to 1 by this. */
const SCALE = 25;
/** With fewer n-grams a detection is never reliable. */
const NGRAMS_MIN = 3;
const RELIABLE_SHARE = 0.75;
const RELIABLE_DISTANCE = 0.01;

/** Runs without letters of the basic plane. */
const NO_LETTERS = /[\P{L}\u{10000}-\u{10ffff}]+/gu;
/** Quotes that stay before a letter, as in *l'eau*. */
const QUOTES = new Set(["'", "`", "\u2019"]);

/**
 * Detects the language of a text by its n-grams of bytes, as eld 2.1.0 does with its table `small`. Stored indexes depend on its results, so they must
 * not change.
 */
export class LanguageDetector {
  readonly #table: NgramTable;

  constructor(table: NgramTable) {
    this.#table = table;
  }

  /** Tags of the known languages. */
  get tags(): readonly string[] {
    return this.#table.languages.map(({ tag }) => tag);
  }

  detect(text: string): ToldLanguage {
    const words = new TextEncoder().encode(wordsOf(text.slice(0, TEXT_UNITS_MAX)));
    const { known, count } = ngramsOf(words);
    const scores = this.#scoresOf(known);
    let [best, highest] = [-1, 0];
    for (const [i, score] of scores.entries()) if (score > highest) [best, highest] = [i, score];
    const language = this.#table.languages[best];
    if (language === undefined) return { tag: "", isReliable: false };
    const isReliable = count >= NGRAMS_MIN && isLike(scores, count, language.averageScore);
    return { tag: language.tag, isReliable };
  }

  /** The scores of all languages, by their index in the table. */
  #scoresOf(ngrams: Iterable<number>): number[] {
    const { languages, starts, pairs } = this.#table;
    const scores = languages.map(() => 0);
    for (const ngram of ngrams) {
      const place = this.#placeOf(ngram);
      if (place < 0) continue;
      for (let at = starts[place] as number; at < (starts[place + 1] as number); at += 2) {
        const language = pairs[at] as number;
        scores[language] = (scores[language] as number) + (pairs[at + 1] as number) + SCORE_BASE;
      }
    }
    return scores;
  }

  /** Index of an n-gram in the table, by binary search; -1 if it is not there. */
  #placeOf(ngram: number): number {
    const { ngrams } = this.#table;
    let [low, high] = [0, ngrams.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = ngrams[middle] as number;
      if (found === ngram) return middle;
      if (found < ngram) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Whether the best score of a text with `count` n-grams is near the average of its language. */
function isLike(scores: readonly number[], count: number, averageScore: number): boolean {
  const scaled = scores.map((score, language) => ({ language, score: score / count / (score / count + SCALE) }));
  const [best, next] = scaled.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (best === undefined || averageScore * RELIABLE_SHARE > best.score) return false;
  // eld compares with the index of the next language instead of its score. This is kept, since results must not change; it seldom matters.
  return Math.abs(best.score - (next?.language ?? 0)) >= RELIABLE_DISTANCE;
}

/** Bytes that no known language has. Within a word they count as spaces. */
const STRANGE = new Set([0xc7, 0xca, 0xcb, 0xcc, 0xcd, 0xd4, 0xdc, 0xdd, 0xde, 0xdf]);

/** The words of a text in lower case, with one space between two. */
function wordsOf(text: string): string {
  const spaced = text.replace(NO_LETTERS, (run) => {
    let end = run.length;
    while (end > 0 && QUOTES.has(run.charAt(end - 1))) end--;
    return end === 0 ? run : ` ${run.slice(end)}`;
  });
  return spaced.trim().toLowerCase();
}

interface Ngrams {
  /** Distinct n-grams that the table may have. */
  readonly known: ReadonlySet<number>;
  /** The number of all distinct n-grams. */
  readonly count: number;
}

/** The n-grams of the words that are read. Each word begins and ends with a space. */
function ngramsOf(words: Uint8Array): Ngrams {
  const known = new Set<number>();
  const long = new Set<string>();
  let start = 0;
  let at = 0;
  for (; at < words.length && at <= BYTES_READ_MAX; at += lengthOf(words[at] as number)) {
    if (words[at] !== SPACE) continue;
    addNgrams(readable(words.subarray(start, at)), known, long);
    start = at + 1;
    if (at > BYTES_READ) return { known, count: known.size + long.size };
  }
  addNgrams(readable(words.subarray(start, at)), known, long);
  return { known, count: known.size + long.size };
}

function readable(word: Uint8Array): Uint8Array {
  return word.map((byte) => (STRANGE.has(byte) ? SPACE : byte));
}

function addNgrams(word: Uint8Array, known: Set<number>, long: Set<string>): void {
  if (word.length === 0) return;
  const length = Math.min(word.length, WORD_BYTES_MAX);
  let at = 0;
  for (; at + NGRAM_BYTES < length; at += NGRAM_STRIDE)
    known.add(numberOf(word, at, at + NGRAM_BYTES, at === 0 ? 1 : 0));
  const last = length === 3 ? 0 : Math.max(0, length - NGRAM_BYTES);
  const spaces = at === 0 ? 2 : 1;
  if (word.length - last + spaces > NGRAM_BYTES_MAX) long.add(Buffer.from(word.subarray(last)).toString("latin1"));
  else known.add(numberOf(word, last, word.length, spaces === 2 ? 1 : 0) * 256 + SPACE);
}

/** The number of these bytes, with or without a space before them. */
function numberOf(word: Uint8Array, start: number, end: number, spaces: 0 | 1): number {
  let number = spaces * SPACE;
  for (let at = start; at < end; at++) number = number * 256 + (word[at] as number);
  return number;
}

/** Length in bytes of a UTF-8 character of the basic plane, by its first byte. */
function lengthOf(byte: number): number {
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : 3;
}
