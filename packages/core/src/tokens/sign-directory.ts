import type { StoredBlock } from "../storage/block-store.ts";

/** Where the signs of a part are kept. */
export interface SignsPlace {
  readonly block: StoredBlock;
  /** Its number in the block. */
  readonly part: number;
}

/** Parts `[from, to)`. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

/** What a block takes of the heap, in the store and here, beside its parts. Measured with 20,000 blocks of three parts. */
const BLOCK_BYTES = 320;

/** Which parts of which versions of documents lie in which blocks. */
export class SignDirectory {
  /** By document: its blocks, of whatever versions, the newest last. */
  readonly #blocks = new Map<string, StoredBlock[]>();
  #count = 0;
  #parts = 0;

  /** Parts that are kept, those that are kept twice counted twice. */
  get parts(): number {
    return this.#parts;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    return this.#count * BLOCK_BYTES + this.#parts * 8;
  }

  add(block: StoredBlock): void {
    const known = this.#blocks.get(block.id);
    if (known === undefined) this.#blocks.set(block.id, [block]);
    else known.push(block);
    this.#count++;
    this.#parts += block.partBytes.length;
  }

  /** Whether it was there. */
  delete(block: StoredBlock): boolean {
    const known = this.#blocks.get(block.id);
    const at = known?.indexOf(block) ?? -1;
    if (known === undefined || at < 0) return false;
    known.splice(at, 1);
    if (known.length === 0) this.#blocks.delete(block.id);
    this.#count--;
    this.#parts -= block.partBytes.length;
    return true;
  }

  has(block: StoredBlock): boolean {
    return this.of(block.id).includes(block);
  }

  /** All blocks of a document, the newest last. */
  of(id: string): readonly StoredBlock[] {
    return this.#blocks.get(id) ?? [];
  }

  /** Blocks of the same version that hold nothing that this one does not. */
  coveredBy({ id, version, first, partBytes }: StoredBlock): StoredBlock[] {
    const end = first + partBytes.length;
    const isCovered = (other: StoredBlock): boolean =>
      other.first >= first && other.first + other.partBytes.length <= end;
    return this.of(id).filter((other) => other.version === version && isCovered(other));
  }

  /** The first gap among the first `parts` parts of a document's version; undefined where all of them are kept. */
  gap(id: string, version: number, parts: number): PartRange | undefined {
    const kept = this.of(id).filter((block) => block.version === version);
    let from = 0;
    for (let block = blockOf(kept, from); block !== undefined; block = blockOf(kept, from)) {
      from = block.first + block.partBytes.length;
    }
    if (from >= parts) return undefined;
    const next = kept.map(({ first }) => first).filter((first) => first > from);
    return { from, to: Math.min(parts, ...next) };
  }

  /** Where the parts `[from, to)` are; undefined where one of them is not kept. */
  placesOf(id: string, version: number, from: number, to: number): readonly SignsPlace[] | undefined {
    const kept = this.of(id).filter((block) => block.version === version);
    const places: SignsPlace[] = [];
    for (let part = from; part < to; part++) {
      const block = blockOf(kept, part);
      if (block === undefined) return undefined;
      places.push({ block, part: part - block.first });
    }
    return places;
  }

  /** Everything that is there. */
  *all(): Generator<StoredBlock, void> {
    for (const blocks of this.#blocks.values()) yield* blocks;
  }

  clear(): void {
    this.#blocks.clear();
    this.#count = 0;
    this.#parts = 0;
  }
}

/** The newest block that has a part. */
function blockOf(blocks: readonly StoredBlock[], part: number): StoredBlock | undefined {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i];
    if (block !== undefined && block.first <= part && part < block.first + block.partBytes.length) return block;
  }
  return undefined;
}
