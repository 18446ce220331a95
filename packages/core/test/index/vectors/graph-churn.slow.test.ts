import { expect, it } from "vitest";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { clusteredVectors } from "../../../testing/told-vectors.ts";
import { nearestOf } from "../../support/nearest.ts";
import { IndexByGraph } from "./index-by-graph.ts";
import { renumber } from "./renumber.ts";

const DIMENSIONS = 32;
const LIVING = 5_000;
/** A fifth of all is replaced in a day. */
const DAILY = LIVING / 5;
const DAYS = 7;
const STILL = { wallMs: () => 0, monotonicMs: () => 0 };

it("a week of changes costs a graph over codes no recall and no memory", () => {
  const all = clusteredVectors(LIVING + DAYS * DAILY, DIMENSIONS, 31, 200).map(encodeVector);
  const queries = clusteredVectors(200, DIMENSIONS, 31, 200).map(encodeQuery);
  const vectors = new PassageVectors(DIMENSIONS, { graphs: hnswGraphs(true), graphVectorsMin: 100 });
  const rows = new PassageVectors(DIMENSIONS);
  const recall = (): number => {
    let [found, wanted] = [0, 0];
    for (const query of queries) {
      const tenth = nearestOf(rows, query, 10).at(-1)?.cosine ?? 1;
      found += nearestOf(vectors, query, 10).filter(({ cosine }) => cosine >= tenth).length;
      wanted += 10;
    }
    return found / wanted;
  };
  let next = 0;
  let end = 0;
  const come = (): void => {
    const codes = all[next++] ?? new Int8Array(DIMENSIONS);
    vectors.set(end, codes);
    rows.set(end++, codes);
  };
  while (next < LIVING) come();
  vectors.work(Number.POSITIVE_INFINITY, STILL);
  const fresh = vectors.bytes - rows.bytes;
  expect(recall()).toBeGreaterThanOrEqual(0.985);
  for (let day = 1; day <= DAYS; day++) {
    for (let change = 0; change < DAILY; change++) {
      // Some go in runs, as the passages of a document do.
      const key = (change * 7_919 + Math.floor(change / 5) * 31) % LIVING;
      for (const one of [vectors, rows]) one.delete(key);
      come();
      if (change % 50 === 0) for (let step = 0; step < 40; step++) vectors.work(0, STILL);
    }
    vectors.work(Number.POSITIVE_INFINITY, STILL);
    expect(vectors.graph).toBe("ready");
    expect(recall(), `day ${day}`).toBeGreaterThanOrEqual(0.985);
    // As in a compaction, keys follow each other again.
    const kept = new Map<number, number>();
    for (let key = 0; key < end; key++) if (vectors.has(key)) kept.set(key, kept.size);
    for (const one of [vectors, rows]) renumber(one, end, (key) => kept.get(key));
    end = kept.size;
    expect(vectors.bytes - rows.bytes, `day ${day}`).toBeLessThanOrEqual(fresh * 1.25);
    expect(recall(), `day ${day}, compacted`).toBeGreaterThanOrEqual(0.985);
  }
});

it("the neighbourhood of each question is found after all vectors of topics as large as the candidates are replaced", () => {
  const [dimensions, count, topics, portion] = [48, 25_000, 170, 200];
  const all = clusteredVectors(count * 3 + topics * 2, dimensions, 17, topics).map(encodeVector);
  const questions = all.splice(0, topics * 2).map((codes) => encodeQuery(Float32Array.from(codes)));
  const index = new IndexByGraph(hnswGraphs(true), dimensions);
  const exact = new ExactScan(index.rows);
  const add = (i: number): void => index.set(i % count, all[i] ?? new Int8Array(dimensions));
  const check = (when: string): void => {
    const found = questions.map((query) => {
      const tenth = nearestOf(exact, query, 10).at(-1)?.cosine ?? 1;
      return index.nearest(query, 10).filter(({ cosine }) => cosine >= tenth).length;
    });
    expect(Math.min(...found), when).toBeGreaterThanOrEqual(5);
    expect(found.reduce((sum, of) => sum + of, 0) / questions.length, when).toBeGreaterThanOrEqual(9.85);
  };
  for (let i = 0; i < count; i++) add(i);
  index.tidy();
  check("at first");
  for (let round = 1; round <= 2; round++) {
    for (let from = round * count; from < (round + 1) * count; from += portion) {
      for (let i = from; i < from + portion; i++) index.delete(i % count);
      index.tidy();
      for (let i = from; i < from + portion; i++) add(i);
    }
    index.tidy();
    check(`replaced ${round} times`);
  }
});
