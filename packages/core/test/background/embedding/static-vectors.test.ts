import { expect, it } from "vitest";
import { LanguageAnalyzer } from "../../../src/analysis/language-analyzer.ts";
import { StaticVectors, VectorsInIndex } from "../../../src/background/embedding/vectors-in-index.ts";
import { CarefulStaticEmbedder } from "../../../src/embedding/careful-static.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import { encodeVector } from "../../../src/index/vectors/codes.ts";
import { emptyState } from "../../../src/log/state.ts";
import { FakeStatic } from "../../support/fake-static.ts";
import { TestClock } from "../../support/test-clock.ts";
import { builderWithoutGraph } from "../../support/without-graph.ts";

it("a window whose vector was lost gets that of its own text, where only the saved vectors of later windows are left", async () => {
  const [index, state, clock] = [new SearchIndex(new LanguageAnalyzer("multi")), emptyState(), new TestClock()];
  const document = {
    id: "a",
    type: "WEBPAGE",
    status: "active",
    metaData: {},
    titles: ["Dogs"],
    content: [{ md: "A car." }],
  } as const;
  index.replace(document, 1);
  const graph = builderWithoutGraph(index, clock);
  const fake = new FakeStatic();
  const embedder = new CarefulStaticEmbedder(fake, (reason) => expect.fail(reason));
  const indexed = () => ({ version: 1, document, windows: index.windowsOf("a"), vectors: undefined });
  let saved = new Map();
  const first = new StaticVectors(embedder, { index, clock, graph, indexed, saved: () => saved });
  const codes = new Int8Array((index.windowsOf("a") - 1) * first.space.dimensions).fill(1);
  saved = new Map([["a", { version: 1, first: 1, by: first.by, codes }]]);
  await new VectorsInIndex({ state, index, graph, clock }).fill(first.space, first, true, new AbortController().signal);
  expect(fake.texts).toHaveLength(index.windowsOf("a"));
  expect(fake.texts).not.toContain("");
  const window = index.documents.find("a")?.firstWindow ?? expect.fail("It is not indexed.");
  expect(index.windowVectors.rows?.rowOf(window)).toEqual(encodeVector(fake.embed(fake.texts[0] ?? "")));
});
