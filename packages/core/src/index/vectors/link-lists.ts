/** Lists are stored in pieces of 2^`PIECE_BITS` lists. */
const PIECE_BITS = 10;
const PIECE_LISTS = 1 << PIECE_BITS;

/**
 * Lists of links, numbered from 0. They are stored in pieces, arrays of 1,024 lists each, so that growing copies nothing.
 *
 * ```text
 * a list in its piece, u32 each, from index at(list) on:
 *   length | link 1 | link 2 | … | link `width`      links behind the first `length` are ignored
 * ```
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

  /** Reserves memory for `lists` more lists, so that {@link add} allocates none. */
  reserve(lists: number): void {
    while (this.#pieces.length * PIECE_LISTS < this.#count + lists) {
      this.#pieces.push(new Uint32Array(PIECE_LISTS * this.#stride));
    }
  }

  /** Makes `lists` empty lists; returns the number of the first. */
  add(lists: number): number {
    this.reserve(lists);
    const first = this.#count;
    this.#count += lists;
    return first;
  }

  /** The array that holds a list. Its length stands at index {@link at}, its links right behind. */
  piece(list: number): Uint32Array {
    return this.#pieces[list >>> PIECE_BITS] as Uint32Array;
  }
  at(list: number): number {
    return (list & (PIECE_LISTS - 1)) * (this.width + 1);
  }

  /** Number of bytes of all {@link pieces}. */
  get savedBytes(): number {
    return this.#count * this.#stride * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** The bytes of all lists as they lie in memory, piece by piece. */
  *pieces(): Generator<Uint8Array, void> {
    for (const [i, piece] of this.#pieces.entries()) {
      const lists = Math.max(0, Math.min(PIECE_LISTS, this.#count - i * PIECE_LISTS));
      yield new Uint8Array(piece.buffer, 0, lists * this.#stride * Uint32Array.BYTES_PER_ELEMENT);
    }
  }

  /** Whether no list of `[first, end)` is longer than `width`, and `isLink` accepts each link. */
  areSound(first: number, end: number, isLink: (list: number, link: number) => boolean): boolean {
    for (let list = first; list < end; list++) {
      const [piece, at] = [this.piece(list), this.at(list)];
      const length = piece[at] as number;
      if (length > this.width) return false;
      for (let i = at + 1; i <= at + length; i++) if (!isLink(list, piece[i] as number)) return false;
    }
    return true;
  }
}
