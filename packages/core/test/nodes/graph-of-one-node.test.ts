import { expect, it, onTestFinished } from "vitest";
import { GRAPH_CACHE } from "../../src/model/derived-sections.ts";
import type { Storage } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { opened } from "../support/embedded-bot.ts";

/** The node's storage, which tells when a graph is written. */
function told(storage: Storage, written: () => void): Storage {
  const open = storage.open.bind(storage);
  storage.open = async (name) => {
    const store = await open(name);
    const writeCache = store.writeCache.bind(store);
    store.writeCache = (cache, bytes) => {
      if (cache === GRAPH_CACHE) written();
      return writeCache(cache, bytes);
    };
    return store;
  };
  return storage;
}

it("every node builds the graph, and one of them keeps it", async () => {
  const database = new SimulatedDatabase();
  const keepers = new Set<number>();
  const open = async (node: number) => {
    const storage = told(database.open(), () => keepers.add(node));
    const made = await opened(storage, {}, { graphVectorsMin: 20 });
    onTestFinished(() => made.engine.close());
    return made;
  };
  const nodes = [await open(0), await open(1), await open(2)];
  const [first] = nodes;
  for (let number = 0; number < 20; number += 1) {
    await first?.bot.createArticle({ title: `Page ${number}`, body: `This page is about word${number}.` });
  }
  for (const { bot } of nodes) {
    await bot.search("word7");
    await bot.whenUpgraded();
    await expect.poll(async () => (await bot.stats()).vectors.graph).toBe("ready");
  }
  await expect.poll(() => keepers.size).toBeGreaterThan(0);
  for (const { engine } of nodes) await engine.close();
  expect(keepers.size).toBe(1);
});
