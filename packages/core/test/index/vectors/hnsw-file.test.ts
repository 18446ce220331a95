import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { fillHeader, headerBytes } from "../../../../hnswlib/src/graph-bytes.ts";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { HnswGraph } from "../../../src/index/vectors/hnsw.ts";
import type { VectorRows } from "../../../src/index/vectors/rows.ts";
import { GRAPH_BYTES_MAX } from "../../../src/model/limits.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { DIMENSIONS, rowsOf } from "../../../testing/told-graphs.ts";
import { clusteredVectors, nearestByGraph as nearest } from "../../../testing/told-vectors.ts";
import { nearestOf } from "../../support/nearest.ts";

const all = clusteredVectors(600, DIMENSIONS, 5);
const queries = clusteredVectors(20, DIMENSIONS, 6).map(encodeQuery);
const CRC_AT = 12;
const HASHES_AT = 48;

function graphOf(rows: VectorRows): HnswGraph {
  const graph = new HnswGraph(rows);
  for (let key = 0; key < rows.end; key++) graph.insert(key);
  return graph;
}

async function loaded(rows: VectorRows, bytes: Uint8Array): Promise<HnswGraph> {
  const graph = (await HnswGraph.load(rows, bytes)) ?? expect.fail("not loaded");
  expect(finished(graph.match())).toBe(true);
  return graph;
}

