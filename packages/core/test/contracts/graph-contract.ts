import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { optionalPart } from "../../../../test/support/optional-part.ts";
import { encodeQuery, encodeVector } from "../../src/index/vectors/codes.ts";
import { VectorRows } from "../../src/index/vectors/rows.ts";
import type { Graphs, NoGraphs, VectorGraph } from "../../src/index/vectors/vector-graph.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { clusteredVectors } from "../index/vectors/random-vectors.ts";
import { byBruteForce, nearestByGraph } from "../support/nearest.ts";

/** A graph backend that is to keep the obligations of the port. */
export interface TestedBackend {
  open(given: { readonly temporaryDirectory: string | undefined }): Promise<Graphs<VectorRows> | NoGraphs>;
}

const BYTES_MAX = 4_294_967_295;
const DIMENSIONS = 8;
const vectors = clusteredVectors(400, DIMENSIONS, 5);
const queries = clusteredVectors(20, DIMENSIONS, 6).map(encodeQuery);
const [firstQuery = encodeQuery(new Float32Array(DIMENSIONS))] = queries;

/**
 * The contract suite of the graph port: what every backend must keep. Resolves when the tests are registered, so a test file awaits it. Where the
 * backend cannot be used, its tests are skipped by a name that says why.
 */
export async function graphContract(name: string, backend: TestedBackend): Promise<void> {
  const tried = await backend.open({ temporaryDirectory: join(tmpdir(), "loredex-graph-contract") });
  const missing = "missing" in tried ? `${tried.missing.why}. To mend it: ${tried.missing.mend}` : undefined;
  const part = optionalPart(`the graph backend ${name}`, missing);

  describe.skipIf(part.isMissing)(part.named(`the graph backend ${name}`), () => {
    let directory: string;
    let graphs: Graphs<VectorRows>;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "loredex-graph-contract-"));
      graphs = await opened(backend, directory);
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    searchLaws(() => graphs);
    changeLaws(() => graphs);
    savingLaws(() => graphs);
    loadingLaws(() => graphs);

    it("keeps graphs only where it is given a place for temporary files", async () => {
      expect(graphs.areKept).toBe(true);
      expect((await opened(backend, undefined)).areKept).toBe(false);
    });
  });
}

async function opened(backend: TestedBackend, temporaryDirectory: string | undefined): Promise<Graphs<VectorRows>> {
  const graphs = await backend.open({ temporaryDirectory });
  return "missing" in graphs ? expect.fail(graphs.missing.why) : graphs;
}

type Backend = () => Graphs<VectorRows>;

