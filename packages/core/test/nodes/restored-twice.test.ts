import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { LoredexError } from "../../src/model/errors.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import type { Store } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf, TripsOfACall } from "./nodes.ts";

const OPTIONS = { embedders: {}, background: false } as const;
/** Far more than a restore takes. */
const TRIPS_MAX = 100;

/** Two backups of one bot: with one article, and with two. */
async function twoBackups(): Promise<{ readonly id: string; readonly older: Uint8Array; readonly newer: Uint8Array }> {
  const engine = await Engine.open(OPTIONS);
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({ name: "help" });
  const open = await engine.bot(bot.id);
  await open.createArticle({ title: "first", body: "text" });
  const older = await bytesOf(engine.backup(bot.id));
  await open.createArticle({ title: "second", body: "text" });
  return { id: bot.id, older, newer: await bytesOf(engine.backup(bot.id)) };
}

it("a bot that two nodes restore is that of one of them, and the other one is told so, whenever the second begins", async () => {
  const { id, older, newer } = await twoBackups();
  for (let at = 0, wasReached = true; wasReached; at += 1) {
    let left = Number.POSITIVE_INFINITY;
    let second: Promise<unknown> | undefined;
    const roundTrip = async (): Promise<void> => {
      left -= 1;
      if (left === -1) second = restored(b, older, "written by b");
      await new Promise((resolve) => setImmediate(resolve));
    };
    const database = new SimulatedDatabase({ roundTrip });
    const open = () => Engine.open({ ...OPTIONS, storage: database.open() });
    const [a, b] = [await open(), await open()];
    /** Restores a bot and writes to it at once. */
    const restored = async (engine: Engine, backup: Uint8Array, title: string): Promise<unknown> =>
      codeOf(
        engine.restore(inOne(backup)).then(async () => (await engine.bot(id)).createArticle({ title, body: "text" })),
      );
    left = at;
    const ofA = await restored(a, newer, "written by a");
    wasReached = second !== undefined;
    const ofB = await (second ?? restored(b, older, "written by b"));
    expect([ofA, ofB].toSorted()).toEqual(["BOT_EXISTS", undefined]);
    const texts = ofA === undefined ? ["first", "second", "written by a"] : ["first", "written by b"];
    const late = await open();
    for (const engine of [a, b, late]) expect(await titlesIn(engine, id)).toEqual(texts);
    const storage = database.open();
    expect(await storage.list()).toHaveLength(2);
    await Promise.all([a.close(), b.close(), late.close(), storage.close()]);
    expect(at).toBeLessThan(TRIPS_MAX);
  }
});

it("a bot is restored over what a node left that ended before it had entered the bot", async () => {
  const { id, newer } = await twoBackups();
  const database = new SimulatedDatabase();
  const storage = database.open();
  await storage.create("catalog");
  await storage.create(`bot-${id}`, { sequence: 3, sections: [] });
  await storage.close();
  // A clock that runs quickly: the time for the other node is over soon.
  let nowMs = 0;
  const clock = { monotonicMs: () => (nowMs += 1_000), wallMs: () => Date.now() };
  const engine = await Engine.open({ ...OPTIONS, storage: database.open(), clock });
  onTestFinished(() => engine.close());
  await engine.restore(inOne(newer));
  expect(await titlesIn(engine, id)).toEqual(["first", "second"]);
});

it("a bot that is restored is whole or not there, whenever another node starts and deletes what is left of removed bots", async () => {
  const { id, newer } = await twoBackups();
  const ends = new Set<unknown>();
  const closed: Promise<unknown>[] = [];
  let wasStarted = true;
  for (let at = 0; wasStarted; at += 1) {
    for (let stopsAt = 0, wasStopped = true; wasStopped; stopsAt += 1) {
      const met = await startDuringRestore(id, newer, at, stopsAt);
      ends.add(met.code);
      closed.push(met.closed);
      [wasStarted, wasStopped] = [met.wasStarted, met.wasStopped];
      expect(met.code === undefined ? [2, ["first", "second"]] : [1, "BOT_NOT_FOUND"]).toEqual([met.stores, met.found]);
      expect(Math.max(at, stopsAt)).toBeLessThan(TRIPS_MAX);
    }
  }
  await Promise.all(closed);
  // Each has happened.
  expect(ends).toEqual(new Set([undefined, "CONFLICT"]));
});

