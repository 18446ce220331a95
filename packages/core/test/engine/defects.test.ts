import { afterEach, expect, it, vi } from "vitest";
import { SearchIndex } from "../../src/index/search-index.ts";
import { Engine } from "../../src/index.ts";
import { RECORD_KINDS } from "../../src/log/record-kinds.ts";
import { must } from "../../src/model/must.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const ARTICLE = { title: "Refunds", body: "Money comes back in 14 days." };
const QUARANTINED = { code: "BOT_QUARANTINED", message: expect.stringContaining("the place of a thing is missing") };

/** What code that relies on a broken invariant does. */
const impossible = (): never => must<never>(undefined, "the place of a thing");

/** An engine with two bots, each with an article. */
async function lived(disk = simulatedDisk()) {
  const events: LogEvent[] = [];
  const logger = (event: LogEvent) => void events.push(event);
  const open = async () => Engine.open({ storage: await openOn(disk), logger });
  const engine = await open();
  const ids: string[] = [];
  for (const name of ["hurt", "other"]) {
    ids.push((await engine.createBot({ name, embedder: "none" })).bot.id);
    await (await engine.bot(name)).createArticle(ARTICLE);
    await (await engine.bot(name)).whenSearchable();
  }
  return { disk, engine, open, events, hurt: await engine.bot("hurt"), other: await engine.bot("other"), id: ids[0] };
}

/** The bot is refused for good, and said so once; the other bot and the engine work. */
async function expectQuarantine({ engine, events, hurt, other, id }: Awaited<ReturnType<typeof lived>>): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    await expect(hurt.search("refunds")).rejects.toMatchObject(QUARANTINED);
    await expect(hurt.createArticle(ARTICLE)).rejects.toMatchObject(QUARANTINED);
  }
  expect(engine.condition()).toEqual({ canWrite: true, faults: [{ id, kind: "damaged" }] });
  const told = events.filter(({ event }) => event === "botQuarantined");
  expect(told).toMatchObject([{ level: "error", botId: id, error: { code: "INTERNAL" } }]);
  expect(await other.search("refunds")).toHaveLength(1);
  await other.createArticle(ARTICLE);
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("a defect in applying a write quarantines its bot, and a start replays every durable write", async () => {
  const life = await lived();
  const broken = vi.spyOn(RECORD_KINDS.articlePut, "apply").mockImplementationOnce(impossible);
  // The second one is durable in the same moment, and could be applied.
  const writes = [life.hurt.createArticle(ARTICLE), life.hurt.createArticle(ARTICLE)];
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: "INTERNAL" });
  broken.mockRestore();
  await expectQuarantine(life);
  await life.engine.close();
  const again = await life.open();
  expect(again.condition().faults).toEqual([]);
  expect(await (await again.bot("hurt")).listArticles()).toHaveLength(3);
  await again.close();
});

it("a defect in a search quarantines the bot, and gives no results", async () => {
  const life = await lived();
  const broken = vi.spyOn(SearchIndex.prototype, "exactMatches").mockImplementation(impossible);
  await expect(life.hurt.search("refunds")).rejects.toMatchObject({ code: "INTERNAL" });
  broken.mockRestore();
  await expectQuarantine(life);
  await life.engine.close();
});

it("a defect in indexing quarantines the bot, although nobody awaits the index", async () => {
  const life = await lived();
  const broken = vi.spyOn(SearchIndex.prototype, "replaceInSlices").mockImplementation(impossible);
  await life.hurt.createArticle(ARTICLE);
  await expect.poll(() => life.engine.condition().faults).toHaveLength(1);
  broken.mockRestore();
  await expectQuarantine(life);
  await life.engine.close();
});

it("a defect in every opening quarantines the bot, and salvage still reads it", async () => {
  const life = await lived();
  await life.engine.close();
  const broken = vi.spyOn(RECORD_KINDS.articlePut, "apply").mockImplementation(impossible);
  const again = await life.open();
  await expect(again.bot("hurt")).rejects.toMatchObject(QUARANTINED);
  await expect(again.bot("hurt")).rejects.toMatchObject(QUARANTINED);
  const { articles, isComplete } = await again.salvage("hurt");
  expect([articles.length, isComplete]).toEqual([1, true]);
  broken.mockRestore();
  await again.close();
});
