import { expect, it, onTestFinished } from "vitest";
import { type Bot, copyStores, Engine, type Storage } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { TestClock } from "../support/test-clock.ts";

/** Large enough to be prepared in time slices. */
const LARGE = "A sentence about a harbour. ".repeat(5_000);
const HOUR_MS = 3_600_000;

async function openBot(storage: Storage, clock = new TestClock()): Promise<{ engine: Engine; bot: Bot }> {
  const engine = await Engine.open({ storage, clock });
  onTestFinished(() => engine.close());
  if (engine.listBots().length === 0) await engine.createBot({ name: "acme" });
  return { engine, bot: await engine.bot("acme") };
}

const page = (resourceDocId: string, md = resourceDocId) => ({ resourceDocId, type: "WEBPAGE", content: [{ md }] });

/** Hours at which the rows of the table were changed, as it is sorted. */
async function hoursOf(bot: Bot, startMs: number): Promise<[id: string, hour: number][]> {
  const { rows } = await bot.documentPage();
  return rows.map(({ id, updatedAt = "" }) => [id, (Date.parse(updatedAt) - startMs) / HOUR_MS]);
}

it("imported documents have the time of their last change, which starts, snapshots, backups and copies keep", async () => {
  const [disk, clock] = [simulatedDisk(), new TestClock()];
  const startMs = clock.wall;
  const { engine, bot } = await openBot(await openOn(disk), clock);
  await bot.importDocument(page("a"));
  clock.advance(HOUR_MS);
  await bot.importDocument(page("b"), { source: "site" });
  clock.advance(HOUR_MS);
  const { article } = await bot.createArticle({ title: "Between", body: "Of both kinds." });
  clock.advance(HOUR_MS);
  await bot.importDocument(page("large", LARGE));
  await bot.snapshot();
  clock.advance(HOUR_MS);
  await bot.setDocumentStatus("a", "inactive");
  const all = [
    ["a", 4],
    ["large", 3],
    [article.id, 2],
    ["b", 1],
  ];
  expect(await hoursOf(bot, startMs)).toEqual(all);
  const backup = engine.backup("acme");
  const restored = (await openBot(await openOn(simulatedDisk()))).engine;
  await restored.restore(backup, { as: "restored" });
  expect(await hoursOf(await restored.bot("restored"), startMs)).toEqual(all);
  await engine.close();
  const copy = await openOn(simulatedDisk());
  const source = await openOn(disk);
  await copyStores(source, copy);
  await source.close();
  for (const storage of [copy, await openOn(disk)]) {
    const { engine: again, bot: opened } = await openBot(storage);
    expect(await hoursOf(opened, startMs)).toEqual(all);
    // The last write is a status: no article has its time.
    expect(again.fleet()[0]?.figures?.lastWriteAt).toBe(new Date(startMs + 4 * HOUR_MS).toISOString());
  }
});

it("another content or status changes the time of a document, and nothing else does", async () => {
  const clock = new TestClock();
  const startMs = clock.wall;
  const { bot } = await openBot(await openOn(simulatedDisk()), clock);
  const hour = async (): Promise<number | undefined> => (await hoursOf(bot, startMs))[0]?.[1];
  const by = (digest: string) => ({ source: { source: "docs", argument: "docs", path: "a.md", digest } });
  await bot.importDocument(page("a"), by("1"));
  clock.advance(HOUR_MS);
  await bot.importDocument(page("a"), by("1"));
  await bot.importDocument(page("a"), by("2"));
  await bot.setDocumentStatus("a", "active");
  expect(await hour()).toBe(0);
  await bot.importDocument({ ...page("a"), metaData: { title: "A" } }, by("2"));
  expect(await hour()).toBe(1);
  clock.advance(HOUR_MS);
  await bot.setDocumentStatus("a", "pending");
  expect(await hour()).toBe(2);
  // A clock that was set back.
  clock.wall = startMs;
  await bot.importDocument(page("a", "other"), by("2"));
  expect(await hour()).toBe(2);
});