/** What a search offers, after any changes. */
function searchLaws(graphs: Backend): void {
  const codesUpTo = (max: number): fc.Arbitrary<Int8Array> =>
    fc
      .array(fc.integer({ min: -max, max }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
      .map((all) => Int8Array.from(all));
  /** Every other vector is so coarse that many are equally near. */
  const codes = fc.oneof(codesUpTo(127), codesUpTo(1));
  const change = fc.record({ key: fc.nat(40), codes: fc.option(codes, { nil: undefined, freq: 4 }) });
  const changes = fc.array(change, { maxLength: 100, size: "max" });
  // A graph takes megabytes and milliseconds to set up, however small it is.
  const numRuns = lawRuns(30);

  it("knows what it has, and offers only that, each once, with exact cosines, tidied or not", () => {
    fc.assert(
      fc.property(changes, codes, fc.integer({ min: 0, max: 45 }), fc.boolean(), (list, of, k, isTidied) => {
        const { rows, graph } = emptyGraph(graphs());
        const keys = new Set<number>();
        for (const { key, codes: vector } of list) {
          if (vector === undefined) {
            rows.delete(key);
            expect(graph.forget(key)).toBe(keys.delete(key));
          } else {
            rows.set(key, vector);
            graph.insert(key);
            keys.add(key);
          }
        }
        while (isTidied && graph.isUntidy) graph.tidy();
        expect(graph.count).toBe(keys.size);
        for (let key = 0; key <= 41; key++) expect(graph.has(key)).toBe(keys.has(key));
        const query = encodeQuery(Float32Array.from(of));
        const offered: { key: number; cosine: number }[] = [];
        graph.search(query, k, (key, cosine) => void offered.push({ key, cosine }));
        const found = new Set(offered.map(({ key }) => key));
        expect(found.size).toBe(offered.length);
        const exact = byBruteForce(rows, keys, query);
        const near = nearestByGraph(graph, query, k);
        const foundByRank = new Set(near.map(({ key }) => key));
        expect(near).toEqual(exact.filter(({ key }) => foundByRank.has(key)));
        expect(near.length).toBeLessThanOrEqual(k);
        for (const { key, cosine } of offered) expect(cosine).toBe(rows.cosine(query, key));
        graph.close();
      }),
      { numRuns },
    );
  });

  it("finds nearly all of the nearest among many, also after a third was replaced and a third deleted", () => {
    const all = clusteredVectors(1_500, 24, 1).map(encodeVector);
    for (const isTidied of [false, true]) {
      const { rows, graph } = emptyGraph(graphs(), 24);
      const set = (key: number, from: number): void => {
        rows.set(key, all[from] ?? new Int8Array(24));
        graph.insert(key);
      };
      for (let key = 0; key < 1_500; key++) set(key, key);
      for (let key = 0; key < 500; key++) set(key, 1_499 - key);
      for (let key = 500; key < 1_000; key++) {
        rows.delete(key);
        graph.forget(key);
      }
      while (isTidied && graph.isUntidy) graph.tidy();
      let found = 0;
      for (const query of clusteredVectors(50, 24, 2).map(encodeQuery)) {
        const near = new Set(nearestByGraph(graph, query, 10).map(({ key }) => key));
        const exact = byBruteForce(rows, new Array(rows.end).keys(), query).slice(0, 10);
        found += exact.filter(({ key }) => near.has(key)).length;
      }
      expect(found).toBeGreaterThanOrEqual(480);
      graph.close();
    }
  });

  it("offers about all there is where more is asked for, and nothing while it is empty", () => {
    const { rows, graph } = filledGraph(graphs(), vectors.slice(0, 300));
    expect(nearestByGraph(graph, firstQuery, 1_000_000).length).toBeGreaterThanOrEqual(290);
    for (let key = 0; key < 300; key++) {
      rows.delete(key);
      graph.forget(key);
    }
    expect([graph.count, nearestByGraph(graph, firstQuery, 3)]).toEqual([0, []]);
    rows.set(7, Int8Array.of(0, 1, 0, 0, 0, 0, 0, 0));
    graph.insert(7);
    const query = encodeQuery(Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0));
    expect(nearestByGraph(graph, query, 3)).toEqual([{ key: 7, cosine: 1 }]);
    expect(nearestByGraph(emptyGraph(graphs()).graph, query, 3)).toEqual([]);
  });

  it("finds the same after the same insertions", () => {
    const [one, other] = [filledGraph(graphs(), vectors), filledGraph(graphs(), vectors)];
    for (const query of queries) {
      expect(nearestByGraph(one.graph, query, 20)).toEqual(nearestByGraph(other.graph, query, 20));
    }
  });

  it("asks for more effort the more are asked for, and for one at least", () => {
    const { effort } = graphs();
    expect([effort(1) >= 1, effort(10_000) >= effort(100), effort(100) >= effort(1)]).toEqual([true, true, true]);
  });
}

/** Rows that change before the graph is told, moves, memory and the end. */
function changeLaws(graphs: Backend): void {
  it("does not offer keys whose rows were deleted or hidden before it was told", () => {
    const { rows, graph } = filledGraph(graphs(), vectors);
    rows.hide(0, 100);
    for (let key = 100; key < 200; key++) rows.delete(key);
    for (const query of queries) {
      const near = nearestByGraph(graph, query, 300);
      expect(near.every(({ key }) => key >= 200)).toBe(true);
      // Of 300 that are found, 200 may be deleted ones.
      expect(near.length).toBeGreaterThan(95);
    }
  });

  it("does not offer a deleted key though vectors equal to its are left", () => {
    const [one = new Float32Array(DIMENSIONS)] = vectors;
    const { rows, graph } = filledGraph(graphs(), [...vectors, one, one, one]);
    const copies = [0, 400, 401, 402];
    const query = encodeQuery(one);
    expect(nearestByGraph(graph, query, 4).map(({ key }) => key)).toEqual(copies);
    rows.delete(0);
    rows.hide(401, 402);
    const near = nearestByGraph(graph, query, 10).map(({ key }) => key);
    expect(near.filter((key) => copies.includes(key))).toEqual([400, 402]);
  });

  it("takes a key without a row, and then lacks it", () => {
    const { rows, graph } = filledGraph(graphs(), vectors.slice(0, 10));
    graph.insert(10);
    rows.delete(3);
    graph.insert(3);
    expect([graph.count, graph.has(3), graph.has(10)]).toEqual([9, false, false]);
  });

  it("follows a row to another key", () => {
    const { rows, graph } = filledGraph(graphs(), vectors.slice(0, 50));
    rows.delete(4);
    graph.forget(4);
    const before = nearestByGraph(graph, firstQuery, 50);
    rows.move(49, 4);
    graph.move(49, 4);
    expect([graph.count, graph.has(4), graph.has(49)]).toEqual([49, true, false]);
    const moved = before.map(({ key, cosine }) => ({ key: key === 49 ? 4 : key, cosine }));
    expect(nearestByGraph(graph, firstQuery, 50)).toEqual(moved.sort((a, b) => b.cosine - a.cosine || a.key - b.key));
  });

  it("tells its memory, and frees it when it is closed, which may be done twice", () => {
    const { graph } = filledGraph(graphs(), vectors);
    expect(graph.graphBytes).toBeGreaterThan(vectors.length * 4);
    graph.close();
    graph.close();
    expect([graph.count, graph.graphBytes, nearestByGraph(graph, firstQuery, 3)]).toEqual([0, 0, []]);
    expect(() => graph.insert(0)).toThrow("closed");
  });
}

/** What may be done while bytes are made. */
function savingLaws(graphs: Backend): void {
  it("lets searches and deletions pass while it is saved, and takes nothing", async () => {
    const { rows, graph } = filledGraph(graphs(), vectors);
    const saving = graph.save(BYTES_MAX);
    expect(() => graph.insert(0)).toThrow("saved");
    rows.delete(5);
    graph.forget(5);
    for (const query of queries) expect(nearestByGraph(graph, query, 20).every(({ key }) => key !== 5)).toBe(true);
    const bytes = await saving;
    graph.insert(0);
    expect(graph.count).toBe(399);
    expect((await loaded(graphs(), rows, bytes)).count).toBe(399);
  });

  it("finds as many while it is saved and afterwards, though the nearest are deleted meanwhile", async () => {
    const { rows, graph } = filledGraph(graphs(), vectors);
    const saving = graph.save(BYTES_MAX);
    for (const { key } of nearestByGraph(graph, firstQuery, 200)) {
      rows.delete(key);
      graph.forget(key);
    }
    expect(nearestByGraph(graph, firstQuery, 10)).toHaveLength(10);
    await saving;
    expect(nearestByGraph(graph, firstQuery, 10)).toHaveLength(10);
  });

  it("is not saved where it is too large, and serves on", async () => {
    const { graph } = filledGraph(graphs(), vectors);
    const { length } = await graph.save(BYTES_MAX);
    expect(await graph.save(length)).toHaveLength(length);
    await expect(graph.save(length - 1)).rejects.toThrow("every start builds it again");
    await expect(graph.save(100)).rejects.toThrow("every start builds it again");
    expect(nearestByGraph(graph, firstQuery, 3)).toHaveLength(3);
  });

  it("can be closed while it is saved", async () => {
    const { graph } = filledGraph(graphs(), vectors);
    const saving = graph.save(BYTES_MAX);
    graph.close();
    expect(nearestByGraph(graph, firstQuery, 3)).toEqual([]);
    expect((await saving).length).toBeGreaterThan(0);
    expect([graph.count, graph.graphBytes]).toEqual([0, 0]);
  });
}

/** What becomes of saved bytes. */
function loadingLaws(graphs: Backend): void {
  it("finds the same after it was loaded, and nothing before it is matched", async () => {
    const { rows, graph } = filledGraph(graphs(), vectors);
    const kept = (await graphs().load(rows, await graph.save(BYTES_MAX))) ?? expect.fail("not loaded");
    expect([kept.count, nearestByGraph(kept, firstQuery, 3)]).toEqual([0, []]);
    expect(finished(kept.match())).toBe(true);
    expect(kept.count).toBe(400);
    for (const query of queries) expect(nearestByGraph(kept, query, 10)).toEqual(nearestByGraph(graph, query, 10));
  });

  it("finds its vectors under the keys that they have now, forgets deleted ones, and lacks new ones", async () => {
    const { graph } = filledGraph(graphs(), vectors.slice(0, 300));
    for (let key = 0; key < 20; key++) graph.forget(key);
    // 0 to 19 are deleted from the graph, 20 to 49 from the rows. The rest have other keys, in another order.
    const rows = rowsOf([...vectors.slice(50, 300).reverse(), ...vectors.slice(0, 20)]);
    const kept = await loaded(graphs(), rows, await graph.save(BYTES_MAX));
    expect([kept.count, kept.has(0), kept.has(249), kept.has(250)]).toEqual([250, true, true, false]);
    for (const query of queries) {
      const near = nearestByGraph(kept, query, 10);
      expect(near).toHaveLength(10);
      for (const { key, cosine } of near) expect([key < 250, cosine]).toEqual([true, rows.cosine(query, key)]);
    }
    for (let key = 0; key < rows.end; key++) kept.insert(key);
    expect(kept.count).toBe(270);
  });

  it("gives each of several equal vectors a key of its own", async () => {
    const same = [...vectors.slice(0, 5), ...vectors.slice(0, 5), ...vectors.slice(0, 5)];
    const bytes = await filledGraph(graphs(), same).graph.save(BYTES_MAX);
    expect((await loaded(graphs(), rowsOf(same.slice(0, 12)), bytes)).count).toBe(12);
  });

  it("is matched in time slices, and again if a row changes meanwhile", async () => {
    const { rows, graph } = filledGraph(graphs(), clusteredVectors(2_100, DIMENSIONS, 7));
    const kept = (await graphs().load(rows, await graph.save(BYTES_MAX))) ?? expect.fail("not loaded");
    const matching = kept.match();
    for (let slice = 0; slice < 3; slice++) expect(matching.next().done).toBe(false);
    rows.delete(7);
    expect([finished(matching), kept.count]).toEqual([false, 0]);
    expect([finished(kept.match()), kept.count]).toEqual([true, 2_099]);
  });

  it("refuses bytes with any bit flipped or any byte missing, of other vectors, and of no graph", async () => {
    const { rows, graph } = filledGraph(graphs(), vectors.slice(0, 40));
    const bytes = await graph.save(BYTES_MAX);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), fc.nat(bytes.length - 1), async (bit, length) => {
        const damaged = bytes.slice();
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await graphs().load(rows, damaged)).toBeUndefined();
        expect(await graphs().load(rows, bytes.subarray(0, length))).toBeUndefined();
      }),
      { numRuns: lawRuns(60) },
    );
    expect(await graphs().load(new VectorRows(DIMENSIONS + 1), bytes)).toBeUndefined();
    expect(await graphs().load(rows, new Uint8Array(5_000).fill(7))).toBeUndefined();
  });
}

interface Filled {
  readonly rows: VectorRows;
  readonly graph: VectorGraph;
}

function emptyGraph(graphs: Graphs<VectorRows>, dimensions = DIMENSIONS): Filled {
  const rows = new VectorRows(dimensions);
  return { rows, graph: graphs.empty(rows, 10) };
}

function filledGraph(graphs: Graphs<VectorRows>, all: readonly Float32Array[]): Filled {
  const rows = rowsOf(all);
  const graph = graphs.empty(rows, all.length);
  for (let key = 0; key < rows.end; key++) graph.insert(key);
  return { rows, graph };
}

function rowsOf(all: readonly Float32Array[]): VectorRows {
  const rows = new VectorRows(DIMENSIONS);
  for (const [key, vector] of all.entries()) rows.set(key, encodeVector(vector));
  return rows;
}

async function loaded(graphs: Graphs<VectorRows>, rows: VectorRows, bytes: Uint8Array): Promise<VectorGraph> {
  const graph = (await graphs.load(rows, bytes)) ?? expect.fail("not loaded");
  expect(finished(graph.match())).toBe(true);
  return graph;
}
