import { expect, it } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { VectorsInIndex } from "../../src/background/embedding/vectors-in-index.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import { emptyState } from "../../src/log/state.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";
import { builderWithoutGraph } from "../support/without-graph.ts";

const SPACE = { id: "fake", version: "1", dimensions: 16 };
const VECTORS = 40;

/** The graph of some vectors is built, each of them in a slice of its own. Returns how long was slept meanwhile. */
async function sleepsOfBuilding(isQuiet: boolean): Promise<number[]> {
  const index = new SearchIndex(new LanguageAnalyzer("multi"));
  const state = emptyState();
  const random = seededRandom(7);
  for (let i = 0; i < VECTORS; i++) {
    const id = `document ${i}`;
    index.replace(
      { id, type: "WEBPAGE", status: "active", metaData: {}, titles: [], content: [{ md: `Thing ${i}.` }] },
      1,
    );
    const codes = Int8Array.from(random.bytes(SPACE.dimensions), (byte) => Math.max(-127, byte - 128));
    state.vectors.set(id, { version: 1, space: SPACE, texts: EMBEDDED_TEXTS_VERSION, codes });
  }
  const sleeps: number[] = [];
  let nowMs = 0;
  const clock = { wallMs: () => 0, monotonicMs: () => (nowMs += 100) };
  const graph = builderWithoutGraph(index, clock, {
    sleep: async (ms) => void sleeps.push(ms),
    searchSlices: { isQuiet },
    graphs: async () => hnswGraphs(false),
    graphVectorsMin: 10,
  });
  const vectors = new VectorsInIndex({ state, index, graph, clock });
  await vectors.fill(SPACE, undefined, true, new AbortController().signal);
  await graph.settled();
  expect(graph.status).toBe("ready");
  return sleeps.filter((slept) => slept > 0);
}

it("the graph is built without a pause where nobody asks", async () => {
  expect(await sleepsOfBuilding(true)).toEqual([]);
});

it("the graph leaves the process to others after each slice where somebody asks", async () => {
  expect((await sleepsOfBuilding(false)).length).toBeGreaterThanOrEqual(VECTORS - 1);
});

it("it is quiet a second after the last turn", async () => {
  const clock = new TestClock();
  const turns = TimeSlices.ofSearches(clock, async () => undefined);
  expect(turns.isQuiet).toBe(true);
  expect(turns.isOver).toBe(false);
  expect(turns.isQuiet).toBe(false);
  clock.advance(999);
  expect(turns.isQuiet).toBe(false);
  clock.advance(1);
  expect(turns.isQuiet).toBe(true);
});
