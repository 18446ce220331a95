import type { Embedder } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, encoder } from "../../encoder/test/runtime.ts";
import { openMiniLm } from "../src/minilm.ts";
import { readFixture } from "./fixture.ts";

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe.skipIf(encoder.isMissing)(encoder.named("vectors of the real model"), () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openMiniLm({ workers: 2 });
  });
  afterAll(() => embedder.close());

  it("are those of the same graph in Python, but for its runtime's rounding, and close to those of the original weights", async () => {
    const rows = await readFixture();
    const vectors = await embedder.embedPassages(rows.map((row) => row.text));
    expect(vectors).toHaveLength(rows.length);
    const toShipped = rows.map((row, at) => cosine(vectors[at] ?? new Float32Array(), row.shipped));
    const toSource = rows.map((row, at) => cosine(vectors[at] ?? new Float32Array(), row.source));
    expect(Math.min(...toShipped)).toBeGreaterThan(0.99);
    expect(meanOf(toShipped)).toBeGreaterThan(0.999);
    expect(Math.min(...toSource)).toBeGreaterThan(0.97);
    expect(meanOf(toSource)).toBeGreaterThan(0.99);
  });

  it("have 256 dimensions and length one, also for no text and for half a megabyte", async () => {
    for (const text of ["", " ", "word", "\ud800", "long ".repeat(100_000)]) {
      const vector = await embedder.embedQuery(text);
      expect(vector).toHaveLength(256);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("are the same for the same text, whichever worker makes them, as question or passage", async () => {
    const text = "How do I give a bot a new key?";
    const vectors = await embedder.embedPassages(Array.from({ length: 12 }, () => text));
    const question = await embedder.embedQuery(text);
    for (const vector of vectors) expect(vector).toEqual(question);
  });

  it("are close where the meaning is, though no word is shared", async () => {
    const [asked, near, far] = await embedder.embedPassages([
      "I forgot my login details and cannot get into my account.",
      "How do I reset my password?",
      "The train leaves the harbour at noon.",
    ]);
    if (asked === undefined || near === undefined || far === undefined) throw new Error("three vectors were asked for");
    expect(cosine(asked, near)).toBeGreaterThan(0.5);
    expect(cosine(asked, far)).toBeLessThan(0.2);
  });

  it("come again from an embedder that is opened anew, and from two at once", async () => {
    const text = "How do I give a bot a new key?";
    const first = await embedder.embedQuery(text);
    for (let round = 0; round < 3; round += 1) {
      const other = await openMiniLm({ workers: 2 });
      const vectors = await other.embedPassages([text, text, text, text]);
      await other.close();
      expect(vectors).toEqual([first, first, first, first]);
    }
    expect(await embedder.embedQuery(text)).toEqual(first);
  });

  it("of other texts still come after some were cancelled", async () => {
    const abort = new AbortController();
    const cancelled = embedder.embedPassages(
      Array.from({ length: 40 }, () => "cancel me"),
      abort.signal,
    );
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    await expect(embedder.embedQuery("still there?")).resolves.toHaveLength(256);
  });

  it("leave the event loop free while they are made", async () => {
    let turns = 0;
    let done = false;
    const work = embedder.embedPassages(Array.from({ length: 20 }, () => "word ".repeat(250))).finally(() => {
      done = true;
    });
    while (!done) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await work;
    // Were they made on this thread, there would be about one turn a passage.
    expect(turns).toBeGreaterThan(200);
  });
});
