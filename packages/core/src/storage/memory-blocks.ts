/** Blocks in memory, for as long as their store is open. */

import {
  type BlockKey,
  type BlockStore,
  blocksNotOpen,
  checkBlock,
  checkParts,
  type OpenedBlocks,
  type StoredBlock,
} from "./block-store.ts";
import { storeClosed } from "./port-rules.ts";

/** Implements {@link BlockStore} in memory. It copies all bytes in and out. */
export class MemoryBlocks implements BlockStore {
  #state: "new" | "open" | "closed" = "new";
  readonly #parts = new Map<StoredBlock, readonly Uint8Array[]>();
  #label: string | undefined;
  #bytes = 0;

  async open(label: string): Promise<OpenedBlocks> {
    if (this.#state === "closed") throw storeClosed();
    this.#state = "open";
    if (label !== this.#label) await this.clear();
    this.#label = label;
    return { blocks: [...this.#parts.keys()], droppedBytes: 0 };
  }

  async append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock> {
    this.#refuseUnlessOpen();
    checkBlock(key, parts);
    const { id, version, first } = key;
    const block = { id, version, first, partBytes: parts.map((part) => part.length) };
    this.#parts.set(
      block,
      parts.map((part) => part.slice()),
    );
    this.#bytes += bytesOf(block);
    return block;
  }

  async read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    this.#refuseUnlessOpen();
    checkParts(block, from, to);
    return this.#parts
      .get(block)
      ?.slice(from, to)
      .map((part) => part.slice());
  }

  has(block: StoredBlock): boolean {
    return this.#parts.has(block);
  }

  remove(block: StoredBlock): void {
    this.#refuseUnlessOpen();
    if (this.#parts.delete(block)) this.#bytes -= bytesOf(block);
  }

  sizes(): { readonly bytes: number; readonly liveBytes: number } {
    return { bytes: this.#bytes, liveBytes: this.#bytes };
  }

  async clear(): Promise<void> {
    this.#refuseUnlessOpen();
    this.#parts.clear();
    this.#bytes = 0;
  }

  close(): void {
    this.#state = "closed";
    this.#parts.clear();
    this.#bytes = 0;
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== "open") throw this.#state === "closed" ? storeClosed() : blocksNotOpen();
  }
}

function bytesOf({ partBytes }: StoredBlock): number {
  return partBytes.reduce((sum, bytes) => sum + bytes, 0);
}
