import type { Random } from "../platform/clock.ts";
import type { GrowingUint32 } from "../platform/growing-array.ts";
import { stringOf } from "../platform/text-units.ts";
import { WordTable } from "../platform/word-table.ts";

/** Most distinct words that are remembered: about 10 MB, for any texts. */
const WORDS_MAX = 1 << 17;

/** A cache of the word pieces of words. */
export class RememberedPieces {
  readonly #cut: (word: string) => readonly number[];
  readonly #known: WordTable<readonly number[]>;

  /** @param cut the word pieces of a word in lower case; the same word must always give the same */
  constructor(cut: (word: string) => readonly number[], random?: Random) {
    this.#cut = cut;
    this.#known = new WordTable(WORDS_MAX, random);
  }

  /** Appends the word pieces of the word in `[start, end)` to `list`. ASCII capitals count as small letters. */
  append(units: Uint16Array, start: number, end: number, list: GrowingUint32): void {
    let pieces = this.#known.find(units, start, end);
    if (pieces === undefined) {
      pieces = this.#cut(lowerAscii(stringOf(units, start, end)));
      this.#known.remember(units, start, end, pieces);
    }
    for (let at = 0; at < pieces.length; at++) list.push(pieces[at] as number);
  }
}

const CAPITALS = /[A-Z]+/g;

function lowerAscii(word: string): string {
  return word.replace(CAPITALS, (capitals) => capitals.toLowerCase());
}
