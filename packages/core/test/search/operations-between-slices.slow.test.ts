import { expect, it } from "vitest";
import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import { SLICE_OPERATIONS_MAX } from "../../src/model/limits.ts";
import { askCounted } from "./operations-between-slices.ts";

/** In short as well: the maximum is one of such a bot. */
const PASSAGES = 50_000;

it.each([
  { what: "whose vectors are scanned", options: {} },
  { what: "with a graph of its vectors", options: { graphs: hnswGraphs(true) } },
])(
  `a search of ${PASSAGES} passages $what does at most the maximum of operations between two yields`,
  async ({ options }) => {
    const { longest, all } = await askCounted(PASSAGES, options);
    expect(longest).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX);
    expect(all).toBeGreaterThan(15 * SLICE_OPERATIONS_MAX);
  },
);
