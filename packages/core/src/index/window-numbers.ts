import { GrowingUint32 } from "../platform/growing-array.ts";
import { type IndexedDocument, windowCountOf, windowOrdinalOf } from "./indexed-document.ts";

/**
 * Maps embedding windows to ordinals, and back. The number of a window is the key of its vector.
 *
 * - Numbers rise, and each is given once until {@link cut} frees it.
 * - The windows of an ordinal are consecutive.
 */
export class WindowNumbers {
  /** By window: its ordinal plus one, or 0. */
  #ordinals = new GrowingUint32();
  /** By ordinal: its first window plus one, or 0. */
  #firsts = new GrowingUint32();
  #count = 0;

  /** The next number. */
  get next(): number {
    return this.#ordinals.length;
  }
  /** Whether more numbers belong to removed windows than to live ones, and more than {@link GONE_MIN} do. Not valid while a document is staged. */
  get isMostlyGone(): boolean {
    return this.next - this.#count > Math.max(GONE_MIN, this.#count);
  }
  /** Number of windows of indexed documents. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#ordinals.bytes + this.#firsts.bytes;
  }

  /** Numbers and counts a document's windows. Its first number must be {@link next}. */
  add(document: IndexedDocument): void {
    this.number(document);
    this.enter(document);
  }

  /** Numbers a document's windows, without counting them. */
  number(document: IndexedDocument): void {
    const count = windowCountOf(document);
    for (let i = 0; i < count; i++) {
      const ordinal = document.firstOrdinal + windowOrdinalOf(document, i);
      this.#begin(ordinal, this.next);
      this.#ordinals.push(ordinal + 1);
    }
  }

  /** Counts a document's windows, which must have their numbers. */
  enter(document: IndexedDocument): void {
    this.#count += windowCountOf(document);
  }

  /** Takes a document's windows out of the count. Their numbers are not given again. */
  remove(document: IndexedDocument): void {
    this.#count -= windowCountOf(document);
  }

  /** Returns a table with the same numbers, none of which belongs to an ordinal yet. */
  emptyOnes(): WindowNumbers {
    const numbers = new WindowNumbers();
    numbers.#ordinals = new GrowingUint32(new Uint32Array(this.next));
    return numbers;
  }

  /** Assigns a document's windows, which keep their numbers, to ordinals from `firstOrdinal` on. */
  place(document: IndexedDocument, firstOrdinal: number): void {
    const { firstWindow } = document;
    for (let window = this.next; window < firstWindow; window++) this.#ordinals.push(0);
    const count = windowCountOf(document);
    for (let i = 0; i < count; i++) {
      const [window, ordinal] = [firstWindow + i, firstOrdinal + windowOrdinalOf(document, i)];
      if (window === this.next) this.#ordinals.push(ordinal + 1);
      else this.#ordinals.set(window, ordinal + 1);
      this.#begin(ordinal, window);
    }
  }

  /** Takes over the ordinals of all windows from another table. */
  takeOrdinals(other: WindowNumbers): void {
    for (let window = other.next; window < this.next; window++) other.#ordinals.push(0);
    this.#ordinals = other.#ordinals;
    this.#firsts = other.#firsts;
  }

  /** Gives a document's windows lower numbers from `to` on. No other document may have any of these. */
  move(document: IndexedDocument, to: number): void {
    const { firstWindow, firstOrdinal } = document;
    const count = windowCountOf(document);
    for (let window = Math.max(firstWindow, to + count); window < firstWindow + count; window++)
      this.#ordinals.set(window, 0);
    for (let i = count - 1; i >= 0; i--) {
      const ordinal = firstOrdinal + windowOrdinalOf(document, i);
      this.#ordinals.set(to + i, ordinal + 1);
      this.#firsts.set(ordinal, to + i + 1);
    }
  }

  /** Frees all numbers from `end` on. No document may have any of these. */
  cut(end: number): void {
    for (let window = end; window < this.next; window++) this.#ordinals.set(window, 0);
    this.#ordinals.cut(end);
  }

  /** The ordinal that a window belongs to; -1 for a number without a window. */
  ordinalOf(window: number): number {
    return this.#ordinals.get(window) - 1;
  }

  /** The first window of an ordinal. */
  firstOf(ordinal: number): number {
    return Math.max(0, this.#firsts.get(ordinal) - 1);
  }

  /** One behind the last window of an ordinal. */
  endOf(ordinal: number): number {
    let end = this.firstOf(ordinal);
    while (this.#ordinals.get(end) === ordinal + 1) end++;
    return end;
  }

  /** Records a window as the first of its ordinal, unless the ordinal has one already. */
  #begin(ordinal: number, window: number): void {
    while (this.#firsts.length <= ordinal) this.#firsts.push(0);
    if (this.#firsts.get(ordinal) === 0) this.#firsts.set(ordinal, window + 1);
  }
}

/** Fewer removed windows are not worth a compaction. */
const GONE_MIN = 1_024;
