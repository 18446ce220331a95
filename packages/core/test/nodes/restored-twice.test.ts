import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf } from "./nodes.ts";

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
