import { FREQUENCY_UNITS } from "./bm25.ts";
import { FRAGMENTS_MARKED_MAX, fragmentsOf, frequencyOf } from "./occurrences.ts";

/**
 * The byte format of a passage's term list:
 *
 *     | number of terms | of each term: its number, and how it is held |
 *
 * Numbers are LEB128: groups of 7 bits, the lowest first, each but the last with its eighth bit set. How a term is held is one byte for two thirds
 * of the terms:
 *
 * - below {@link UNMARKED}: once, in the fragment with this number
 * - from {@link UNMARKED} on: in no fragment; the frequency is the difference
 * - {@link ELSE}: the frequency (one byte) and the fragments (LEB128) follow
 */

export const NUMBER_BYTES_MAX = 5;
/** {@link ELSE}, a frequency, and fragments. */
export const HELD_BYTES_MAX = 6;

const UNMARKED = FRAGMENTS_MARKED_MAX;
const ELSE = 255;

/** Writes a number of up to 32 bits, and returns the place behind it. */
export function writeNumber(bytes: Uint8Array, place: number, value: number): number {
  let at = place;
  let left = value;
  while (left > 127) {
    bytes[at++] = (left & 127) | 128;
    left >>>= 7;
  }
  bytes[at++] = left;
  return at;
}

/** Writes how a term is held, and returns the place behind it. */
export function writeHeld(bytes: Uint8Array, at: number, word: number): number {
  const frequency = frequencyOf(word);
  const fragments = fragmentsOf(word);
  const isOnce = frequency === FREQUENCY_UNITS && fragments !== 0 && (fragments & (fragments - 1)) === 0;
  bytes[at] = isOnce
    ? 31 - Math.clz32(fragments)
    : fragments === 0 && UNMARKED + frequency < ELSE
      ? UNMARKED + frequency
      : ELSE;
  if (bytes[at] !== ELSE) return at + 1;
  bytes[at + 1] = frequency;
  return writeNumber(bytes, at + 2, fragments);
}

/** Reads one list at a time. It has {@link count} terms, whose numbers and words stand at the start of {@link terms} and {@link words}. */
export class ListsReader {
  readonly #pages: readonly Uint8Array[];
  count = 0;
  terms = new Uint32Array(0);
  /** See `occurrences.ts`. */
  words = new Uint32Array(0);

  constructor(pages: readonly Uint8Array[]) {
    this.#pages = pages;
  }

  /** Number of terms of the list with this start: its page in the upper 16 bits, its place there in the lower. */
  countAt(start: number): number {
    const page = this.#pages[start >>> 16] as Uint8Array;
    let at = start & 0xffff;
    let byte = page[at++] as number;
    let count = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = page[at++] as number;
      count |= (byte & 127) << shift;
    }
    return count;
  }

  read(start: number): this {
    const page = this.#pages[start >>> 16] as Uint8Array;
    const count = this.countAt(start);
    let at = (start & 0xffff) + bytesFor(count);
    this.reserve(count);
    const [terms, words] = [this.terms, this.words];
    for (let i = 0; i < count; i++) {
      let byte = page[at++] as number;
      let term = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = page[at++] as number;
        term |= (byte & 127) << shift;
      }
      terms[i] = term;
      const held = page[at++] as number;
      if (held < UNMARKED) words[i] = ONCE | (256 << held);
      else if (held < ELSE) words[i] = held - UNMARKED;
      else {
        const frequency = page[at++] as number;
        byte = page[at++] as number;
        let fragments = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = page[at++] as number;
          fragments |= (byte & 127) << shift;
        }
        words[i] = (fragments << 8) | frequency;
      }
    }
    this.count = count;
    return this;
  }

  /** Visits the terms of a list for which `wanted` has a number above 0, with that number and their words. */
  visitWanted(start: number, wanted: Uint16Array, visit: (number: number, word: number) => void): void {
    const page = this.#pages[start >>> 16] as Uint8Array;
    const count = this.countAt(start);
    let at = (start & 0xffff) + bytesFor(count);
    for (let i = 0; i < count; i++) {
      let byte = page[at++] as number;
      let term = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = page[at++] as number;
        term |= (byte & 127) << shift;
      }
      const held = page[at++] as number;
      const number = wanted[term >>> 0] ?? 0;
      if (held < ELSE) {
        if (number > 0) visit(number, (held < UNMARKED ? ONCE | (256 << held) : held - UNMARKED) >>> 0);
        continue;
      }
      const frequency = page[at++] as number;
      let fragments = 0;
      let shift = 0;
      do {
        byte = page[at++] as number;
        fragments |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
      if (number > 0) visit(number, ((fragments << 8) | frequency) >>> 0);
    }
  }

  /** Ensures that a list of `count` terms is read without asking for memory. */
  reserve(count: number): void {
    if (count <= this.terms.length) return;
    const length = Math.max(TERMS_MIN, 2 ** Math.ceil(Math.log2(count)));
    const [terms, words] = [new Uint32Array(length), new Uint32Array(length)];
    [this.terms, this.words] = [terms, words];
  }
}

const ONCE = FREQUENCY_UNITS;
const TERMS_MIN = 64;

/** Bytes that a number takes. */
function bytesFor(value: number): number {
  return value < 128 ? 1 : Math.ceil((32 - Math.clz32(value)) / 7);
}
