import { expect } from "vitest";
import type { BlockStore } from "../../src/storage/block-store.ts";
import type { Storage, Store } from "../../src/storage/store.ts";

/** Changes every store of a storage as it is opened. */
export function withStores<Kind extends Storage>(storage: Kind, change: (store: Store) => void): Kind {
  const open = storage.open.bind(storage);
  storage.open = async (name) => {
    const store = await open(name);
    change(store);
    return store;
  };
  return storage;
}

/** The same of the blocks of every store. */
export function withBlocks(storage: Storage, change: (blocks: BlockStore) => void): Storage {
  return withStores(storage, (store) => {
    const blocksOf = store.blocks?.bind(store);
    store.blocks = (kind) => {
      const blocks = blocksOf?.(kind) ?? expect.fail("There are no blocks.");
      change(blocks);
      return blocks;
    };
  });
}
