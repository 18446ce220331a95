import type { StoredBlock } from "../../storage/block-store.ts";

/** Where the token codes of an embedding window are stored. */
export interface TokenCodesPlace {
  readonly block: StoredBlock;
  /** Number of the window in the block. */
  readonly window: number;
}

/** Windows `[from, to)`. */
export interface WindowRange {
  readonly from: number;
  readonly to: number;
}

/** Heap bytes of a block in the store and here, without its windows. Measured with 20,000 blocks of three windows. */
const BLOCK_BYTES = 320;

/** Knows which blocks hold the token codes of which windows, by document and version. */
export class TokenCodeDirectory {
  /** By document: its blocks of all versions, the newest last. */
  readonly #blocks = new Map<string, StoredBlock[]>();
  #count = 0;
  #windows = 0;
  /** Windows of all blocks. A window that several blocks hold counts several times. */
  #partsOfBlocks = 0;

  /** Number of stored windows, each counted once. */
  get windows(): number {
    return this.#windows;
  }

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return this.#count * BLOCK_BYTES + this.#partsOfBlocks * 8;
  }

  add(block: StoredBlock): void {
    this.#windows += windowsAlone(block, this.#besides(block));
    const known = this.#blocks.get(block.id);
    if (known === undefined) this.#blocks.set(block.id, [block]);
    else known.push(block);
    this.#count++;
    this.#partsOfBlocks += block.partBytes.length;
  }

  /** Removes a block. Returns whether it was there. */
  delete(block: StoredBlock): boolean {
    const known = this.#blocks.get(block.id);
    const at = known?.indexOf(block) ?? -1;
    if (known === undefined || at < 0) return false;
    known.splice(at, 1);
    if (known.length === 0) this.#blocks.delete(block.id);
    this.#count--;
    this.#partsOfBlocks -= block.partBytes.length;
    this.#windows -= windowsAlone(block, this.#besides(block));
    return true;
  }

  has(block: StoredBlock): boolean {
    return this.of(block.id).includes(block);
  }

  /** All blocks of a document, the newest last. */
  of(id: string): readonly StoredBlock[] {
    return this.#blocks.get(id) ?? [];
  }

  /**
   * Older blocks of this version whose windows are all held by newer blocks, this one included. An older block never stands for a newer one: its codes
   * are out of date.
   */
  coveredBy(block: StoredBlock): StoredBlock[] {
    const kept = this.#besides(block);
    return kept.filter((older, i) => overlap(older, block) && windowsAlone(older, [...kept.slice(i + 1), block]) === 0);
  }

  /** The other blocks of the same version of its document. */
  #besides(block: StoredBlock): StoredBlock[] {
    return this.of(block.id).filter((other) => other.version === block.version && other !== block);
  }

  /** The first gap among the first `windows` windows of a document's version; undefined if all of them are stored. */
  gap(id: string, version: number, windows: number): WindowRange | undefined {
    const kept = this.of(id).filter((block) => block.version === version);
    let from = 0;
    for (let block = blockOf(kept, from); block !== undefined; block = blockOf(kept, from)) {
      from = block.first + block.partBytes.length;
    }
    if (from >= windows) return undefined;
    const next = kept.map(({ first }) => first).filter((first) => first > from);
    return { from, to: Math.min(windows, ...next) };
  }

  /** The places of the windows `[from, to)`; undefined if one of them is not stored. */
  placesOf(id: string, version: number, from: number, to: number): readonly TokenCodesPlace[] | undefined {
    const kept = this.of(id).filter((block) => block.version === version);
    const places: TokenCodesPlace[] = [];
    for (let window = from; window < to; window++) {
      const block = blockOf(kept, window);
      if (block === undefined) return undefined;
      places.push({ block, window: window - block.first });
    }
    return places;
  }

  /** All blocks. */
  *all(): Generator<StoredBlock, void> {
    for (const blocks of this.#blocks.values()) yield* blocks;
  }

  clear(): void {
    this.#blocks.clear();
    this.#count = 0;
    this.#windows = 0;
    this.#partsOfBlocks = 0;
  }
}

function endOf({ first, partBytes }: StoredBlock): number {
  return first + partBytes.length;
}

function overlap(a: StoredBlock, b: StoredBlock): boolean {
  return a.first < endOf(b) && b.first < endOf(a);
}

/** Number of a block's windows that none of the others holds. */
function windowsAlone(block: StoredBlock, others: readonly StoredBlock[]): number {
  const beside = others.filter((other) => overlap(other, block));
  if (beside.length === 0) return block.partBytes.length;
  let windows = 0;
  for (let window = block.first; window < endOf(block); window++) {
    if (!beside.some((other) => other.first <= window && window < endOf(other))) windows++;
  }
  return windows;
}

/** The newest block that holds a window. */
function blockOf(blocks: readonly StoredBlock[], window: number): StoredBlock | undefined {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i];
    if (block !== undefined && block.first <= window && window < block.first + block.partBytes.length) return block;
  }
  return undefined;
}
