/** Graphs for the cases of a contract: made of told vectors, and closed at the end of their case. */

import { strict as assert } from "node:assert";
import { encodeQuery, encodeVector } from "../src/index/vectors/codes.ts";
import { VectorRows } from "../src/index/vectors/rows.ts";
import type { GraphBackend, Graphs, VectorGraph } from "../src/index/vectors/vector-graph.ts";
import { finished } from "../src/scheduling/time-slices.ts";
import { type SeededRandom, seededRandom } from "./simulated-bytes.ts";
import { clusteredVectors } from "./told-vectors.ts";

/** Below the largest saved graph in bytes. */
export const BYTES_MAX = 4_294_967_295;
export const DIMENSIONS = 8;
export const VECTORS: readonly Float32Array[] = clusteredVectors(400, DIMENSIONS, 5);
export const QUERIES = clusteredVectors(20, DIMENSIONS, 6).map(encodeQuery);
export const [FIRST_QUERY = encodeQuery(new Float32Array(DIMENSIONS))] = QUERIES;

/** The backend that a case is run on. */
export interface GivenBackend {
  readonly backend: GraphBackend;
  /** Makes an empty directory for temporary files. */
  readonly newDirectory: () => Promise<string>;
  /** How often a case with drawn numbers is run. */
  readonly runs: number;
  readonly seed: number;
}

export async function openedGraphs(backend: GraphBackend, temporaryDirectory: string | undefined): Promise<Graphs> {
  const graphs = await backend.open({ temporaryDirectory });
  return "missing" in graphs ? assert.fail(graphs.missing.why) : graphs;
}

/** Runs `work` on the backend, and closes all graphs that it made, also if it fails. */
export async function onGraphs(
  { backend, newDirectory }: GivenBackend,
  work: (graphs: Graphs) => Promise<void>,
): Promise<void> {
  const graphs = await openedGraphs(backend, await newDirectory());
  const made: VectorGraph[] = [];
  try {
    await work({
      areKept: graphs.areKept,
      effort: (k) => graphs.effort(k),
      empty: (rows, count) => {
        const graph = graphs.empty(rows, count);
        made.push(graph);
        return graph;
      },
      load: async (rows, bytes) => {
        const graph = await graphs.load(rows, bytes);
        if (graph !== undefined) made.push(graph);
        return graph;
      },
    });
  } finally {
    for (const graph of made) graph.close();
  }
}

/** Runs `work` several times, each with other drawn numbers. The error of a run names its seed. */
export async function withDrawn(
  { runs, seed }: GivenBackend,
  work: (random: SeededRandom) => Promise<void>,
): Promise<void> {
  for (let run = 0; run < runs; run += 1) {
    try {
      await work(seededRandom(seed + run));
    } catch (error) {
      if (error instanceof Error) error.message = `With the seed ${seed + run}: ${error.message}`;
      throw error;
    }
  }
}

/** An integer from 0 to `max`. */
export function drawnUpTo(max: number, random: SeededRandom): number {
  return Math.floor(random() * (max + 1));
}

export interface Filled {
  readonly rows: VectorRows;
  readonly graph: VectorGraph;
}

export function emptyGraph(graphs: Graphs, dimensions = DIMENSIONS): Filled {
  const rows = new VectorRows(dimensions);
  return { rows, graph: graphs.empty(rows, 10) };
}

export function filledGraph(graphs: Graphs, all: readonly Float32Array[]): Filled {
  const rows = rowsOf(all);
  const graph = graphs.empty(rows, all.length);
  for (let key = 0; key < rows.end; key += 1) graph.insert(key);
  return { rows, graph };
}

export function rowsOf(all: readonly Float32Array[]): VectorRows {
  const rows = new VectorRows(DIMENSIONS);
  for (const [key, vector] of all.entries()) rows.set(key, encodeVector(vector));
  return rows;
}

/** Tidies a graph to the end. */
export function tidyUp(graph: VectorGraph): void {
  for (let call = 0; graph.isUntidy; call += 1) {
    assert.ok(call < 100_000, "tidy was called 100,000 times, and something is still left to do");
    graph.tidy();
  }
}

/** A graph from saved bytes that is not matched yet. */
export async function loadedGraph(graphs: Graphs, rows: VectorRows, bytes: Uint8Array): Promise<VectorGraph> {
  return (await graphs.load(rows, bytes)) ?? assert.fail("the saved graph was not loaded");
}

export async function matchedGraph(graphs: Graphs, rows: VectorRows, bytes: Uint8Array): Promise<VectorGraph> {
  const graph = await loadedGraph(graphs, rows, bytes);
  assert.equal(finished(graph.match()), true);
  return graph;
}
