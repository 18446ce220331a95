import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { emptyState } from "../../src/state/state.ts";
import { UnicodeAnalyzer } from "../../src/text/unicode.ts";
import { BotVectors, type BotVectorsParts } from "../../src/upkeep/bot-vectors.ts";
import { TestClock } from "../support/test-clock.ts";

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

function vectorsWith(saved: BotVectorsParts["saved"]): BotVectors {
  return new BotVectors({
    saved,
    clock: new TestClock(),
    logger: () => undefined,
    sleep: async () => undefined,
    graphs: async () => ({ unavailable: "not here" }),
    graphVectorsMin: 10,
    background: false,
    botId: "bot",
    state: emptyState(),
    index: new SearchIndex(new UnicodeAnalyzer()),
    newest: () => undefined,
    append: async () => undefined,
    cache: { read: async () => undefined, write: async () => undefined },
    onUnfinished: () => undefined,
  });
}

it("the vectors of a snapshot are let go as soon as the index has got them", async () => {
  let saved: BotVectorsParts["saved"] | undefined = new Map([
    ["id", { version: 1, first: 0, by: "a student", codes: new Int8Array(1_000) }],
  ]);
  const kept = new WeakRef(saved);
  const vectors = vectorsWith(saved);
  saved = undefined;
  await vectors.use(undefined);
  // A reference that was looked at lives to the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(kept.deref()).toBeUndefined();
  await vectors.close();
});

it("a bot that was removed is let go, though its embedder is still waited for", async () => {
  const away = (): Promise<never> => Promise.reject(new Error("The model server is away."));
  const engine = await Engine.open({ embedders: { fake: { languages: ["en"], open: away } } });
  const removed = async (): Promise<WeakRef<object>> => {
    await engine.createBot({ name: "bot" });
    const bot = await engine.bot("bot");
    await bot.createArticle({ title: "The shop", body: "You can buy a car here." });
    await bot.whenUpgraded();
    await engine.removeBot("bot");
    return new WeakRef(bot);
  };
  const kept = await removed();
  await expect
    .poll(() => {
      collectGarbage();
      return kept.deref() === undefined;
    })
    .toBe(true);
  await engine.close();
});
