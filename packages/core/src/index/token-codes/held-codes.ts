import type { TokenCodeFigures } from "../../model/work.ts";
import type { StoredBlock } from "../../storage/block-store.ts";

/** What a part that is held takes beside its bytes, about. */
const ENTRY_BYTES = 120;

/** What is held of one block. */
interface HeldBlock {
  readonly windows: Map<number, Uint8Array>;
  bytes: number;
}

/**
 * The token codes of parts that are held in memory, of all bots together, so that not every question reads them from the disk. Bounded in bytes: blocks that were used
 * longest ago go first. What is held never changes an answer.
 */
export class TokenCodeCache {
  readonly #bytesMax: number;
  /** In the order in which they were last used. */
  readonly #blocks = new Map<StoredBlock, HeldBlock>();
  #bytes = 0;
  #found = 0;
  #read = 0;

  /** @param bytesMax 0: nothing is held */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Since it was made. */
  get figures(): TokenCodeFigures {
    return { found: this.#found, read: this.#read, bytes: this.#bytes };
  }

  /** Counts parts that a search has read from the disk, whether there is room for them or not. */
  countRead(windows: number): void {
    this.#read += windows;
  }

  /** Undefined where it is not held. Nobody may change it. */
  find(block: StoredBlock, window: number): Uint8Array | undefined {
    const held = this.#blocks.get(block);
    const tokenCodes = held?.windows.get(window);
    if (held === undefined || tokenCodes === undefined) return undefined;
    this.#blocks.delete(block);
    this.#blocks.set(block, held);
    this.#found += 1;
    return tokenCodes;
  }

  /** Holds it, if there is room for it when others have gone. */
  keep(block: StoredBlock, window: number, tokenCodes: Uint8Array): void {
    const bytes = tokenCodes.length + ENTRY_BYTES;
    if (bytes > this.#bytesMax) return;
    const held = this.#blocks.get(block) ?? { windows: new Map<number, Uint8Array>(), bytes: 0 };
    if (held.windows.has(window)) return;
    // A copy: what was read may be a piece of something much larger. Not by `slice`, which of a Buffer gives a view.
    held.windows.set(window, new Uint8Array(tokenCodes));
    held.bytes += bytes;
    this.#bytes += bytes;
    this.#blocks.delete(block);
    this.#blocks.set(block, held);
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.drop(oldest);
    }
  }

  /** Lets go of all that is held of a block. */
  drop(block: StoredBlock): void {
    const held = this.#blocks.get(block);
    if (held === undefined) return;
    this.#blocks.delete(block);
    this.#bytes -= held.bytes;
  }
}
