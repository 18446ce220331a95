import type { PieceList } from "./piece-list.ts";

/** Distinct words remembered. Past that the memory starts afresh: about 10 MB, whatever texts come. */
const WORDS_MAX = 100_000;
/** Longer words are cut anew each time: they seldom come twice, and must not fill the memory. UTF-16 units. */
const WORD_LENGTH_MAX = 40;
const PLACES_AT_FIRST = 1 << 12;

/** Lower case of ASCII; other units stay. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => (unit >= 65 && unit <= 90 ? unit + 32 : unit));

function lowerAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (LOWER[unit] ?? 0) : unit;
}

/** The pieces of words that were met before, found by the stretch of text itself: no string is made for a word that is known. */
export class RememberedPieces {
  readonly #cut: (word: string) => readonly number[];
  /** Open addressing; a place holds the number of its word plus one. */
  #places = new Int32Array(PLACES_AT_FIRST);
  #words: string[] = [];
  #pieces: (readonly number[])[] = [];
  #hashes: number[] = [];

  /** @param cut the pieces of a word in lower case; the same word must always give the same */
  constructor(cut: (word: string) => readonly number[]) {
    this.#cut = cut;
  }

  /** Appends the pieces of the word at `start` to `end`. Its capitals of ASCII count as small letters. */
  append(text: string, start: number, end: number, list: PieceList): void {
    if (end - start > WORD_LENGTH_MAX) {
      for (const id of this.#cut(lower(text, start, end))) list.push(id);
      return;
    }
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ lowerAt(text, at), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (let number = this.#places[place] ?? 0; number !== 0; number = this.#places[place] ?? 0) {
      if (this.#hashes[number - 1] === hash && this.#is(number - 1, text, start, end)) {
        const pieces = this.#pieces[number - 1] ?? [];
        for (let at = 0; at < pieces.length; at++) list.push(pieces[at] ?? 0);
        return;
      }
      place = (place + 1) & mask;
    }
    const word = lower(text, start, end);
    const pieces = this.#cut(word);
    for (const id of pieces) list.push(id);
    this.#remember(word, pieces, hash);
  }

  #is(number: number, text: string, start: number, end: number): boolean {
    const word = this.#words[number] ?? "";
    if (word.length !== end - start) return false;
    for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== lowerAt(text, start + at)) return false;
    return true;
  }

  #remember(word: string, pieces: readonly number[], hash: number): void {
    if (this.#words.length === WORDS_MAX) {
      this.#places = new Int32Array(PLACES_AT_FIRST);
      this.#words = [];
      this.#pieces = [];
      this.#hashes = [];
    }
    this.#words.push(word);
    this.#pieces.push(pieces);
    this.#hashes.push(hash);
    if (this.#words.length * 2 > this.#places.length) {
      this.#places = new Int32Array(this.#places.length * 2);
      for (const [number, each] of this.#hashes.entries()) this.#place(number + 1, each);
    } else this.#place(this.#words.length, hash);
  }

  #place(number: number, hash: number): void {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = number;
  }
}

/** A copy of the word: a slice would keep the whole text that it was cut from in memory. */
function lower(text: string, start: number, end: number): string {
  const units: number[] = [];
  for (let at = start; at < end; at++) units.push(lowerAt(text, at));
  return String.fromCharCode(...units);
}
