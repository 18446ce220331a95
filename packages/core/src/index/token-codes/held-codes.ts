import type { TokenCodeFigures } from "../../model/work.ts";
import { LruMap } from "../../platform/lru-map.ts";
import type { StoredBlock } from "../../storage/block-store.ts";

/** Approximate bytes of a cached window beside its codes. */
const ENTRY_BYTES = 120;

/** The cached windows of one block. */
interface HeldBlock {
  readonly windows: Map<number, Uint8Array>;
  bytes: number;
}

/**
 * The cache of token codes, shared by all bots, so that not every question reads them from the disk. Bounded in bytes: the least recently used
 * blocks are evicted first. The cache never changes an answer.
 */
export class TokenCodeCache {
  readonly #blocks: LruMap<StoredBlock, HeldBlock>;
  #found = 0;
  #read = 0;

  /** @param bytesMax capacity in bytes; 0: nothing is cached */
  constructor(bytesMax: number) {
    this.#blocks = new LruMap(bytesMax);
  }

  get bytes(): number {
    return this.#blocks.size;
  }

  /** Counts since the cache was made. */
  get figures(): TokenCodeFigures {
    return { found: this.#found, read: this.#read, bytes: this.bytes };
  }

  /** Counts windows that a search has read from the disk, whether the cache has capacity for them or not. */
  countRead(windows: number): void {
    this.#read += windows;
  }

  /** The token codes of a window; undefined if they are not cached. Callers must not change them. */
  find(block: StoredBlock, window: number): Uint8Array | undefined {
    const tokenCodes = this.#blocks.get(block)?.windows.get(window);
    if (tokenCodes !== undefined) this.#found += 1;
    return tokenCodes;
  }

  /** Caches a window, unless it is larger than the cache. Evicts the least recently used blocks to make space. */
  keep(block: StoredBlock, window: number, tokenCodes: Uint8Array): void {
    const bytes = tokenCodes.length + ENTRY_BYTES;
    if (bytes > this.#blocks.sizeMax) return;
    const held = this.#blocks.get(block) ?? { windows: new Map<number, Uint8Array>(), bytes: 0 };
    if (held.windows.has(window)) return;
    // A copy: the bytes may be a view of something much larger. `slice` does not copy: of a Buffer it gives a view.
    held.windows.set(window, new Uint8Array(tokenCodes));
    held.bytes += bytes;
    this.#blocks.set(block, held, held.bytes);
  }

  /** Evicts all windows of a block. */
  drop(block: StoredBlock): void {
    this.#blocks.delete(block);
  }
}
