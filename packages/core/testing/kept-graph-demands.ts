import { strict as assert } from "node:assert";
import { VectorRows } from "../src/index/vectors/rows.ts";
import { finished } from "../src/scheduling/time-slices.ts";
import type { Demands } from "./contract.ts";
import {
  BYTES_MAX,
  DIMENSIONS,
  drawnUpTo,
  FIRST_QUERY,
  filledGraph,
  type GivenBackend,
  loadedGraph,
  matchedGraph,
  onGraphs,
  openedGraphs,
  QUERIES,
  rowsOf,
  VECTORS,
  withDrawn,
} from "./told-graphs.ts";
import { clusteredVectors, nearestByGraph } from "./told-vectors.ts";

/** Calls while a graph is saved. */
export const SAVING_DEMANDS: Demands<GivenBackend> = {
  "graphs are kept only where there is a place for temporary files": async ({ backend, newDirectory }) => {
    assert.equal((await openedGraphs(backend, await newDirectory())).areKept, true);
    assert.equal((await openedGraphs(backend, undefined)).areKept, false);
  },

  "a graph lets searches and deletions pass while it is saved, and takes nothing": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS);
      const saving = graph.save(BYTES_MAX);
      assert.throws(() => graph.insert(0), Error);
      rows.delete(5);
      graph.forget(5);
      for (const query of QUERIES) assert.ok(nearestByGraph(graph, query, 20).every(({ key }) => key !== 5));
      const bytes = await saving;
      graph.insert(0);
      assert.equal(graph.count, 399);
      assert.equal((await matchedGraph(graphs, rows, bytes)).count, 399);
    }),

  "a graph finds as many while it is saved and afterwards, though the nearest are deleted meanwhile": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS);
      const saving = graph.save(BYTES_MAX);
      for (const { key } of nearestByGraph(graph, FIRST_QUERY, 200)) {
        rows.delete(key);
        graph.forget(key);
      }
      assert.equal(nearestByGraph(graph, FIRST_QUERY, 10).length, 10);
      await saving;
      assert.equal(nearestByGraph(graph, FIRST_QUERY, 10).length, 10);
    }),

  "a graph is not saved where it is too large, and still finds": (given) =>
    onGraphs(given, async (graphs) => {
      const { graph } = filledGraph(graphs, VECTORS);
      const { length } = await graph.save(BYTES_MAX);
      assert.equal((await graph.save(length)).length, length);
      await assert.rejects(graph.save(length - 1), Error);
      await assert.rejects(graph.save(100), Error);
      assert.equal(nearestByGraph(graph, FIRST_QUERY, 3).length, 3);
    }),

  "a graph can be closed while it is saved": (given) =>
    onGraphs(given, async (graphs) => {
      const { graph } = filledGraph(graphs, VECTORS);
      const saving = graph.save(BYTES_MAX);
      graph.close();
      assert.deepEqual(nearestByGraph(graph, FIRST_QUERY, 3), []);
      assert.ok((await saving).length > 0);
      assert.deepEqual([graph.count, graph.graphBytes], [0, 0]);
    }),
};

/** Graphs from saved bytes. */
export const LOADING_DEMANDS: Demands<GivenBackend> = {
  "a loaded graph finds the same, and nothing before it is matched": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS);
      const kept = await loadedGraph(graphs, rows, await graph.save(BYTES_MAX));
      assert.deepEqual([kept.count, nearestByGraph(kept, FIRST_QUERY, 3)], [0, []]);
      assert.equal(finished(kept.match()), true);
      assert.equal(kept.count, 400);
      for (const query of QUERIES) assert.deepEqual(nearestByGraph(kept, query, 10), nearestByGraph(graph, query, 10));
    }),

  "a loaded graph finds its vectors under the keys that they have now, forgets deleted ones, and lacks new ones": (
    given,
  ) =>
    onGraphs(given, async (graphs) => {
      const { graph } = filledGraph(graphs, VECTORS.slice(0, 300));
      for (let key = 0; key < 20; key += 1) graph.forget(key);
      // 0 to 19 are deleted from the graph, 20 to 49 from the rows. The rest have other keys, in another order.
      const rows = rowsOf([...VECTORS.slice(50, 300).reverse(), ...VECTORS.slice(0, 20)]);
      const kept = await matchedGraph(graphs, rows, await graph.save(BYTES_MAX));
      assert.deepEqual([kept.count, kept.has(0), kept.has(249), kept.has(250)], [250, true, true, false]);
      for (const query of QUERIES) {
        const near = nearestByGraph(kept, query, 10);
        assert.equal(near.length, 10);
        for (const { key, cosine } of near) assert.deepEqual([key < 250, cosine], [true, rows.cosine(query, key)]);
      }
      for (let key = 0; key < rows.end; key += 1) kept.insert(key);
      assert.equal(kept.count, 270);
    }),

  "a loaded graph gives each of several equal vectors a key of its own": (given) =>
    onGraphs(given, async (graphs) => {
      const same = [...VECTORS.slice(0, 5), ...VECTORS.slice(0, 5), ...VECTORS.slice(0, 5)];
      const bytes = await filledGraph(graphs, same).graph.save(BYTES_MAX);
      assert.equal((await matchedGraph(graphs, rowsOf(same.slice(0, 12)), bytes)).count, 12);
    }),

  "a loaded graph is matched in time slices, and again if a row changes meanwhile": (given) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, clusteredVectors(2_100, DIMENSIONS, 7));
      const kept = await loadedGraph(graphs, rows, await graph.save(BYTES_MAX));
      const matching = kept.match();
      for (let slice = 0; slice < 3; slice += 1) assert.equal(matching.next().done, false);
      rows.delete(7);
      assert.deepEqual([finished(matching), kept.count], [false, 0]);
      assert.deepEqual([finished(kept.match()), kept.count], [true, 2_099]);
    }),

  "graphs are not loaded from bytes with any bit flipped or any byte missing, of other vectors, or of no graph": (
    given,
  ) =>
    onGraphs(given, async (graphs) => {
      const { rows, graph } = filledGraph(graphs, VECTORS.slice(0, 40));
      const bytes = await graph.save(BYTES_MAX);
      await withDrawn({ ...given, runs: 2 * given.runs }, async (random) => {
        const damaged = bytes.slice();
        const bit = drawnUpTo(bytes.length * 8 - 1, random);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.equal(await graphs.load(rows, damaged), undefined);
        const length = drawnUpTo(bytes.length - 1, random);
        assert.equal(await graphs.load(rows, bytes.subarray(0, length)), undefined);
      });
      assert.equal(await graphs.load(new VectorRows(DIMENSIONS + 1), bytes), undefined);
      assert.equal(await graphs.load(rows, new Uint8Array(5_000).fill(7)), undefined);
    }),
};
