import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { EmbedderError, type EmbedderOffer } from "../../src/index.ts";
import { offer } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** An engine with an empty bot whose embedder opens so. */
async function started(open: NonNullable<EmbedderOffer["open"]>, quality: "best" | "fast" = "best") {
  const first = { languages: ["en"], open, static: async () => new FakeStatic() };
  const engine = await Engine.open({ storage: new KeptStorage(), embedders: { first, second: offer([]) } });
  await engine.createBot({ name: "bot", quality });
  return { engine, bot: await engine.bot("bot") };
}

const never = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

it("a bot is ready when its embedder is open, although nothing has needed it", async () => {
  const events: string[] = [];
  let go: () => void = () => expect.fail("it was not opened");
  const opening = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { engine, bot } = await started(async () => {
    events.push("asked for");
    await opening;
    events.push("open");
    return new FakeEmbedder();
  });
  const ready = bot.whenReady().then((readiness) => {
    events.push("ready");
    return readiness;
  });
  await expect.poll(() => events).toEqual(["asked for"]);
  go();
  expect(await ready).toEqual({});
  expect(events).toEqual(["asked for", "open", "ready"]);
  await engine.close();
});

it("a bot whose embedder cannot be opened is ready without it, and says so", async () => {
  const { engine, bot } = await started(() => {
    throw new EmbedderError("EMBEDDER_UNAVAILABLE", "it is away", { mend: "bring it" });
  });
  expect(await bot.whenReady()).toMatchObject({ missing: { name: "first", mend: "bring it", instead: "static" } });
  await engine.close();
});

it("a bot of fast quality, or without an embedder, is ready at once and opens none", async () => {
  let count = 0;
  const { engine, bot } = await started(async () => {
    count += 1;
    return new FakeEmbedder();
  }, "fast");
  expect(await bot.whenReady()).toEqual({});
  await engine.updateBot("bot", { quality: "best", embedder: "none" });
  expect(await bot.whenReady()).toEqual({});
  expect(count).toBe(0);
  await engine.close();
});

it.each([
  ["the engine from closing", (engine: Engine) => engine.close()],
  ["the bot from being removed", (engine: Engine) => engine.removeBot("bot")],
  ["the bot from getting another", (engine: Engine) => engine.updateBot("bot", { embedder: "second" })],
])("who waits for an embedder that never opens keeps not %s, and waits no longer", async (_, end) => {
  const { engine, bot } = await started(never);
  const ready = bot.whenReady();
  await end(engine);
  await ready;
  await engine.close();
});
