/** Lists are kept in pieces of so many. */
const PIECE_BITS = 10;
const PIECE_LISTS = 1 << PIECE_BITS;

/**
 * Lists of links, known by their numbers from 0 on: each has its length and room for `width` numbers of points. They stand in pieces, so
 * that more of them cost no copy of those that are there.
 */
export class LinkLists {
  readonly width: number;
  readonly #pieces: Uint32Array[] = [];
  #count = 0;

  constructor(width: number) {
    this.width = width;
  }

  get count(): number {
    return this.#count;
  }
  get bytes(): number {
    return this.#pieces.length * PIECE_LISTS * this.#stride * Uint32Array.BYTES_PER_ELEMENT;
  }

  get #stride(): number {
    return this.width + 1;
  }

  /** So many lists are made without asking for memory. */
  reserve(lists: number): void {
    while (this.#pieces.length * PIECE_LISTS < this.#count + lists) {
      this.#pieces.push(new Uint32Array(PIECE_LISTS * this.#stride));
    }
  }

  /** Makes so many empty lists; returns the number of the first. */
  add(lists: number): number {
    this.reserve(lists);
    const first = this.#count;
    this.#count += lists;
    return first;
  }

  /** Where a list stands: its length is {@link at} its place there, its links right behind. */
  piece(list: number): Uint32Array {
    return this.#pieces[list >>> PIECE_BITS] as Uint32Array;
  }
  at(list: number): number {
    return (list & (PIECE_LISTS - 1)) * (this.width + 1);
  }

  /** Bytes of all {@link pieces}. */
  get savedBytes(): number {
    return this.#count * this.#stride * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** All lists, piece by piece, as they lie in memory. */
  *pieces(): Generator<Uint8Array, void> {
    for (const [i, piece] of this.#pieces.entries()) {
      const lists = Math.max(0, Math.min(PIECE_LISTS, this.#count - i * PIECE_LISTS));
      yield new Uint8Array(piece.buffer, 0, lists * this.#stride * Uint32Array.BYTES_PER_ELEMENT);
    }
  }

  /** Whether no list is longer than may be, and each link is one that `isLink` takes. */
  areSound(first: number, end: number, isLink: (list: number, link: number) => boolean): boolean {
    for (let list = first; list < end; list++) {
      const [piece, at] = [this.piece(list), this.at(list)];
      const length = piece[at] ?? 0;
      if (length > this.width) return false;
      for (let i = at + 1; i <= at + length; i++) if (!isLink(list, piece[i] ?? 0)) return false;
    }
    return true;
  }
}
