import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";

const OPTIONS = { embedders: {}, background: false } as const;

async function openOn(database: SimulatedDatabase): Promise<Engine> {
  const engine = await Engine.open({ ...OPTIONS, storage: database.open() });
  onTestFinished(() => engine.close());
  return engine;
}

/** A database with the bots `one` and `two`, of which `two` was entered last. */
async function withTwo(): Promise<{ readonly database: SimulatedDatabase; readonly stores: readonly string[] }> {
  const database = new SimulatedDatabase();
  const before = await openOn(database);
  await before.createBot({ name: "removed" });
  await before.removeBot("removed");
  await before.close();
  const engine = await openOn(database);
  for (const name of ["one", "two"]) await engine.createBot({ name });
  await engine.close();
  return { database, stores: await storesIn(database) };
}

async function storesIn(database: SimulatedDatabase): Promise<string[]> {
  const storage = database.open();
  const stores = await storage.list();
  await storage.close();
  return stores.toSorted();
}

it("the store of a bot that the catalog has lost stays, whatever nodes start and remove", async () => {
  const { database, stores } = await withTwo();
  expect(stores).toHaveLength(3);
  database.rewind("catalog", 1);
  const engine = await openOn(database);
  expect(engine.listBots().map(({ name }) => name)).toEqual(["one"]);
  await engine.removeBot("one");
  await engine.close();
  await openOn(database);
  const left = await storesIn(database);
  expect(left).toHaveLength(2);
  expect(stores).toEqual(expect.arrayContaining(left));
});

it("no node starts on a catalog that it cannot read, and no store is deleted", async () => {
  const { database, stores } = await withTwo();
  const storage = database.open();
  const catalog = await storage.open("catalog");
  await catalog.recover({ snapshot: () => undefined, record: () => undefined });
  await catalog.append(Buffer.from("no record of a catalog"));
  await catalog.close();
  await storage.close();
  await expect(openOn(database)).rejects.toMatchObject({ code: "CORRUPT" });
  expect(await storesIn(database)).toEqual(stores);
  const empty = database.open();
  await empty.remove("catalog");
  await empty.close();
  await expect(openOn(database)).rejects.toMatchObject({ code: "CORRUPT" });
  expect(await storesIn(database)).toEqual(stores.filter((name) => name !== "catalog"));
});
