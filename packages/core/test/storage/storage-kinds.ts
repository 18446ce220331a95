import { openMemoryStorage } from "../../src/storage/memory-storage.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import { openOn, openStore, realDisks, simulatedDisk } from "./kit.ts";

const realDisk = realDisks();

/** A kind of storage: `open` yields the same stores again wherever they are kept. */
export interface Kind {
  readonly open: () => Promise<Storage>;
  readonly keeps: boolean;
}

export const kinds: readonly (readonly [string, () => Promise<Kind>])[] = [
  [
    "files on the real disk",
    async () => {
      const disk = await realDisk();
      return { open: () => openOn(disk, { segmentBytes: 4096 }), keeps: true };
    },
  ],
  [
    "files on the simulated disk",
    async () => {
      const disk = simulatedDisk();
      return { open: () => openOn(disk, { segmentBytes: 4096 }), keeps: true };
    },
  ],
  ["memory", async () => ({ open: async () => openMemoryStorage(), keeps: false })],
];

export async function newStore(kind: Kind): Promise<{ storage: Storage; store: Store }> {
  const storage = await kind.open();
  await storage.create("bot");
  return { storage, store: (await openStore(storage)).store };
}
