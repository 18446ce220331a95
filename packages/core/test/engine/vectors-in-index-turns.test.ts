import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { VectorsInIndex } from "../../src/background/embedding/vectors-in-index.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { emptyState } from "../../src/log/state.ts";
import { builderWithoutGraph } from "../support/without-graph.ts";

const SPACE = { id: "fake", version: "1", dimensions: 16 };

/** Every turn is over as soon as somebody looks at it. */
let ms = 0;
const clock = { wallMs: () => 0, monotonicMs: () => (ms += 100) };

/** Documents with so many sections each, of which the state has all vectors. */
function filled(documents: number, sections: number) {
  const index = new SearchIndex(new LanguageAnalyzer("multi"));
  const state = emptyState();
  for (let i = 0; i < documents; i++) {
    const id = `document ${i}`;
    const md = Array.from({ length: sections }, (_, n) => `# Section ${n}\n\nThing ${n} of ${i}.`).join("\n\n");
    index.replace({ id, type: "WEBPAGE", status: "active", metaData: {}, titles: [id], content: [{ md }] }, 1);
    const codes = new Int8Array(index.windowsOf(id) * SPACE.dimensions).fill(1);
    state.vectors.set(id, { version: 1, space: SPACE, texts: EMBEDDED_TEXTS_VERSION, codes });
  }
  const graph = builderWithoutGraph(index, clock);
  return { index, state, vectors: new VectorsInIndex({ state, index, graph, clock }) };
}

it.each([
  ["documents", 200, 1],
  ["parts of one document", 1, 200],
])("others have their turn between any two %s whose vectors are taken over", async (_, documents, sections) => {
  const { index, vectors } = filled(documents, sections);
  let isFilled = false;
  const filling = vectors.fill(SPACE, undefined, true, new AbortController().signal).then(() => {
    isFilled = true;
  });
  let turns = 0;
  for (; !isFilled; turns++) await setImmediate();
  await filling;
  expect(turns).toBeGreaterThanOrEqual(200);
  expect(index.windowVectors.ownCount).toBe(index.windows.count);
  expect(index.windowVectors.rows?.count).toBe(index.windows.count);
});

it("what is written, or goes, while they are taken over, has its own vectors", async () => {
  const { index, state, vectors } = filled(40, 5);
  const filling = vectors.fill(SPACE, undefined, true, new AbortController().signal);
  for (let i = 0; i < 20; i++) await setImmediate();
  index.remove("document 0");
  index.remove("document 2");
  index.remove("document 39");
  // Another record has brought these.
  vectors.takeStored("document 3");
  vectors.takeStored("document 38");
  const known = state.vectors.get("document 38") ?? expect.fail("no vectors");
  index.replace(
    { id: "new", type: "WEBPAGE", status: "active", metaData: {}, titles: ["new"], content: [{ md: "New." }] },
    7,
  );
  state.vectors.set("new", {
    ...known,
    version: 7,
    codes: new Int8Array(index.windowsOf("new") * SPACE.dimensions).fill(2),
  });
  await filling;
  expect(index.windowVectors.ownCount).toBe(index.windows.count);
  expect(index.windowVectors.rows?.count).toBe(index.windows.count);
});

it("ends when they are not wanted any more", async () => {
  const { index, vectors } = filled(40, 5);
  const end = new AbortController();
  const filling = vectors.fill(SPACE, undefined, true, end.signal);
  for (let i = 0; i < 20; i++) await setImmediate();
  end.abort();
  await filling;
  expect(index.windowVectors.ownCount).toBeGreaterThan(0);
  expect(index.windowVectors.ownCount).toBeLessThan(index.windows.count / 2);
});
