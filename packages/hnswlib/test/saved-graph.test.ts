import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optionalPart } from "../../../test/support/optional-part.ts";
import { encodeQuery, type QueryVector } from "../../core/src/index/vectors/codes.ts";
import type { Neighbour } from "../../core/src/index/vectors/nearest-keys.ts";
import { VectorRows } from "../../core/src/index/vectors/rows.ts";
import { GRAPH_BYTES_MAX } from "../../core/src/model/limits.ts";
import { finished } from "../../core/src/scheduling/time-slices.ts";
import { slicesOf } from "../../core/test/support/steps-of.ts";
import { DIMENSIONS, rowsOf } from "../../core/testing/told-graphs.ts";
import { clusteredVectors, nearestByGraph } from "../../core/testing/told-vectors.ts";
import { fillHeader, headerBytes, isWhole, readGraph, TOMBSTONE } from "../src/graph-bytes.ts";
import { readBehind } from "../src/graph-files.ts";
import { HNSWLIB_PARAMETERS, HnswlibGraph } from "../src/hnswlib-graph.ts";
import { type HnswlibLibrary, loadLibrary } from "../src/library.ts";

const opened = await loadLibrary(tmpdir());
const library = optionalPart(
  "the graph library",
  "missing" in opened ? `${opened.missing.why}. To mend it: ${opened.missing.mend}` : undefined,
);

/** The library, in tests that only run where it is there. */
function graphLibrary(): HnswlibLibrary {
  return "missing" in opened ? expect.fail("This test needs the graph library.") : opened;
}

function nearest(graph: HnswlibGraph | undefined, query: QueryVector, k: number): Neighbour[] {
  return graph === undefined ? expect.fail("not loaded") : nearestByGraph(graph, query, k);
}

function graphOf(rows: VectorRows): HnswlibGraph {
  const index = new HnswlibGraph(graphLibrary(), rows);
  for (let key = 0; key < rows.end; key++) index.insert(key);
  return index;
}

describe("the header of a saved graph", () => {
  const header = {
    architecture: "x64",
    dimensions: 256,
    m: 16,
    efConstruction: 200,
    hashes: [0, TOMBSTONE, 2 ** 53 - 1],
  };

  it("comes back as it was written, with the graph", async () => {
    const bytes = new Uint8Array(headerBytes(3) + 5).fill(7);
    await fillHeader(bytes, header);
    const read = await readGraph(bytes);
    expect(read?.header).toEqual(header);
    expect([...(read?.graph ?? [])]).toEqual([7, 7, 7, 7, 7]);
  });

  it("protects every bit and every byte of the length", async () => {
    const bytes = new Uint8Array(headerBytes(3) + 40).fill(0xa5);
    await fillHeader(bytes, header);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await readGraph(damaged), `bit ${bit}`).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(await readGraph(bytes.subarray(0, length)), `length ${length}`).toBeUndefined();
    }
    expect(await readGraph(Uint8Array.of(...bytes, 0))).toBeUndefined();
  });
});

