import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { type Embedder, type EmbedderOffer, NO_EMBEDDER, openEnglishStatic } from "../../src/index.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { eventsOf } from "../support/embedded-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const REFUNDS = { title: "Refunds", body: "# Refunds\n\nYour money is returned within 14 days." };
const PARCELS = { title: "Parcels", body: "# Parcels\n\nThey leave the house at noon." };
/** Shares no word with the article about refunds. */
const QUESTION = "how can I get reimbursed";

const bestTitle = async (engine: Engine, name: string): Promise<unknown> =>
  (await (await engine.bot(name)).search(QUESTION))[0]?.metaData.title;

/** The encoder of another package, whose vectors are in the space of core's static embedder; `embedded` is what it was asked for. */
async function minilm(embedded: string[] = []): Promise<EmbedderOffer> {
  const staticEmbedder = await openEnglishStatic();
  const embedder: Embedder = {
    ...staticEmbedder.space,
    weight: staticEmbedder.weight,
    cost: { textsPerCall: 8, questionMsMax: 60_000 },
    embedPassages: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => staticEmbedder.embed(text));
    },
    embedQuery: async (text) => staticEmbedder.embed(text),
    close: async () => undefined,
  };
  return { languages: ["en"], open: async () => embedder, static: openEnglishStatic };
}

it("an engine that is given no embedders finds English by meaning, and is told so", async () => {
  const engine = await Engine.open();
  expect((await engine.createBot({ name: "shop" })).bot.embedder).toBe("static");
  const bot = await engine.bot("shop");
  for (const article of [REFUNDS, PARCELS]) await bot.createArticle(article);
  await bot.whenSearchable();
  expect(await bestTitle(engine, "shop")).toBe("Refunds");
  expect((await bot.stats()).vectors).toMatchObject({ embedder: "static", staticVectors: 0 });
  expect((await bot.stats()).vectors.vectors).toBeGreaterThan(0);
  expect((await engine.createBot({ name: "others", language: "multi" })).bot.embedder).toBe(NO_EMBEDDER);
  await engine.close();
});

it("an engine that is given an empty list of embedders finds by words alone", async () => {
  const engine = await Engine.open({ embedders: {} });
  expect((await engine.createBot({ name: "shop" })).bot.embedder).toBe(NO_EMBEDDER);
  await (await engine.bot("shop")).createArticle(REFUNDS);
  await (await engine.bot("shop")).whenSearchable();
  expect(await bestTitle(engine, "shop")).toBeUndefined();
  await engine.close();
});

it("a bot of minilm is served by the static embedder of the same space, keeps its vectors, and is upgraded where the encoder is", async () => {
  const storage = new KeptStorage();
  const events: LogEvent[] = [];
  const logger = (event: LogEvent): void => void events.push(event);
  const embedded: string[] = [];
  const embedders = { minilm: await minilm(embedded) };
  const first = await Engine.open({ storage, embedders, logger });
  await first.createBot({ name: "shop" });
  await (await first.bot("shop")).createArticle(REFUNDS);
  await (await first.bot("shop")).whenUpgraded();
  await first.close();
  const before = embedded.length;
  expect(before).toBeGreaterThan(0);

  const core = await Engine.open({ storage, logger });
  const bot = await core.bot("shop");
  expect(await bestTitle(core, "shop")).toBe("Refunds");
  expect((await bot.stats()).vectors).toMatchObject({ embedder: "minilm", vectors: before, staticVectors: 0 });
  await bot.createArticle(PARCELS);
  await bot.whenUpgraded();
  const { vectors } = await bot.stats();
  expect(vectors).toMatchObject({ vectors: before, missing: { mend: expect.stringContaining("the package loredex") } });
  expect(vectors.staticVectors).toBeGreaterThan(0);
  // It is no choice for others here, and stays that of this one.
  await expect(core.createBot({ name: "other", embedder: "minilm" })).rejects.toMatchObject({ code: "VALIDATION" });
  expect((await core.updateBot("shop", { quotaCharacters: 5_000 })).embedder).toBe("minilm");
  await core.close();

  // What was left is taken up at the start, though nobody asks for the bot; nothing is made twice.
  const third = await Engine.open({ storage, embedders, logger });
  await expect.poll(() => embedded.length).toBe(before + vectors.staticVectors);
  expect(embedded.slice(before).join()).not.toContain("money");
  await third.close();
  // The engine without the encoder said that it has none.
  expect(eventsOf(events)).toEqual(["embedderUnavailable"]);
});

it("a bot of core's static embedder is the same where there is more", async () => {
  const storage = new KeptStorage();
  const core = await Engine.open({ storage });
  await core.createBot({ name: "shop" });
  await (await core.bot("shop")).createArticle(REFUNDS);
  await core.close();
  const embedders = { minilm: await minilm(), static: { languages: [], static: openEnglishStatic } };
  const whole = await Engine.open({ storage, embedders });
  await (await whole.bot("shop")).whenSearchable();
  expect(await bestTitle(whole, "shop")).toBe("Refunds");
  expect((await whole.updateBot("shop", { embedder: "minilm" })).embedder).toBe("minilm");
  await (await whole.bot("shop")).whenUpgraded();
  expect((await (await whole.bot("shop")).stats()).vectors.staticVectors).toBe(0);
  await whole.close();
});
