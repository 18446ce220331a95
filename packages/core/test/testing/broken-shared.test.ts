import { describe, expect, it } from "vitest";
import type { SharedStorage, SharedStore, Storage, Store } from "../../src/storage/store.ts";
import { type ContractCase, SimulatedDatabase, storageContract } from "../../testing/index.ts";
import { firstFailed, withMethods } from "./broken.ts";

/** The first case of what nodes share that a storage does not pass; undefined if it passes all. */
async function firstFailedOf(breaks: (storage: Storage) => Storage, demand = /./): Promise<string | undefined> {
  const newPlace = async () => {
    const database = new SimulatedDatabase();
    return async () => breaks(database.open());
  };
  const alone = new Set(storageContract(newPlace).map(({ name }) => name));
  const isAsked = ({ name }: ContractCase) => !alone.has(name) && demand.test(name);
  return firstFailed(storageContract(newPlace, { shared: true }).filter(isAsked));
}

const storeWith = (breaks: (store: Store, shared: SharedStore) => Partial<Store>) => (storage: Storage) =>
  withMethods(storage, {
    open: async (name) => {
      const store = await storage.open(name);
      return withMethods(store, breaks(store, sharedOf(store)));
    },
  });

const sharedWith = (breaks: (shared: SharedStore) => Partial<SharedStore>) =>
  storeWith((_, shared) => ({ shared: { ...shared, ...breaks(shared) } }));

const storageWith = (breaks: (shared: SharedStorage) => Partial<SharedStorage>) => (storage: Storage) =>
  withMethods(storage, { shared: { ...sharedOf(storage), ...breaks(sharedOf(storage)) } });

function sharedOf<Shared>(one: { readonly shared?: Shared }): Shared {
  if (one.shared === undefined) throw new Error("It is not shared.");
  return one.shared;
}

const nothing = () => undefined;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const unlessReplaced = (error: { code?: string }): void => {
  if (error.code !== "REPLACED") throw error;
};

let [opened, fallingMs] = [0, Date.now()];

/** An append that takes the records of others for its own business, and never rejects. */
const overwriting = storeWith((store, shared) => ({
  append: (payload) => store.append(payload).catch(() => shared.follow(nothing).then(() => store.append(payload))),
}));

/** Appends wait for the records of others, and are stored behind them. */
const waiting = storeWith((store, shared) => {
  let following: Promise<void> = Promise.resolve();
  return {
    append: async (payload, onFailed) => {
      await following;
      return store.append(payload, onFailed);
    },
    shared: {
      ...shared,
      follow: (record) => {
        following = shared.follow(record);
        return following;
      },
    },
  };
});