describe.skipIf(library.isMissing)(library.named("a saved graph"), () => {
  const vectors = clusteredVectors(300, DIMENSIONS, 5);
  const queries = clusteredVectors(20, DIMENSIONS, 6).map(encodeQuery);

  it("finds the same after it was loaded", async () => {
    const rows = rowsOf(vectors);
    const graph = graphOf(rows);
    const loaded = await HnswlibGraph.load(graphLibrary(), rows, await graph.save(GRAPH_BYTES_MAX));
    finished(loaded?.match() ?? expect.fail("not loaded"));
    expect([loaded?.count, loaded?.tombstones]).toEqual([300, 0]);
    for (const query of queries) expect(nearest(loaded, query, 10)).toEqual(nearest(graph, query, 10));
  });

  it("lies only for a moment below the directory that it was given, and nowhere else", async () => {
    const directory = join(await mkdtemp(join(tmpdir(), "loredex-saved-graph-")), "made when it is needed");
    const paths: string[] = [];
    class Watched extends graphLibrary().HierarchicalNSW {
      override writeIndex(path: string): Promise<boolean> {
        paths.push(path);
        return super.writeIndex(path);
      }
    }
    const rows = rowsOf(vectors.slice(0, 20));
    const index = new HnswlibGraph({ HierarchicalNSW: Watched, temporaryDirectory: directory }, rows);
    index.insert(0);
    await index.save(GRAPH_BYTES_MAX);
    expect(paths).toHaveLength(1);
    expect(paths[0]?.startsWith(directory)).toBe(true);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  it("is not saved where it is too large: it is read in pieces up to its maximum, and no further", async () => {
    const graph = graphOf(rowsOf(vectors));
    const whole = await graph.save(GRAPH_BYTES_MAX);
    expect(await graph.save(whole.length)).toEqual(whole);
    await expect(graph.save(whole.length - 1)).rejects.toThrow(`more than ${whole.length - 1} bytes`);
    // Not even written.
    await expect(graph.save(100)).rejects.toThrow("every start builds it again");
    // It serves on.
    expect(nearest(graph, queries[0] ?? encodeQuery(new Float32Array(DIMENSIONS)), 3)).toHaveLength(3);
    expect(graph.isSaving).toBe(false);
    const path = join(await mkdtemp(join(tmpdir(), "loredex-saved-graph-")), "file");
    await writeFile(path, whole);
    expect((await readBehind(path, 5, whole.length + 5, 1_000))?.subarray(5)).toEqual(whole);
    await rm(path);
  });

  it("finds its vectors under the keys that they have now, and forgets those that are gone", async () => {
    const graph = graphOf(rowsOf(vectors));
    for (let key = 0; key < 20; key++) graph.forget(key);
    const bytes = await graph.save(GRAPH_BYTES_MAX);
    // 0 to 19 are gone from the graph, 20 to 49 from the rows; the rest have other keys, in another order.
    const rows = rowsOf([...vectors.slice(50).reverse(), ...vectors.slice(0, 20)]);
    const loaded = await HnswlibGraph.load(graphLibrary(), rows, bytes);
    finished(loaded?.match() ?? expect.fail("not loaded"));
    expect([loaded?.count, loaded?.tombstones]).toEqual([250, 50]);
    for (const query of queries) {
      const near = nearest(loaded, query, 10);
      expect(near).toHaveLength(10);
      for (const { key, cosine } of near) {
        expect(key).toBeLessThan(250);
        expect(cosine).toBe(rows.cosine(query, key));
      }
    }
    // Tombstones of both kinds can be told from the living: everything can be inserted and forgotten again.
    for (let key = 0; key < rows.end; key++) loaded?.insert(key);
    expect(loaded?.count).toBe(270);
  });

  it("is matched with its rows in steps, and anew if one of them changes meanwhile", async () => {
    const many = clusteredVectors(3_000, DIMENSIONS, 7);
    const rows = rowsOf(many);
    const small = await HnswlibGraph.load(
      graphLibrary(),
      rowsOf(many.slice(0, 10)),
      await graphOf(rowsOf(many.slice(0, 10))).save(GRAPH_BYTES_MAX),
    );
    const loaded = await HnswlibGraph.load(graphLibrary(), rows, await graphOf(rows).save(GRAPH_BYTES_MAX));
    const few = slicesOf(small?.match() ?? expect.fail("not loaded"));
    const work = loaded?.match() ?? expect.fail("not loaded");
    for (let i = 0; i < few + 3; i++) expect(work.next().done).toBe(false);
    rows.delete(7);
    expect(finished(work)).toBe(false);
    expect(loaded?.count).toBe(0);
    expect(finished(loaded?.match() ?? expect.fail("not loaded"))).toBe(true);
    expect([loaded?.count, loaded?.tombstones]).toEqual([2_999, 1]);
  });

  it("gives equal vectors each a key of their own", async () => {
    const same = [...vectors.slice(0, 5), ...vectors.slice(0, 5), ...vectors.slice(0, 5)];
    const bytes = await graphOf(rowsOf(same)).save(GRAPH_BYTES_MAX);
    const loaded = await HnswlibGraph.load(graphLibrary(), rowsOf(same.slice(0, 12)), bytes);
    finished(loaded?.match() ?? expect.fail("not loaded"));
    expect([loaded?.count, loaded?.tombstones]).toEqual([12, 3]);
  });

  it("is refused with any bit flipped or any byte missing", async () => {
    const rows = rowsOf(vectors.slice(0, 40));
    const bytes = await graphOf(rows).save(GRAPH_BYTES_MAX);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), fc.nat(bytes.length - 1), async (bit, length) => {
        const damaged = bytes.slice();
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await HnswlibGraph.load(graphLibrary(), rows, damaged)).toBeUndefined();
        expect(await HnswlibGraph.load(graphLibrary(), rows, bytes.subarray(0, length))).toBeUndefined();
      }),
    );
  });

  it("is refused if it was made in another way or by another machine", async () => {
    const rows = rowsOf(vectors.slice(0, 40));
    const graph = graphOf(rows);
    const bytes = await graph.save(GRAPH_BYTES_MAX);
    const other = { ...HNSWLIB_PARAMETERS, m: HNSWLIB_PARAMETERS.m + 1 };
    expect(await HnswlibGraph.load(graphLibrary(), rows, bytes, other)).toBeUndefined();
    expect(await HnswlibGraph.load(graphLibrary(), new VectorRows(DIMENSIONS + 1), bytes)).toBeUndefined();
    const { header } = (await readGraph(bytes)) ?? {};
    if (header === undefined) throw new Error("The graph can't be read.");
    await fillHeader(bytes, { ...header, architecture: "other" });
    expect(await readGraph(bytes)).toBeDefined();
    expect(await HnswlibGraph.load(graphLibrary(), rows, bytes)).toBeUndefined();
  });

  it("is seen to be cut short, as on a full disk, even where the checksum was made of the rest", async () => {
    const rows = rowsOf(vectors.slice(0, 40));
    const { graph, header } = (await readGraph(await graphOf(rows).save(GRAPH_BYTES_MAX))) ?? {};
    if (graph === undefined || header === undefined) throw new Error("The graph can't be read.");
    expect(isWhole(graph, 40)).toBe(true);
    expect(isWhole(graph, 39)).toBe(false);
    for (let length = 0; length < graph.length; length += 13)
      expect(isWhole(graph.subarray(0, length), 40)).toBe(false);
    const short = new Uint8Array(headerBytes(40) + graph.length - 100);
    short.set(graph.subarray(0, -100), headerBytes(40));
    await fillHeader(short, header);
    expect(await readGraph(short)).toBeDefined();
    expect(await HnswlibGraph.load(graphLibrary(), rows, short)).toBeUndefined();
  });

  it("lets searches and deletions go on while it is written, and nothing be inserted", async () => {
    const rows = rowsOf(vectors);
    const graph = graphOf(rows);
    const saving = graph.save(GRAPH_BYTES_MAX);
    expect(graph.isSaving).toBe(true);
    expect(() => graph.insert(0)).toThrow("being saved");
    rows.delete(5);
    graph.forget(5);
    for (const query of queries) {
      expect(nearest(graph, query, 10).every(({ key }) => key !== 5)).toBe(true);
    }
    const bytes = await saving;
    expect(graph.isSaving).toBe(false);
    graph.insert(0);
    expect([graph.count, graph.tombstones]).toEqual([299, 2]);
    const loaded = await HnswlibGraph.load(graphLibrary(), rows, bytes);
    finished(loaded?.match() ?? expect.fail("not loaded"));
    expect([loaded?.count, loaded?.tombstones]).toEqual([299, 1]);
  });

  it("finds as many while it is written and afterwards, though the nearest are deleted meanwhile", async () => {
    const rows = rowsOf(vectors);
    const graph = graphOf(rows);
    const [query = encodeQuery(new Float32Array(DIMENSIONS))] = queries;
    const saving = graph.save(GRAPH_BYTES_MAX);
    for (const { key } of nearest(graph, query, 200)) {
      rows.delete(key);
      graph.forget(key);
    }
    const during = nearest(graph, query, 10);
    await saving;
    expect(during).toHaveLength(10);
    expect(nearest(graph, query, 10)).toEqual(during);
  });

  it("can be closed while it is written", async () => {
    const graph = graphOf(rowsOf(vectors));
    const saving = graph.save(GRAPH_BYTES_MAX);
    graph.close();
    expect(nearest(graph, queries[0] ?? encodeQuery(new Float32Array(DIMENSIONS)), 3)).toEqual([]);
    expect((await saving).length).toBeGreaterThan(0);
    graph.close();
    expect([graph.count, graph.graphBytes]).toEqual([0, 0]);
  });
});
