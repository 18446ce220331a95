import { expect, it } from "vitest";
import { STEP_OPERATIONS_MAX } from "../../src/domain/limits.ts";
import { codeGraphs } from "../../src/vector/code-graph.ts";
import { askCounted } from "./operations-between-turns.ts";

/** In short as well: the maximum is one of such a bot. */
const PASSAGES = 50_000;

it.each([
  { what: "whose vectors are scanned", options: {} },
  { what: "with a graph of its vectors", options: { graphs: codeGraphs(true) } },
])(`a search of ${PASSAGES} passages $what does at most so many operations between two yields`, async ({ options }) => {
  const { longest, all } = await askCounted(PASSAGES, options);
  expect(longest).toBeLessThanOrEqual(STEP_OPERATIONS_MAX);
  expect(all).toBeGreaterThan(20 * STEP_OPERATIONS_MAX);
});
