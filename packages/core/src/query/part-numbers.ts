import { type IndexedDocument, partCountOf } from "./indexed-document.ts";

/**
 * Which parts belong to which ordinal. Parts are numbered in rising order, each number is given once; those of an ordinal
 * follow each other. The number of a part is the key of its vector.
 */
export class PartNumbers {
  /** By part. */
  #ordinals: number[] = [];
  /** By ordinal: its first part. */
  #firsts: number[] = [];
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

  /** Enters a document's parts, whose first number is {@link next}. */
  add(document: IndexedDocument): void {
    this.number(document);
    this.enter(document);
  }

  /** Numbers a document's parts, and does not count them yet. */
  number({ firstOrdinal, partOrdinals }: IndexedDocument): void {
    for (const within of partOrdinals) {
      const ordinal = firstOrdinal + within;
      this.#firsts[ordinal] ??= this.#ordinals.length;
      this.#ordinals.push(ordinal);
    }
  }

  /** Counts a document's parts, which have been numbered. */
  enter(document: IndexedDocument): void {
    this.#count += partCountOf(document);
  }

  /** Takes a document's parts out of the count. Their numbers are not given again. */
  remove(document: IndexedDocument): void {
    this.#count -= partCountOf(document);
  }

  /** The same numbers for as many parts, of which none belongs to an ordinal yet. */
  emptyOnes(): PartNumbers {
    const numbers = new PartNumbers();
    numbers.#ordinals = new Array<number>(this.next).fill(NO_ORDINAL);
    return numbers;
  }

  /** A document's parts, which keep their numbers, belong to ordinals from another first one on. */
  place({ firstPart, partOrdinals }: IndexedDocument, firstOrdinal: number): void {
    for (let part = this.next; part < firstPart; part++) this.#ordinals.push(NO_ORDINAL);
    for (const [i, within] of partOrdinals.entries()) {
      this.#ordinals[firstPart + i] = firstOrdinal + within;
      this.#firsts[firstOrdinal + within] ??= firstPart + i;
    }
  }

  /** All parts belong to other ordinals from now on. */
  takeOrdinals(other: PartNumbers): void {
    for (let part = other.next; part < this.next; part++) other.#ordinals.push(NO_ORDINAL);
    this.#ordinals = other.#ordinals;
    this.#firsts = other.#firsts;
  }

  /** Gives a document's parts lower numbers, of which none is taken. */
  move({ firstPart, firstOrdinal, partOrdinals }: IndexedDocument, to: number): void {
    const count = partOrdinals.length;
    for (let part = Math.max(firstPart, to + count); part < firstPart + count; part++)
      this.#ordinals[part] = NO_ORDINAL;
    for (let i = count - 1; i >= 0; i--) {
      const ordinal = firstOrdinal + (partOrdinals[i] ?? 0);
      this.#ordinals[to + i] = ordinal;
      this.#firsts[ordinal] = to + i;
    }
  }

  /** Numbers from here on are given again: none of them is taken. */
  cut(end: number): void {
    this.#ordinals.length = end;
  }

  /** The ordinal that a part belongs to; -1 for a number that is nobody's. */
  ordinalOf(part: number): number {
    return this.#ordinals[part] ?? NO_ORDINAL;
  }

  /** The first part of an ordinal. */
  firstOf(ordinal: number): number {
    return this.#firsts[ordinal] ?? 0;
  }

  /** After the last part of an ordinal. */
  endOf(ordinal: number): number {
    let end = this.firstOf(ordinal);
    while (this.#ordinals[end] === ordinal) end++;
    return end;
  }
}

/** Of a number that is nobody's. */
const NO_ORDINAL = -1;

/** Fewer are not worth the work. */
const GONE_MIN = 1_024;
