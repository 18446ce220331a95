import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Engine, type EngineOptions } from "../../src/index.ts";
import { CAR, ICE, offer, QUESTION, titles } from "../support/embedded-bot.ts";
import type { FakeEmbedder } from "../support/fake-embedder.ts";

/** A directory, and how to start an engine on it. */
async function place(): Promise<(options?: EngineOptions) => Promise<{ engine: Engine; fakes: FakeEmbedder[] }>> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-restored-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return async (options = {}) => {
    const fakes: FakeEmbedder[] = [];
    const engine = await Engine.open({ directory, embedders: { fake: offer(fakes) }, ...options });
    onTestFinished(() => engine.close());
    return { engine, fakes };
  };
}

const LATER: EngineOptions = { background: false };

/** A bot with two articles, and a document without text, which never gets a vector. */
async function made(): Promise<Engine> {
  const { engine } = await (await place())(LATER);
  await engine.createBot({ name: "bot" });
  const bot = await engine.bot("bot");
  await bot.createArticle(CAR);
  await bot.createArticle(ICE);
  await bot.whenSearchable();
  return engine;
}

it.each([
  ["as the bot that it was", {}],
  ["under another name", { as: "copy" }],
])("a bot restored %s has its missing vectors made after the next start, though nobody asks for it", async (_, as) => {
  const start = await place();
  const first = await start({ ...LATER, embedders: {} });
  const { bot: info } = await first.engine.restore((await made()).backup("bot"), as);
  await first.engine.close();

  const second = await start();
  await expect.poll(() => second.fakes[0]?.passages.length).toBe(4);
  const bot = await second.engine.bot(info.id);
  await bot.whenUpgraded();
  expect(await titles(bot, QUESTION)).toEqual([CAR.title]);
  await second.engine.close();

  const third = await start();
  await third.engine.close();
  expect(third.fakes).toEqual([]);
});

it("a running engine makes them at once; one that does not know the embedder leaves them to one that does", async () => {
  const start = await place();
  const stranger = await start({ embedders: {} });
  await stranger.engine.restore((await made()).backup("bot"));
  expect(await titles(await stranger.engine.bot("bot"), "car")).toEqual([CAR.title]);
  await stranger.engine.close();
  const knowing = await start();
  await expect.poll(() => knowing.fakes[0]?.passages.length).toBe(4);
  await knowing.engine.restore((await made()).backup("bot"), { as: "copy" });
  await expect.poll(() => knowing.fakes[0]?.passages.length).toBe(8);
});

it("a bot restored with all its vectors is not opened by the next start, and one with nothing left to make only once", async () => {
  const engine = await made();
  const bot = await engine.bot("bot");
  await bot.whenUpgraded();
  const start = await place();
  const first = await start(LATER);
  await first.engine.restore(engine.backup("bot"));
  await bot.importDocument({ resourceDocId: "blank", type: "DOCUMENT", content: [{ md: " " }] });
  await bot.whenSearchable();
  const { bot: copy } = await first.engine.restore(engine.backup("bot"), { as: "copy" });
  await first.engine.close();

  const second = await start();
  await expect.poll(() => second.fakes.length).toBe(1);
  await (await second.engine.bot(copy.id)).whenUpgraded();
  await second.engine.close();
  expect(second.fakes[0]?.passages).toEqual([]);
  const third = await start();
  await third.engine.close();
  expect(third.fakes).toEqual([]);
});

it.each([
  ["as the bot that it was", {}],
  ["under another name", { as: "copy" }],
])("a bot restored %s with some vectors of a long document has the others made after the next start", async (_, as) => {
  const from = await place();
  const body = Array.from({ length: 40 }, (_, i) => `## Part ${i}\n\n${`Line ${i} of a long text. `.repeat(10)}`).join(
    "\n\n",
  );
  let calls = 0;
  // After the first call the embedder hangs.
  const onPassages = async (): Promise<void> => {
    if (calls++ > 0) await new Promise(() => undefined);
  };
  const { engine } = await from({ embedders: { fake: offer([], { onPassages }) } });
  await engine.createBot({ name: "bot" });
  await (await engine.bot("bot")).createArticle({ title: "Long", body });
  await expect.poll(() => calls).toBe(2);
  await engine.close();

  const start = await place();
  const first = await start(LATER);
  await first.engine.restore((await from({ ...LATER, embedders: {} })).engine.backup("bot"), as);
  await first.engine.close();
  expect(first.fakes).toEqual([]);

  const second = await start();
  await expect.poll(() => second.fakes[0]?.passages.length).toBeGreaterThan(0);
  expect(second.fakes[0]?.passages.join("\n")).not.toContain("Line 0 of");
});
