import { strict as assert } from "node:assert";
import { encodeQuery, encodeVector } from "../src/index/vectors/codes.ts";
import type { Graphs } from "../src/index/vectors/vector-graph.ts";
import type { Demands } from "./contract.ts";
import type { SeededRandom } from "./simulated-bytes.ts";
import {
  DIMENSIONS,
  drawnUpTo,
  emptyGraph,
  FIRST_QUERY,
  filledGraph,
  type GivenBackend,
  onGraphs,
  QUERIES,
  tidyUp,
  VECTORS,
  withDrawn,
} from "./told-graphs.ts";
import { byBruteForce, clusteredVectors, nearestByGraph } from "./told-vectors.ts";

/** A vector's codes. Every other vector is so coarse that many are equally near. */
function drawnCodes(random: SeededRandom): Int8Array {
  const max = random() < 0.5 ? 127 : 1;
  return Int8Array.from({ length: DIMENSIONS }, () => drawnUpTo(2 * max, random) - max);
}

/** Makes up to 100 drawn changes in a graph, and compares it with the rows after them. */
function requireHistory(graphs: Graphs, random: SeededRandom): void {
  const { rows, graph } = emptyGraph(graphs);
  const keys = new Set<number>();
  for (let left = drawnUpTo(100, random); left > 0; left -= 1) {
    const key = drawnUpTo(40, random);
    if (random() < 0.2) {
      rows.delete(key);
      assert.equal(graph.forget(key), keys.delete(key));
    } else {
      rows.set(key, drawnCodes(random));
      graph.insert(key);
      keys.add(key);
    }
  }
  if (random() < 0.5) tidyUp(graph);
  assert.equal(graph.count, keys.size);
  for (let key = 0; key <= 41; key += 1) assert.equal(graph.has(key), keys.has(key));
  const query = encodeQuery(Float32Array.from(drawnCodes(random)));
  const k = drawnUpTo(45, random);
  const offered: { key: number; cosine: number }[] = [];
  graph.search(query, k, (key, cosine) => void offered.push({ key, cosine }));
  assert.equal(new Set(offered.map(({ key }) => key)).size, offered.length, "a key is offered once");
  for (const { key, cosine } of offered) assert.equal(cosine, rows.cosine(query, key));
  const near = nearestByGraph(graph, query, k);
  const found = new Set(near.map(({ key }) => key));
  assert.deepEqual(
    near,
    byBruteForce(rows, keys, query).filter(({ key }) => found.has(key)),
  );
  assert.ok(near.length <= k);
  graph.close();
}

/** Replaces a third of 1,500 vectors, deletes a third, and counts how many of the 10 nearest of 50 queries are found. */
function requireRecall(graphs: Graphs, isTidied: boolean): void {
  const all = clusteredVectors(1_500, 24, 1).map(encodeVector);
  const { rows, graph } = emptyGraph(graphs, 24);
  const set = (key: number, from: number): void => {
    rows.set(key, all[from] ?? new Int8Array(24));
    graph.insert(key);
  };
  for (let key = 0; key < 1_500; key += 1) set(key, key);
  for (let key = 0; key < 500; key += 1) set(key, 1_499 - key);
  for (let key = 500; key < 1_000; key += 1) {
    rows.delete(key);
    graph.forget(key);
  }
  if (isTidied) tidyUp(graph);
  let found = 0;
  for (const query of clusteredVectors(50, 24, 2).map(encodeQuery)) {
    const near = new Set(nearestByGraph(graph, query, 10).map(({ key }) => key));
    const exact = byBruteForce(rows, new Array(rows.end).keys(), query).slice(0, 10);
    found += exact.filter(({ key }) => near.has(key)).length;
  }
  assert.ok(found >= 480, `${found} of 500 nearest vectors are found, and 480 are owed`);
  graph.close();
}

