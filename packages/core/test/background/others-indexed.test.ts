import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { Indexer } from "../../src/background/indexer.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { apply } from "../../src/log/apply.ts";
import { emptyState } from "../../src/log/state.ts";
import { TestClock } from "../support/test-clock.ts";
import { UNREAD_LANGUAGES } from "../support/unread-languages.ts";
import { vectorsOfABot } from "../support/vectors-of-a-bot.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const ARTICLE = "0".repeat(24);

/** An article of another node that waits to be indexed, on a machine where the first `early` sleeps end at once. */
function begun(early: number) {
  const [state, index, clock] = [emptyState(), new SearchIndex(analyzer), new TestClock()];
  const slept: number[] = [];
  const indexing = new Indexer({
    info: () => ({ id: "bot", language: "multi" }),
    written: UNREAD_LANGUAGES,
    background: false,
    state,
    index,
    vectors: vectorsOfABot({ state, index, clock }).vectors,
    clock,
    logger: (event) => expect.fail(JSON.stringify(event)),
    sleep: async (ms, signal) => {
      slept.push(ms);
      while (slept.length > early && signal?.aborted === false) await setImmediate();
    },
    onReindexed: () => undefined,
  });
  const fields = { title: "Plums", body: "A plum.", metadata: {}, activeOn: [] };
  const article = { id: ARTICLE, ...fields, createdAtMs: 1, updatedAtMs: 1, characterCount: 12 };
  indexing.onApplied(apply(state, { kind: "articlePut", article, charge: { characters: 12, atMs: 1 } }, 1));
  indexing.onOthersArticle(ARTICLE);
  return { indexing, index, slept };
}

it("finds an article of another node although its process was stopped while it waited for it", async () => {
  const { indexing, index } = begun(1);
  await indexing.whenOthersIndexed();
  expect(index.versionOf(ARTICLE)).toBeDefined();
});

it("waits for an article of another node at most a second", async () => {
  const { indexing, slept } = begun(Number.POSITIVE_INFINITY);
  await indexing.whenOthersIndexed();
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(1_000);
});
