import { expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { FragmentVectors } from "../../src/index/fragment-vectors.ts";
import { fragmentCountOf, type IndexedDocument, plainFragment } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeQuery } from "../../src/index/vectors/codes.ts";
import { FakeStatic } from "../support/fake-static.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const [PLUMS, PEARS] = [
  "- A **plum** stone.\n- A red parcel.\n- Ripe in May.",
  "- A pear.\n- A green parcel.\n- Ripe in June.",
];

function indexOf(...texts: readonly string[]): { index: SearchIndex; documents: readonly IndexedDocument[] } {
  const index = new SearchIndex(analyzer);
  for (const [i, md] of texts.entries()) {
    const fields = { type: "DOCUMENT", status: "active", metaData: {}, titles: [] } as const;
    index.replace({ id: `d${i}`, ...fields, content: [{ md }] }, i + 1);
  }
  return { index, documents: [...index.documents] };
}

function begun(vectors = new FragmentVectors()) {
  const { index, documents } = indexOf(PLUMS, PEARS);
  const staticEmbedder = new FakeStatic();
  const embed = (text: string): Float32Array => staticEmbedder.embed(text);
  const [first = expect.fail(), second = expect.fail()] = documents;
  const question = new FakeStatic().embed("plum parcel");
  const cosines = (document: IndexedDocument, by: (text: string) => Float32Array | undefined = embed) =>
    vectors.cosines(encodeQuery(question), by, document, 0, fragmentCountOf(document));
  return { vectors, index, first, second, question, staticEmbedder, embed, cosines };
}

function exact(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

it("gives the cosine of each fragment's own text", () => {
  const { first, question, cosines } = begun();
  const found = cosines(first);
  expect(found.length).toBe(3);
  for (const [i, cosine = Number.NaN] of found.entries())
    expect(Math.abs(cosine - exact(question, new FakeStatic().embed(plainFragment(first, i))))).toBeLessThan(0.02);
  expect(new Set(found).size).toBeGreaterThan(1);
});

it("reads a text once, and gives the same cosines from then on", () => {
  const { first, staticEmbedder, cosines } = begun();
  const once = cosines(first);
  const { length } = staticEmbedder.texts;
  expect(cosines(first)).toEqual(once);
  expect([length, staticEmbedder.texts.length]).toEqual([3, 3]);
});

it("reads again what another static embedder made", () => {
  const { first, cosines, embed } = begun();
  cosines(first);
  const other = (text: string): Float32Array => embed(text).map((value) => -value);
  const sums = cosines(first, other).map((cosine = 1, i) => cosine + (cosines(first)[i] ?? 1));
  expect(sums).toEqual([0, 0, 0]);
});

it("has no cosine of a text that cannot be embedded", () => {
  const { first, cosines, embed } = begun();
  const found = cosines(first, (text) => (text.includes("parcel") ? undefined : embed(text)));
  expect(found.map((cosine) => cosine === undefined)).toEqual([false, true, false]);
  expect(cosines(first, () => undefined)).toEqual([undefined, undefined, undefined]);
});

it("forgets a document that leaves the index, and counts its memory", () => {
  const { index, embed } = begun();
  const [document = expect.fail()] = index.documents;
  index.fragmentVectors.cosines(encodeQuery(new FakeStatic().embed("plum")), embed, document, 0, 3);
  const { bytes } = index.fragmentVectors;
  expect(bytes).toBeGreaterThan(3 * new FakeStatic().space.dimensions);
  index.remove(document.document.id);
  expect(index.fragmentVectors.bytes).toBe(0);
});

it("is counted, and is empty once other vectors or none are searched", () => {
  const { index, embed } = begun();
  const [document = expect.fail()] = index.documents;
  index.fragmentVectors.cosines(encodeQuery(new FakeStatic().embed("plum")), embed, document, 0, 3);
  expect(index.windowVectors.rows).toBeUndefined();
  expect(index.vectorBytes).toBe(index.fragmentVectors.bytes);
  index.windowVectors.use();
  expect([index.fragmentVectors.bytes, index.vectorBytes]).toEqual([0, 0]);
});

it("asks an embedder again that failed", () => {
  const { first, cosines, embed, vectors } = begun();
  const known = cosines(first);
  let fails = true;
  const unsteady = (text: string): Float32Array | undefined => (fails ? undefined : embed(text));
  expect(cosines(first, unsteady)).toEqual([undefined, undefined, undefined]);
  expect(vectors.bytes).toBe(0);
  fails = false;
  expect(cosines(first, unsteady)).toEqual(known);
  expect(vectors.bytes).toBeGreaterThan(0);
});

it("keeps the last run of a document that alone takes more than all may", () => {
  const { vectors, cosines, first } = begun();
  cosines(first);
  const bound = new FragmentVectors(vectors.bytes);
  const { first: document, embed, question, staticEmbedder } = begun(bound);
  const run = (from: number, count: number): unknown =>
    bound.cosines(encodeQuery(question), embed, document, from, count);
  run(0, 2);
  run(0, 3);
  run(1, 2);
  const read = staticEmbedder.texts.length;
  expect(read).toBe(7);
  run(1, 2);
  expect([staticEmbedder.texts.length, bound.bytes <= vectors.bytes]).toEqual([read, true]);
});

it("keeps those that were compared last, up to its bound", () => {
  const { first, cosines, vectors } = begun();
  cosines(first);
  const bound = new FragmentVectors(vectors.bytes + 100);
  const small = begun(bound);
  small.cosines(small.first);
  small.cosines(small.second);
  expect(bound.bytes).toBeLessThanOrEqual(vectors.bytes + 100);
  small.cosines(small.second);
  expect(small.staticEmbedder.texts.length).toBe(6);
  small.cosines(small.first);
  expect(small.staticEmbedder.texts.length).toBe(9);
});
