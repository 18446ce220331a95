import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { BotVectors, type BotVectorsParts } from "../../src/bot-vectors.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { emptyState } from "../../src/state.ts";
import { UnicodeAnalyzer } from "../../src/text/unicode.ts";
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
