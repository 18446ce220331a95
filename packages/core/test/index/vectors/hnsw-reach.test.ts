import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import { clusteredVectors } from "../../../testing/told-vectors.ts";
import { KINDS_OF_GRAPHS } from "../../support/graph-kinds.ts";
import { nearestOf } from "../../support/nearest.ts";
import { IndexByGraph } from "./index-by-graph.ts";
import { reachedPoints } from "./reached-points.ts";

const DIMENSIONS = 32;
const QUESTIONS = 60;
/** As many candidates as a topic has vectors, as with the real ones and topics of some hundred. */
const FEW = { m: 6, detour: 1.2, efConstruction: 16, efSearch: 20 };

const HISTORIES = ["replaced", "replaced in the order of topics", "deleted and added"] as const;

interface Life {
  readonly history: (typeof HISTORIES)[number];
  readonly topics: number;
  readonly topicSize: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Vectors in topics come, and all or most of them are replaced a few times, some hundred at a time. Returns questions about the topics. */
function live(index: IndexByGraph, { history, topics, topicSize, rounds, seed }: Life): Float32Array[] {
  const count = topics * topicSize;
  const all = clusteredVectors(count * (rounds + 1) + QUESTIONS, DIMENSIONS, seed, topics);
  const questions = all.splice(0, QUESTIONS);
  let next = 0;
  const add = (key: number): void => index.set(key, encodeVector(all[next++] ?? new Float32Array(DIMENSIONS)));
  for (let key = 0; key < count; key++) add(key);
  index.tidy();
  // Steps that have no factor in common with the number visit all in an order of their own.
  const keyAt = (i: number): number => (history === "replaced" ? i : (i * 7_919) % count);
  const changed = history === "deleted and added" ? Math.floor(count * 0.9) : count;
  const portion = history === "deleted and added" ? changed : 80;
  for (let round = 0; round < rounds; round++) {
    for (let from = 0; from < changed; from += portion) {
      const end = Math.min(changed, from + portion);
      for (let i = from; i < end; i++) index.delete(keyAt(i));
      index.tidy();
      for (let i = from; i < end; i++) add(keyAt(i));
    }
    index.tidy();
  }
  return questions;
}

/** For each question how many of its ten nearest are found. */
function found(index: IndexByGraph, questions: readonly Float32Array[]): number[] {
  const exact = new ExactScan(index.rows);
  return questions.map((question) => {
    const query = encodeQuery(question);
    const tenth = nearestOf(exact, query, 10).at(-1)?.cosine ?? 1;
    return index.nearest(query, 10).filter(({ cosine }) => cosine >= tenth).length;
  });
}

const life = fc.record<Life>({
  history: fc.constantFrom(...HISTORIES),
  topics: fc.integer({ min: 15, max: 40 }),
  topicSize: fc.integer({ min: 14, max: 40 }),
  rounds: fc.integer({ min: 1, max: 2 }),
  seed: fc.nat(1_000_000),
});

describe("a graph over codes with as many candidates as a topic has vectors", () => {
  it("lets walks come to every point of every layer once it is tidy, whatever came and went", async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        const index = new IndexByGraph(hnswGraphs(true, FEW), DIMENSIONS);
        live(index, one);
        // So many that it has to be tidied once more.
        for (let key = 0; key < 70; key++) index.delete(key);
        index.tidy();
        for (const { reached, living } of await reachedPoints(index.graph, index.rows, FEW)) {
          expect(reached).toBe(living);
        }
      }),
      { numRuns: lawRuns(40) },
    );
  });
});

const KINDS = [
  { name: "over codes, with few candidates", isHere: true, graphs: () => hnswGraphs(true, FEW) },
  ...KINDS_OF_GRAPHS.filter(({ hasTombstones }) => hasTombstones),
];

describe.each(KINDS)("a graph $name", ({ isHere, graphs }) => {
  it.runIf(isHere)("finds the neighbourhood of every question after nearly all was replaced", () => {
    for (const history of HISTORIES) {
      const index = new IndexByGraph(graphs(), DIMENSIONS);
      const each = found(index, live(index, { history, topics: 30, topicSize: 20, rounds: 2, seed: 3 }));
      expect(Math.min(...each), history).toBeGreaterThanOrEqual(5);
      expect(each.reduce((sum, count) => sum + count, 0) / each.length, history).toBeGreaterThanOrEqual(9);
      index.graph.close();
    }
  });
});
