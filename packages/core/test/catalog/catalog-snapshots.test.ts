import { expect, it } from "vitest";
import { CatalogStore } from "../../src/catalog/catalog-store.ts";
import type { CatalogRecord } from "../../src/model/records.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import type { SnapshotSection, Store } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { settingsNamed } from "../support/bot-settings.ts";
import { TestClock } from "../support/test-clock.ts";

/** Snapshots of the catalog that are written beside changes, while other nodes use it too. */

/** Long names, so that few bots make a long log. */
const NAME_CHARACTERS = 1_000;
/** Log bytes from which on a snapshot is due, and the share of the last one. */
const [DUE_BYTES, DUE_SHARE] = [128 * 1_024, 0.2];

const idOf = (number: number): string => number.toString(16).padStart(24, "0");
const turns = async (count = 50): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Nodes on one database, all by the same clock. */
function cluster() {
  const clock = new TestClock();
  const database = new SimulatedDatabase({ clock });
  const open = () => openNode(database, clock);
  return { clock, database, open };
}

/** A node with the catalog open. `hold` makes its snapshots wait before each piece, until `step`. */
async function openNode(database: SimulatedDatabase, clock: TestClock) {
  const storage = database.open();
  const logged: string[] = [];
  const begun: number[] = [];
  let isHeld = false;
  let waiting: (() => void) | undefined;
  const piece = async (): Promise<void> => {
    if (!isHeld) return;
    const { promise, resolve } = deferred();
    waiting = resolve;
    await promise;
  };
  const openStore = storage.open.bind(storage);
  storage.open = async (name) => {
    const store = await openStore(name);
    const write: Store["writeSnapshot"] = store.writeSnapshot.bind(store);
    store.writeSnapshot = (sequence, sections) => {
      begun.push(sequence);
      return write(
        sequence,
        sections.map((section) => waited(section, piece)),
      );
    };
    return store;
  };
  const catalog = await CatalogStore.open({
    storage,
    logger: ({ event }) => void logged.push(event),
    clock,
    chance: () => 0,
    sleep: async () => undefined,
    idleSleep: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  });
  const commit = (record: CatalogRecord) => catalog.exclusively(() => catalog.commit(record));
  /** Creates bots with these numbers. */
  const create = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number += 1) {
      const settings = settingsNamed(`bot-${number}-`.padEnd(NAME_CHARACTERS, "x"));
      await commit({ kind: "botCreate", id: idOf(number), settings, createdAtMs: 0 });
    }
  };
  return {
    catalog,
    create,
    logged,
    begun,
    hold: (holds: boolean) => {
      isHeld = holds;
    },
    /** Lets a held snapshot write one more piece. False if none waits. */
    step: async (): Promise<boolean> => {
      const resolve = waiting;
      waiting = undefined;
      resolve?.();
      await turns();
      return resolve !== undefined;
    },
    close: () => catalog.close().then(() => storage.close()),
  };
}

function waited(section: SnapshotSection, piece: () => Promise<void>): SnapshotSection {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of section.chunks) {
      await piece();
      yield chunk;
    }
  };
  return { ...section, chunks: chunks() };
}

/** What a node finds that starts now: its bots, and the record of the snapshot that it begins with. */
async function found({ database }: ReturnType<typeof cluster>) {
  const storage = database.open();
  const store = await storage.open("catalog");
  const { snapshotSequence } = await store.recover({ snapshot: () => undefined, record: () => undefined });
  await store.close();
  const clock = new TestClock();
  const node = await openNode(database, clock);
  const { ids } = node.catalog;
  await node.close();
  await storage.close();
  return { ids, snapshotSequence };
}

const idsTo = (count: number): string[] => Array.from({ length: count }, (_, number) => idOf(number));

it("is due when the log has grown by a share of the last one, and by no less than a minimum", async () => {
  const nodes = cluster();
  const node = await nodes.open();
  let last = 0;
  for (let number = 0; number < 900; number += 1) await node.create(number, number + 1);
  await turns();
  expect(node.begun.length).toBeGreaterThan(2);
  for (const sequence of node.begun) {
    // A record is a little longer than its name, and so is an entry of the snapshot.
    const [logBytes, snapshotBytes] = [(sequence - last) * NAME_CHARACTERS, last * NAME_CHARACTERS];
    const due = Math.max(DUE_BYTES, snapshotBytes * DUE_SHARE);
    expect(logBytes).toBeGreaterThan(due * 0.6);
    expect(logBytes).toBeLessThan(due * 1.4);
    last = sequence;
  }
  await node.close();
  expect((await found(nodes)).ids).toEqual(idsTo(900));
});

it("takes longer than its lease, and is still one node's: changes go on, and no other node writes one", async () => {
  const nodes = cluster();
  const [a, b] = [await nodes.open(), await nodes.open()];
  a.hold(true);
  await a.create(0, 300);
  let count = 300;
  for (let pieces = 0; await a.step(); pieces += 1) {
    nodes.clock.advance(12_000);
    // Both nodes find that a snapshot is due.
    await a.create(count, count + 1);
    await b.create(count + 1, count + 2);
    count += 2;
    expect(pieces).toBeLessThan(20);
  }
  expect(count).toBeGreaterThan(306);
  expect(a.begun.length).toBeGreaterThan(0);
  expect([b.begun, a.logged, b.logged]).toEqual([[], [], []]);
  await a.close();
  await b.close();
  expect(await found(nodes)).toEqual({ ids: idsTo(count), snapshotSequence: a.begun.at(-1) });
});

it("does not replace a newer one, which another node wrote while this one stood still", async () => {
  const nodes = cluster();
  const [a, b] = [await nodes.open(), await nodes.open()];
  a.hold(true);
  await a.create(0, 200);
  nodes.clock.advance(60_000);
  await b.create(200, 210);
  await turns();
  expect(b.begun.length).toBe(1);
  a.hold(false);
  await a.step();
  await turns();
  await a.create(210, 211);
  expect([a.logged, b.logged]).toEqual([[], []]);
  await a.close();
  await b.close();
  expect(a.begun[0]).toBeLessThan(b.begun[0] ?? 0);
  expect(await found(nodes)).toEqual({ ids: idsTo(211), snapshotSequence: b.begun[0] });
});

it("leaves the catalog whole when the database cannot be reached in the middle of it", async () => {
  const nodes = cluster();
  const node = await nodes.open();
  node.hold(true);
  await node.create(0, 200);
  await node.step();
  nodes.database.cut();
  node.hold(false);
  await node.step();
  expect(node.logged).toEqual(["snapshotFailed"]);
  nodes.database.mend();
  expect(await found(nodes)).toEqual({ ids: idsTo(200), snapshotSequence: 0 });
  // The lease could not be given back: it ends by itself. The next one is tried when the log has grown further.
  nodes.clock.advance(60_000);
  await node.create(200, 201);
  await turns();
  expect(node.begun.length).toBe(1);
  await node.create(201, 400);
  await turns();
  await node.close();
  expect(await found(nodes)).toEqual({ ids: idsTo(400), snapshotSequence: node.begun.at(-1) });
});