describe("the contract of a shared storage names the demand that is not met", () => {
  it.each<[string, (storage: Storage) => Storage, RegExp]>([
    ["an append that ignores conflicts", overwriting, /none is stored/],
    [
      "an append that is refused late",
      storeWith((store) => ({ append: (payload, onFailed) => turn().then(() => store.append(payload, onFailed)) })),
      /refused at once until/,
    ],
    [
      "own records that are handed out",
      storeWith((store, shared) => {
        const own: [number, Uint8Array][] = [];
        const append: Store["append"] = async (payload) => {
          const sequence = await store.append(payload);
          own.push([sequence, payload]);
          return sequence;
        };
        const follow: SharedStore["follow"] = async (record) => {
          await shared.follow(record);
          for (const [sequence, payload] of own.splice(0)) await record(sequence, payload);
        };
        return { append, shared: { ...shared, follow } };
      }),
      /none of its own/,
    ],
    [
      "a follow that does not wait for its records",
      sharedWith(({ follow }) => ({
        follow: (record) =>
          follow((sequence, payload) => {
            void record(sequence, payload);
          }),
      })),
      /waits for each record/,
    ],
    ["an append decided without the records before it", waiting, /decided without them/],
    [
      "a follow that does nothing while another runs",
      sharedWith(({ follow }) => {
        let isRunning = false;
        return {
          follow: async (record) => {
            if (isRunning) return;
            isRunning = true;
            await follow(record).finally(() => {
              isRunning = false;
            });
          },
        };
      }),
      /each record once/,
    ],
    [
      "an append that is stored twice",
      storeWith((store) => ({
        append: (payload, onFailed) => store.append(payload, onFailed).then(() => store.append(payload, onFailed)),
      })),
      /stores? every record once/,
    ],
    [
      "a follow that loses its first record",
      sharedWith(({ follow }) => {
        let isFirst = true;
        return {
          follow: (record) =>
            follow((sequence, payload) => {
              if (!isFirst) return record(sequence, payload);
              isFirst = false;
            }),
        };
      }),
      /misses no record/,
    ],
    [
      "an older snapshot that replaces a newer one",
      storeWith((store) => ({
        writeSnapshot: async (sequence, sections) => {
          await store.purge(async () => ({ sequence, sections }));
          return [];
        },
      })),
      /changes nothing/,
    ],
    ...[/later snapshot of another node overtakes/, /later snapshots of another node/].map(
      (demand): [string, (storage: Storage) => Storage, RegExp] => [
        `a purge that tells nothing of a later snapshot (${demand.source})`,
        storeWith((store) => ({
          purge: (contents) => store.purge(contents).catch(() => ({ files: 0, bytes: 0, foreign: [] })),
        })),
        demand,
      ],
    ),
    [
      "sizes that each node counts",
      storeWith((store) => {
        opened += 1;
        const own = opened;
        return { sizes: () => ({ ...store.sizes(), totalBytes: own }) };
      }),
      /the same sizes/,
    ],
    ...[/far behind/, /purge replaces/, /another node removed/].map(
      (demand): [string, (storage: Storage) => Storage, RegExp] => [
        `a follow that tells nothing of a lost history (${demand.source})`,
        sharedWith(({ follow }) => ({ follow: (record) => follow(record).catch(unlessReplaced) })),
        demand,
      ],
    ),
    [
      "a follow that passes over a record",
      sharedWith(({ follow }) => ({
        follow: (record) => follow((sequence, payload) => Promise.resolve(record(sequence, payload)).catch(nothing)),
      })),
      /cannot be applied/,
    ],
    [
      "blocks that are deleted because another node has another label",
      storeWith((store) => ({
        blocks: (name) => {
          const blocks = store.blocks?.(name);
          if (blocks === undefined) throw new Error("It has blocks.");
          const open: typeof blocks.open = async (label) => {
            await blocks.open(label === "a" ? "b" : "a");
            await blocks.clear();
            return blocks.open(label);
          };
          return withMethods(blocks, { open });
        },
      })),
      /stand beside each other/,
    ],
    ["a follow that needs no recovery", sharedWith(() => ({ follow: async () => undefined })), /recovered first/],
    [
      "a lease for everybody",
      sharedWith(({ lease }) => {
        const free = { token: 1, renew: async () => true, release: async () => undefined };
        return { lease: async (job, ms) => (await lease(job, ms)) ?? free };
      }),
      /held by one node/,
    ],
    [
      "a lease that never ends",
      sharedWith(({ lease }) => ({ lease: (job) => lease(job, 1_000_000) })),
      /ends by itself/,
    ],
    ...[
      { broken: { renew: async () => true }, demand: /ends by itself/ },
      { broken: { release: async () => undefined }, demand: /its release/ },
      { broken: { token: 1 }, demand: /its release/ },
      { broken: { renew: async () => false }, demand: /ends by itself/ },
      { broken: { renew: async () => false }, demand: /lasts longer/ },
    ].map(({ broken, demand }): [string, (storage: Storage) => Storage, RegExp] => [
      `a lease with a broken ${Object.keys(broken).join()} (${demand.source})`,
      sharedWith(({ lease }) => ({
        lease: async (job, ms) => {
          const granted = await lease(job, ms);
          return granted === undefined ? undefined : { ...granted, ...broken };
        },
      })),
      demand,
    ]),
    [
      "statements that are not told",
      storageWith(() => ({ observe: () => undefined })),
      /told of each of its statements/,
    ],
    ["requests that are not counted", storageWith(() => ({ admit: async () => 0 })), /counted for all nodes/],
    [
      "requests that each node counts",
      (storage) => {
        opened += 1;
        const node = opened;
        return storageWith(({ admit }) => ({ admit: (name, most) => admit(`${name}-${node}`, most) }))(storage);
      },
      /counted for all nodes/,
    ],
    [
      "requests that are counted after they were admitted",
      storageWith(({ admit }) => ({ admit: (name, most) => turn().then(() => admit(name, most + 1)) })),
      /up to the limit/,
    ],
    ["a clock that runs backwards", storageWith(() => ({ nowMs: () => --fallingMs })), /never runs backwards/],
    [
      "a node with a clock of its own",
      (storage) => {
        opened += 1;
        const aheadMs = opened * 10_000;
        return storageWith(({ nowMs }) => ({ nowMs: () => nowMs() + aheadMs }))(storage);
      },
      /nearly the same/,
    ],
    [
      "a removal whatever was decided since",
      (storage) => withMethods(storage, { remove: (name) => storage.remove(name) }),
      /removal that was decided/,
    ],
    ...[/created once/, /replaced once/, /being replaced stays/].map(
      (demand): [string, (storage: Storage) => Storage, RegExp] => [
        `a creation that is not told that another was quicker (${demand.source})`,
        (storage) =>
          withMethods(storage, { create: (name, first, how) => storage.create(name, first, how).catch(nothing) }),
        demand,
      ],
    ),
  ])("%s", async (_what, breaks, demand) => {
    expect(await firstFailedOf(breaks, demand)).toMatch(demand);
  });

  it("and none where all are met", async () => {
    expect(await firstFailedOf(storeWith(() => ({})))).toBeUndefined();
  });
});
