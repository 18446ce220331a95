import { expect, it } from "vitest";
import { CatalogStore } from "../../src/catalog/catalog-store.ts";
import type { CatalogRecord } from "../../src/model/records.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { settingsNamed } from "../support/bot-settings.ts";
import { TestClock } from "../support/test-clock.ts";

/** The catalog on several nodes: what one of them does, and what that costs the others. */

const idOf = (number: number): string => number.toString(16).padStart(24, "0");

/** A node with the catalog open. Its pauses end when `pass` is called, and the end of the node aborts them. */
async function openNode(database: SimulatedDatabase) {
  const storage = database.open();
  const open = storage.open.bind(storage);
  let openings = 0;
  storage.open = (name) => {
    openings += 1;
    return open(name);
  };
  const pauses: (() => void)[] = [];
  const catalog = await CatalogStore.open({
    storage,
    logger: ({ event }) => expect.fail(event),
    clock: new TestClock(),
    chance: () => 0,
    sleep: async () => undefined,
    idleSleep: (_, signal) =>
      new Promise((resolve) => {
        pauses.push(resolve);
        signal.addEventListener("abort", () => resolve());
      }),
  });
  const commit = (record: CatalogRecord) => catalog.exclusively(() => catalog.commit(record));
  const create = (number: number) => {
    const settings = settingsNamed(`bot-${number}`);
    return commit({ kind: "botCreate", id: idOf(number), settings, createdAtMs: 0 });
  };
  const remove = async (number: number) => {
    await commit({ kind: "botRemove", id: idOf(number) });
    await catalog.purgeRemoved();
  };
  const pass = () => {
    for (const resolve of pauses.splice(0)) resolve();
  };
  const close = async () => {
    await catalog.close();
    await storage.close();
  };
  return { catalog, create, remove, pass, close, openings: () => openings };
}

/** The bytes of a name in all that the database has of the catalog: its snapshot and its records. */
async function storedText(database: SimulatedDatabase): Promise<string> {
  const storage = database.open();
  let text = "";
  await storage.salvage("catalog", {
    section: ({ bytes }) => {
      text += Buffer.from(bytes).toString();
    },
    record: (_, payload) => {
      text += Buffer.from(payload).toString();
    },
  });
  await storage.close();
  return text;
}

it("removals are purged together, and no other node reads the catalog again", async () => {
  const database = new SimulatedDatabase();
  const a = await openNode(database);
  const b = await openNode(database);
  for (let number = 0; number < 10; number += 1) await a.create(number);
  const created = await storedText(database);
  await b.catalog.catchUp();
  for (let number = 0; number < 5; number += 1) await a.remove(number);
  await b.catalog.catchUp();
  // Node B has not seen this one when the purge begins.
  await a.create(10);
  a.pass();
  await expect.poll(() => storedText(database)).not.toContain('"bot-4"');
  await b.catalog.catchUp();
  await b.remove(5);
  await a.catalog.catchUp();
  expect(names(a.catalog)).toEqual(names(b.catalog));
  expect([a.openings(), b.openings()]).toEqual([1, 1]);
  await b.close();
  const stored = await storedText(database);
  for (const number of [0, 1, 2, 3, 4, 5]) {
    expect(created).toContain(`"bot-${number}"`);
    expect(stored).not.toContain(`"bot-${number}"`);
  }
  await a.create(11);
  expect(a.openings()).toBe(1);
  await a.close();
});

it("a node that ends purges before what it has removed, and a node that is killed leaves that to the next start", async () => {
  const database = new SimulatedDatabase();
  const killed = await openNode(database);
  for (const number of [0, 1, 2]) await killed.create(number);
  await killed.remove(0);
  expect(await storedText(database)).toContain('"bot-0"');
  const next = await openNode(database);
  next.pass();
  await expect.poll(() => storedText(database)).not.toContain('"bot-0"');
  await next.remove(1);
  await next.close();
  expect(await storedText(database)).not.toContain('"bot-1"');
});

it("a node that is behind a purge reads the catalog again, and has lost nothing", async () => {
  const database = new SimulatedDatabase();
  const a = await openNode(database);
  const b = await openNode(database);
  await a.create(0);
  await a.create(1);
  await a.remove(0);
  await a.close();
  await b.create(2);
  expect(names(b.catalog)).toEqual(["bot-1", "bot-2"]);
  expect(b.openings()).toBe(2);
  await b.close();
});

function names(catalog: CatalogStore): string[] {
  return catalog.entries().map(({ settings }) => settings.name);
}
