import { type IndexedDocument, windowCountOf, windowOrdinalOf } from "./indexed-document.ts";
import { GrowingUint32 } from "./postings/growing-array.ts";

/**
 * Which parts belong to which ordinal. Parts are numbered in rising order, each number is given once; those of an ordinal
 * follow each other. The number of a part is the key of its vector.
 */
export class WindowNumbers {
  /** By part: its ordinal plus one, or 0. */
  #ordinals = new GrowingUint32(new Uint32Array(0));
  /** By ordinal: its first part plus one, or 0. */
  #firsts = new GrowingUint32(new Uint32Array(0));
  #count = 0;

  /** The next number. */
  get next(): number {
    return this.#ordinals.length;
  }
  /** Whether much more of the numbers is gone than there, while nothing is on its way in. */
  get isMostlyGone(): boolean {
    return this.next - this.#count > Math.max(GONE_MIN, this.#count);
  }
  /** Parts of documents that are there. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#ordinals.bytes + this.#firsts.bytes;
  }

  /** Enters a document's parts, whose first number is {@link next}. */
  add(document: IndexedDocument): void {
    this.number(document);
    this.enter(document);
  }

  /** Numbers a document's parts, and does not count them yet. */
  number(document: IndexedDocument): void {
    const count = windowCountOf(document);
    for (let i = 0; i < count; i++) {
      const ordinal = document.firstOrdinal + windowOrdinalOf(document, i);
      this.#begin(ordinal, this.next);
      this.#ordinals.push(ordinal + 1);
    }
  }

  /** Counts a document's parts, which have been numbered. */
  enter(document: IndexedDocument): void {
    this.#count += windowCountOf(document);
  }

  /** Takes a document's parts out of the count. Their numbers are not given again. */
  remove(document: IndexedDocument): void {
    this.#count -= windowCountOf(document);
  }

  /** The same numbers for as many parts, of which none belongs to an ordinal yet. */
  emptyOnes(): WindowNumbers {
    const numbers = new WindowNumbers();
    numbers.#ordinals = new GrowingUint32(new Uint32Array(this.next));
    return numbers;
  }

  /** A document's parts, which keep their numbers, belong to ordinals from another first one on. */
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

  /** All parts belong to other ordinals from now on. */
  takeOrdinals(other: WindowNumbers): void {
    for (let window = other.next; window < this.next; window++) other.#ordinals.push(0);
    this.#ordinals = other.#ordinals;
    this.#firsts = other.#firsts;
  }

  /** Gives a document's parts lower numbers, of which none is taken. */
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

  /** Numbers from here on are given again: none of them is taken. */
  cut(end: number): void {
    for (let window = end; window < this.next; window++) this.#ordinals.set(window, 0);
    this.#ordinals.cut(end);
  }

  /** The ordinal that a part belongs to; -1 for a number that is nobody's. */
  ordinalOf(window: number): number {
    return this.#ordinals.get(window) - 1;
  }

  /** The first part of an ordinal. */
  firstOf(ordinal: number): number {
    return Math.max(0, this.#firsts.get(ordinal) - 1);
  }

  /** After the last part of an ordinal. */
  endOf(ordinal: number): number {
    let end = this.firstOf(ordinal);
    while (this.#ordinals.get(end) === ordinal + 1) end++;
    return end;
  }

  /** A part is the first of its ordinal, unless another was before it. */
  #begin(ordinal: number, window: number): void {
    while (this.#firsts.length <= ordinal) this.#firsts.push(0);
    if (this.#firsts.get(ordinal) === 0) this.#firsts.set(ordinal, window + 1);
  }
}

/** Fewer are not worth the work. */
const GONE_MIN = 1_024;
