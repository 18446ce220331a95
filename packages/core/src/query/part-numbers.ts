import { type IndexedDocument, partCountOf } from "./indexed-document.ts";

/**
 * Which parts belong to which ordinal. Parts are numbered in rising order, each number is given once; those of an ordinal
 * follow each other. The number of a part is the key of its vector.
 */
export class PartNumbers {
  /** By part. */
  readonly #ordinals: number[] = [];
  /** By ordinal: its first part. */
  readonly #firsts: number[] = [];
  #count = 0;

  /** The next number. */
  get next(): number {
    return this.#ordinals.length;
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

  /** Forgets all numbers. */
  clear(): void {
    this.#ordinals.length = 0;
    this.#firsts.length = 0;
    this.#count = 0;
  }

  /** The ordinal that a part belongs to; -1 for a number that was never given. */
  ordinalOf(part: number): number {
    return this.#ordinals[part] ?? -1;
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