/** The bytes with a checksum that fits them. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(CRC_AT, crc32(bytes.subarray(16)), true);
  return bytes;
}

describe("a saved graph of links", () => {
  it("finds the same after it was loaded, and goes on in the same way", async () => {
    const rows = rowsOf(all.slice(0, 500));
    const live = graphOf(rows);
    for (let key = 0; key < 500; key += 4) {
      rows.delete(key);
      live.forget(key);
    }
    live.tidy();
    const kept = await loaded(rows, await live.save(GRAPH_BYTES_MAX));
    expect(kept.count).toBe(live.count);
    for (const query of queries) expect(nearest(kept, query, 30)).toEqual(nearest(live, query, 30));
    for (const graph of [live, kept]) while (graph.isUntidy) graph.tidy();
    for (const query of queries) expect(nearest(kept, query, 30)).toEqual(nearest(live, query, 30));
    for (let key = 0; key < 100; key++) {
      rows.set(key, encodeVector(all[500 + key] ?? new Float32Array(DIMENSIONS)));
      kept.insert(key);
    }
    const exact = new ExactScan(rows);
    let found = 0;
    for (const query of queries) {
      const keys = new Set(nearest(kept, query, 10).map(({ key }) => key));
      found += nearestOf(exact, query, 10).filter(({ key }) => keys.has(key)).length;
    }
    expect(found).toBeGreaterThan(queries.length * 9.7);
  });

  it("finds its vectors under the keys that they have now, and forgets those that are gone", async () => {
    const bytes = await graphOf(rowsOf(all.slice(0, 300))).save(GRAPH_BYTES_MAX);
    // 0 to 99 are gone; the rest have other keys, in another order; some come twice, others are new.
    const rows = rowsOf([...all.slice(100, 300).reverse(), ...all.slice(150, 160), ...all.slice(400, 420)]);
    const graph = await loaded(rows, bytes);
    expect(graph.count).toBe(210);
    expect([graph.has(0), graph.has(209), graph.has(210)]).toEqual([true, true, false]);
    const exact = new ExactScan(rows);
    for (const query of queries) {
      expect(nearest(graph, query, 210)).toEqual(nearestOf(exact, query, 230).filter(({ key }) => key < 210));
    }
  });

  it("is matched in steps, and anew if a row changes meanwhile", async () => {
    const rows = rowsOf(all);
    const graph = (await HnswGraph.load(rows, await graphOf(rows).save(GRAPH_BYTES_MAX))) ?? expect.fail("not loaded");
    const matching = graph.match();
    expect(matching.next().done).toBe(false);
    expect(matching.next().done).toBe(false);
    rows.delete(7);
    expect(finished(matching)).toBe(false);
    expect(graph.count).toBe(0);
    for (const query of queries) expect(nearest(graph, query, 5)).toEqual([]);
    expect(finished(graph.match())).toBe(true);
    expect(graph.count).toBe(all.length - 1);
  });

  it("lets searches and deletions go on while it is made, and nothing be inserted", async () => {
    const rows = rowsOf(all);
    const graph = graphOf(rows);
    const saving = graph.save(GRAPH_BYTES_MAX);
    expect(() => graph.insert(0)).toThrow("being saved");
    for (let key = 0; key < all.length; key++) {
      rows.delete(key);
      graph.forget(key);
    }
    for (const query of queries) expect(nearest(graph, query, 5)).toEqual([]);
    const kept = await HnswGraph.load(rows, await saving);
    expect(kept).toBeDefined();
    rows.set(3, encodeVector(all[0] ?? new Float32Array(DIMENSIONS)));
    graph.insert(3);
    for (const query of queries) expect(nearest(graph, query, 5).map(({ key }) => key)).toEqual([3]);
  });

  it("can be closed while it is made, and is not made where it is too large", async () => {
    const graph = graphOf(rowsOf(all));
    const whole = await graph.save(GRAPH_BYTES_MAX);
    expect(await graph.save(whole.length)).toEqual(whole);
    await expect(graph.save(whole.length - 1)).rejects.toThrow("every start builds it again");
    const saving = graph.save(GRAPH_BYTES_MAX);
    graph.close();
    expect((await saving).length).toBeGreaterThan(0);
  });

  it("is refused with any bit flipped or any byte missing", async () => {
    const rows = rowsOf(all.slice(0, 40));
    const bytes = await graphOf(rows).save(GRAPH_BYTES_MAX);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), fc.nat(bytes.length - 1), async (bit, length) => {
        const damaged = bytes.slice();
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await HnswGraph.load(rows, damaged)).toBeUndefined();
        expect(await HnswGraph.load(rows, bytes.subarray(0, length))).toBeUndefined();
      }),
      { numRuns: lawRuns(100) },
    );
  });

  it("never gives an answer that is none, nor ends, whatever its bytes say", async () => {
    const rows = rowsOf(all.slice(0, 120));
    const exact = new ExactScan(rows);
    const bytes = await graphOf(rows).save(GRAPH_BYTES_MAX);
    const places = fc.array(fc.tuple(fc.nat(bytes.length - 17), fc.nat(255)), { minLength: 1, maxLength: 60 });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (changes, onlySmall) => {
        const damaged = bytes.slice();
        // Small numbers are links that lead somewhere.
        for (const [at, value] of changes) {
          if (!onlySmall) damaged[16 + at] = value;
          else if (16 + at > HASHES_AT + 120 * 8 && at % 4 === 0) damaged[16 + at] = value % 30;
        }
        const graph = await HnswGraph.load(rows, withChecksum(damaged));
        if (graph === undefined) return;
        taken++;
        expect(finished(graph.match())).toBe(true);
        for (let key = 0; key < 20; key++) graph.insert(key);
        while (graph.isUntidy) graph.tidy();
        for (const query of queries.slice(0, 5)) {
          const near = nearest(graph, query, 200);
          expect(near).toEqual(nearestOf(exact, query, 200).filter(({ key }) => near.some((one) => one.key === key)));
        }
      }),
      { numRuns: lawRuns(100) },
    );
    expect(taken).toBeGreaterThan(0);
  });

  it("is refused where a link leads out of the graph, or a list is longer than may be", async () => {
    const rows = rowsOf(all.slice(0, 60));
    const bytes = await graphOf(rows).save(GRAPH_BYTES_MAX);
    const firstList = HASHES_AT + 60 * 8;
    const changed = (at: number, value: number): Uint8Array => {
      const copy = bytes.slice();
      new Uint32Array(copy.buffer, at, 1)[0] = value;
      return withChecksum(copy);
    };
    expect(await HnswGraph.load(rows, changed(firstList + 4, 59))).toBeDefined();
    expect(await HnswGraph.load(rows, changed(firstList + 4, 60))).toBeUndefined();
    expect(await HnswGraph.load(rows, changed(firstList, 33))).toBeUndefined();
    // Where walks begin, and how many points there are.
    expect(await HnswGraph.load(rows, changed(36, 61))).toBeUndefined();
    expect(await HnswGraph.load(rows, changed(32, 61))).toBeUndefined();
    expect(await HnswGraph.load(rows, changed(32, 4_000_000_000))).toBeUndefined();
    expect(await HnswGraph.load(rows, changed(16, 0x01000000))).toBeUndefined();
  });

  it("is not taken for one of hnswlib-node, nor one of that for it", async () => {
    const rows = rowsOf(all.slice(0, 3));
    const other = new Uint8Array(headerBytes(3) + 400);
    const header = {
      architecture: process.arch,
      dimensions: DIMENSIONS,
      m: 16,
      efConstruction: 200,
      hashes: [1, 2, 3],
    };
    await fillHeader(other, header);
    expect(await HnswGraph.load(rows, other)).toBeUndefined();
  });
});
