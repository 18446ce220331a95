import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf } from "./nodes.ts";

const TEXT = { title: "refunds", body: "About refunds." };

/** Calls of one node after another node has changed the catalog, or replaced it. Each may fail while the database is cut. */
const CALLS: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  catchUp: (engine) => engine.catchUp(),
  create: (engine) => engine.createBot({ name: "made" }),
  write: async (engine) => (await engine.bot("help")).createArticle(TEXT),
  rename: (engine) => engine.updateBot("help", { name: "help-2" }),
  rotate: (engine) => engine.rotateKey("help"),
  snapshot: async (engine) => (await engine.bot("help")).snapshot(),
  purge: (engine) => engine.purge("help"),
  remove: (engine) => engine.removeBot("gone"),
};

it.each(Object.entries(CALLS))(
  "whenever the database is cut during %s, both nodes work once it answers",
  async (_, call) => {
    for (let cutAt = 0, wasReached = true; wasReached; cutAt += 1) {
      wasReached = await isCutDuring(call, cutAt);
      expect(cutAt).toBeLessThan(200);
    }
  },
);

/** Cuts the database at a round trip of the call, and mends it. False if the call made fewer. */
async function isCutDuring(call: (engine: Engine) => Promise<unknown>, cutAt: number): Promise<boolean> {
  let left = Number.POSITIVE_INFINITY;
  const database = new SimulatedDatabase({
    roundTrip: async () => {
      if (left === 0) database.cut();
      left -= 1;
    },
  });
  const open = async (): Promise<Engine> => {
    const engine = await Engine.open({ embedders: {}, background: false, storage: database.open() });
    onTestFinished(() => engine.close());
    return engine;
  };
  const [a, b] = [await open(), await open()];
  for (const name of ["help", "gone", "third"]) await a.createBot({ name });
  await b.catchUp();
  await a.purge("help");
  await a.createBot({ name: "fourth" });
  await a.removeBot("third");
  left = cutAt;
  await codeOf(call(b));
  const wasReached = left < 0;
  left = Number.POSITIVE_INFINITY;
  database.mend();
  for (const engine of [b, a]) {
    expect([cutAt, await codeOf(engine.catchUp())]).toEqual([cutAt, undefined]);
    const id = engine.findBot("help")?.id ?? engine.findBot("help-2")?.id ?? "";
    const bot = await engine.bot(id);
    await bot.createArticle(TEXT);
    await bot.snapshot();
    await engine.purge(id);
    await engine.rotateKey(id);
    const { key } = await engine.createBot({ name: engine === a ? "a" : "b" });
    expect(engine.authenticate(key)).toBeDefined();
    for (const { id } of engine.listBots()) expect([cutAt, await codeOf(engine.bot(id))]).toEqual([cutAt, undefined]);
  }
  await b.catchUp();
  const lists = [a, b].map((engine) => engine.listBots().map(({ name }) => name));
  expect(lists[0]).toEqual(lists[1]);
  await Promise.all([a.close(), b.close()]);
  return wasReached;
}
