/** Distinguishable blocks for the cases of a contract. */

import type { BlockStore, StoredBlock } from "../src/storage/block-store.ts";
import type { Storage, Store } from "../src/storage/store.ts";
import { type NewPlace, onStore, openStore, textOf } from "./told-stores.ts";

export const LABEL = "signs of some model";

/** Bytes that no other part of any block has. */
export function partOf(id: string, version: number, part: number, bytes = 40): Uint8Array {
  return Buffer.from(`${id}/${version}/${part} `.repeat(bytes).slice(0, bytes));
}

export function partsOf(id: string, version: number, first: number, count: number, bytes?: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => partOf(id, version, first + index, bytes));
}

export function appendTo(blocks: BlockStore, id: string, version: number, first = 0, count = 3, bytes?: number) {
  return blocks.append({ id, version, first }, partsOf(id, version, first, count, bytes));
}

/** The blocks of a store; throws where it has none. */
export function blocksOf(store: Store, name = "signs"): BlockStore {
  const blocks = store.blocks?.(name);
  if (blocks === undefined) throw new Error("The store has no blocks.");
  return blocks;
}

/** All parts of a block, each as text; undefined if they cannot be read. */
export async function textsIn(blocks: BlockStore, block: StoredBlock): Promise<string[] | undefined> {
  const parts = await blocks.read(block, 0, block.partBytes.length);
  return parts?.map((part) => textOf(part));
}

/** The parts of a block that {@link appendTo} appended, each as text. */
export function textsOfBlock({ id, version, first, partBytes }: StoredBlock): string[] {
  return partBytes.map((bytes, index) => textOf(partOf(id, version, first + index, bytes)));
}

export interface Opened {
  readonly storage: Storage;
  readonly store: Store;
  readonly blocks: BlockStore;
  readonly found: readonly StoredBlock[];
  readonly droppedBytes: number;
  close(): Promise<void>;
}

/** Opens the blocks of the store `bot`, which is made if it is missing. */
export async function openBlocks(storage: Storage, label = LABEL): Promise<Opened> {
  if (!(await storage.exists("bot"))) await storage.create("bot");
  return openedBlocks(storage, (await openStore(storage)).store, label);
}

async function openedBlocks(storage: Storage, store: Store, label: string): Promise<Opened> {
  const blocks = blocksOf(store);
  const { blocks: found, droppedBytes } = await blocks.open(label);
  const close = async () => {
    await store.close();
    await storage.close();
  };
  return { storage, store, blocks, found, droppedBytes, close };
}

/** Runs `work` on the blocks of the new store `bot` in an empty place. Does nothing if stores have no blocks. */
export function onBlocks(newPlace: NewPlace, work: (opened: Opened) => Promise<void>): Promise<void> {
  return onStore(newPlace, async (store, storage) => {
    if (store.blocks !== undefined) await work(await openedBlocks(storage, store, LABEL));
  });
}