/**
 * Restores a removed bot. At one of its round trips after the store was made, a node starts; at one of its own, that waits until the restore has ended. Gives the code of the restore, and
 * what a later node finds.
 */
async function startDuringRestore(id: string, backup: Uint8Array, at: number, stopsAt: number) {
  const [ofRestore, ofStart] = [new TripsOfACall(), new TripsOfACall()];
  const [started, stopped, restored] = [deferred(), deferred(), deferred()];
  let starts: Promise<Engine> | undefined;
  const roundTrip = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await ofRestore.passed();
    await ofStart.passed();
  };
  const stop = (): Promise<void> => {
    stopped.resolve();
    return restored.promise;
  };
  const start = (): Promise<void> => {
    ofStart.waitAt(stopsAt, stop);
    starts = ofStart.during(open).finally(() => started.resolve());
    return Promise.race([started.promise, stopped.promise]);
  };
  const database = new SimulatedDatabase({ roundTrip });
  const open = () => Engine.open({ ...OPTIONS, storage: database.open() });
  const storage = database.open();
  const create = storage.create.bind(storage);
  const node = await Engine.open({ ...OPTIONS, storage });
  await node.restore(inOne(backup));
  await node.removeBot(id);
  storage.create = (name, first, how) => {
    const check = async (store: Store): Promise<void> => {
      await how?.check?.(store);
      ofRestore.waitAt(at, start);
    };
    return create(name, first, { ...how, check });
  };
  const code = await codeOf(ofRestore.during(() => node.restore(inOne(backup))));
  const { wasReached: wasStopped } = ofStart;
  restored.resolve();
  const others = [await open(), ...(starts === undefined ? [] : [await starts])];
  const found = await Promise.all([node, ...others].map((engine) => titlesIn(engine, id).catch(codeIn)));
  for (const one of found) expect(one).toEqual(found[0]);
  const stores = (await storage.list()).length;
  // The end of a node that has removed a bot takes a second.
  const closed = Promise.all([node, ...others].map((opened) => opened.close()));
  return { code, wasStarted: ofRestore.wasReached, wasStopped, closed, stores, found: found[0] };
}

function codeIn(error: unknown): unknown {
  return error instanceof LoredexError ? error.code : error;
}

it("a bot that is restored once its removal stands still is not deleted by that removal, wherever it stands still", async () => {
  const { id, newer } = await twoBackups();
  for (let at = 0, wasReached = true; wasReached; at += 1) {
    const trips = new TripsOfACall();
    const [stopped, restored] = [deferred(), deferred()];
    const roundTrip = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      await trips.passed();
    };
    const database = new SimulatedDatabase({ roundTrip });
    // The clock of the node that restores runs quickly: the time for the other one is over soon.
    let nowMs = 0;
    const clock = { monotonicMs: () => (nowMs += 2_000), wallMs: () => Date.now() };
    const a = await Engine.open({ ...OPTIONS, storage: database.open() });
    const b = await Engine.open({ ...OPTIONS, storage: database.open(), clock });
    await a.restore(inOne(newer));
    trips.waitAt(at, () => {
      stopped.resolve();
      return restored.promise;
    });
    const removing = codeOf(trips.during(() => a.removeBot(id)));
    await Promise.race([removing, stopped.promise]);
    wasReached = trips.wasReached;
    const code = await codeOf(b.restore(inOne(newer)));
    restored.resolve();
    const removed = await removing;
    expect(removed).toBe(undefined);
    const late = await Engine.open({ ...OPTIONS, storage: database.open() });
    const found = await titlesIn(late, id).catch(codeIn);
    expect([code, found]).toEqual(
      code === undefined ? [undefined, ["first", "second"]] : ["BOT_EXISTS", "BOT_NOT_FOUND"],
    );
    await Promise.all([a, b, late].map((engine) => engine.close()));
    expect(at).toBeLessThan(TRIPS_MAX);
  }
});

async function titlesIn(engine: Engine, id: string): Promise<string[]> {
  await engine.catchUp();
  const articles = await (await engine.bot(id)).listArticles();
  return articles.map(({ title }) => title).toSorted();
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Uint8Array.from(all.flatMap((piece) => [...piece]));
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
