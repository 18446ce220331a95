import { hnswlib } from "@loredex/hnswlib";
import { expect, it } from "vitest";
import type { GraphBackend, GraphChoice, Graphs } from "../../src/index.ts";
import { type Opened, opened } from "../support/embedded-bot.ts";
import { hnswlibPart } from "../support/graph-kinds.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const PAGES = Array.from({ length: 60 }, (_, i) => ({ title: `Page ${i}`, body: `word${i} other${i * 7}` }));
const NOWHERE: GraphBackend = {
  open: async () => ({ missing: { name: "nowhere", why: "it is not here", mend: "npm install nowhere" } }),
};

async function large(storage: KeptStorage, graph: GraphChoice): Promise<Opened> {
  const all = await opened(storage, {}, { graphVectorsMin: 50, graph });
  if ((await all.bot.listArticles()).length === 0) for (const page of PAGES) await all.bot.createArticle(page);
  await all.bot.whenUpgraded();
  return all;
}

it("a backend that is missing is told in the figures of a large bot, and once in the log; searches scan", async () => {
  const { engine, bot, events } = await large(new KeptStorage(), NOWHERE);
  const { vectors } = await bot.stats();
  const story = expect.stringContaining("it is not here. To mend it: npm install nowhere");
  expect(vectors).toMatchObject({ graph: "unavailable", graphMissing: { name: "nowhere", instead: "scan", story } });
  expect(await bot.search("word7")).not.toEqual([]);
  expect(events.filter(({ event }) => event === "graphUnavailable")).toEqual([
    expect.objectContaining({ level: "warn", message: vectors.graphMissing?.story }),
  ]);
  await engine.close();
});

it.skipIf(hnswlibPart.isMissing).each([
  ["by its name", "hnswlib"],
  ["as an object", hnswlib()],
] as const)(
  hnswlibPart.named("the backend hnswlib serves when it is given %s, and takes its graph up again"),
  async (_, graph) => {
    const storage = new KeptStorage();
    const first = await large(storage, graph);
    await expect.poll(async () => (await first.bot.stats()).vectors.graph).toBe("ready");
    const found = await first.bot.search("word7");
    await first.engine.close();
    const second = await large(storage, graph === "hnswlib" ? hnswlib() : "hnswlib");
    await expect.poll(async () => (await second.bot.stats()).vectors.graph).toBe("ready");
    expect(await second.bot.search("word7")).toEqual(found);
    expect(second.events.map(({ event }) => event)).not.toContain("graphDropped");
    await second.engine.close();
    // A graph of another backend is dropped, and built again.
    const third = await large(storage, "built-in");
    await expect.poll(async () => (await third.bot.stats()).vectors.graph).toBe("ready");
    expect(third.events.map(({ event }) => event)).toContain("graphDropped");
    await third.engine.close();
  },
);

it.each<[string, Partial<Graphs>]>([
  [
    "throws as it loads a graph",
    {
      load: () => {
        throw new Error("boom");
      },
    },
  ],
  ["loads what is no graph", { load: async () => ({}) as never }],
])("a backend that %s costs the kept graph, and not the bot", async (_, failing) => {
  const storage = new KeptStorage();
  const first = await large(storage, "built-in");
  await expect.poll(async () => (await first.bot.stats()).vectors.graph).toBe("ready");
  await first.engine.close();
  const own = {
    areKept: true,
    effort: () => 1,
    empty: (): never => {
      throw new Error("boom");
    },
    ...failing,
  };
  const second = await large(storage, { open: async () => own as never });
  expect(await second.bot.search("word7")).not.toEqual([]);
  expect(second.events.map(({ event }) => event)).toContain("graphDropped");
  await second.engine.close();
});