/** Searches, after any changes. */
export const SEARCH_DEMANDS: Demands<GivenBackend> = {
  "a graph knows its keys, and offers only them, each once, with exact cosines, tidied or not": (given) =>
    onGraphs(given, (graphs) => withDrawn(given, async (random) => requireHistory(graphs, random))),

  "a graph finds nearly all of the nearest among many, also after a third was replaced and a third deleted": (given) =>
    onGraphs(given, async (graphs) => {
      for (const isTidied of [false, true]) requireRecall(graphs, isTidied);
    }),

  "a graph offers nearly all that it has where more is asked for, and nothing while it is empty": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS.slice(0, 300));
      assert.ok(nearestByGraph(graph, FIRST_QUERY, 1_000_000).length >= 290);
      for (let key = 0; key < 300; key += 1) {
        rows.delete(key);
        graph.forget(key);
      }
      assert.deepEqual([graph.count, nearestByGraph(graph, FIRST_QUERY, 3)], [0, []]);
      rows.set(7, Int8Array.of(0, 1, 0, 0, 0, 0, 0, 0));
      graph.insert(7);
      const query = encodeQuery(Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0));
      assert.deepEqual(nearestByGraph(graph, query, 3), [{ key: 7, cosine: 1 }]);
      assert.deepEqual(nearestByGraph(emptyGraph(graphs).graph, query, 3), []);
    }),

  "a graph finds the same after the same insertions": (given) =>
    onGraphs(given, async (graphs) => {
      const [one, other] = [filledGraph(graphs, VECTORS), filledGraph(graphs, VECTORS)];
      for (const query of QUERIES)
        assert.deepEqual(nearestByGraph(one.graph, query, 20), nearestByGraph(other.graph, query, 20));
    }),

  "a search costs the more, the more neighbours are asked for, and 1 at least": (given) =>
    onGraphs(given, async ({ effort }) => {
      assert.ok(effort(1) >= 1 && effort(100) >= effort(1) && effort(10_000) >= effort(100));
    }),
};

/** Rows that change before the graph is told, moves, memory and the end. */
export const CHANGE_DEMANDS: Demands<GivenBackend> = {
  "a graph does not offer keys whose rows were deleted or hidden before it was told": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS);
      rows.hide(0, 100);
      for (let key = 100; key < 200; key += 1) rows.delete(key);
      for (const query of QUERIES) {
        const near = nearestByGraph(graph, query, 300);
        assert.ok(near.every(({ key }) => key >= 200));
        // Of 300 that are found, 200 may be deleted ones.
        assert.ok(near.length > 95);
      }
    }),

  "a graph does not offer a deleted key though vectors equal to its are left": (given) =>
    onGraphs(given, async (graphs) => {
      const [one = new Float32Array(DIMENSIONS)] = VECTORS;
      const { rows, graph } = filledGraph(graphs, [...VECTORS, one, one, one]);
      const copies = [0, 400, 401, 402];
      const keysOf = (k: number) => nearestByGraph(graph, encodeQuery(one), k).map(({ key }) => key);
      assert.deepEqual(keysOf(4), copies);
      rows.delete(0);
      rows.hide(401, 402);
      assert.deepEqual(
        keysOf(10).filter((key) => copies.includes(key)),
        [400, 402],
      );
    }),

  "a graph takes a key without a row, and then lacks it": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS.slice(0, 10));
      graph.insert(10);
      rows.delete(3);
      graph.insert(3);
      assert.deepEqual([graph.count, graph.has(3), graph.has(10)], [9, false, false]);
    }),

  "a graph follows a row to another key": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS.slice(0, 50));
      rows.delete(4);
      graph.forget(4);
      const before = nearestByGraph(graph, FIRST_QUERY, 50);
      rows.move(49, 4);
      graph.move(49, 4);
      assert.deepEqual([graph.count, graph.has(4), graph.has(49)], [49, true, false]);
      const moved = before.map(({ key, cosine }) => ({ key: key === 49 ? 4 : key, cosine }));
      moved.sort((a, b) => b.cosine - a.cosine || a.key - b.key);
      assert.deepEqual(nearestByGraph(graph, FIRST_QUERY, 50), moved);
    }),

  "a graph tells its memory, and frees it when it is closed, which may be done twice": (given) =>
    onGraphs(given, async (graphs) => {
      const { graph } = filledGraph(graphs, VECTORS);
      assert.ok(graph.graphBytes > VECTORS.length * 4);
      graph.close();
      graph.close();
      assert.deepEqual([graph.count, graph.graphBytes, nearestByGraph(graph, FIRST_QUERY, 3)], [0, 0, []]);
      assert.throws(() => graph.insert(0), Error);
    }),
};
