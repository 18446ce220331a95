import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { BM25, PassageNorms } from "../../../src/index/postings/bm25.ts";
import { Postings } from "../../../src/index/postings/postings.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

interface Held {
  readonly frequency: number;
  readonly length: number;
}

/** By passage: how it holds each of four terms, if it does. */
const passages = fc.array(
  fc.record({
    length: fc.integer({ min: 1, max: 3_000 }),
    frequencies: fc.tuple(fc.constant(3), fc.nat(4), fc.nat(255), fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 9)),
  }),
  { maxLength: 400, size: "max" },
);

it("finds every posting of every term, however the lists have grown, and never promises less than one brings", () => {
  fc.assert(
    fc.property(passages, fc.nat(400), fc.integer({ min: 1, max: 9_000 }), (all, known, average) => {
      const norms = new PassageNorms(
        BM25,
        Uint32Array.from(all, ({ length }) => length),
      );
      norms.takeAverage(average);
      const lists: Map<number, Held>[] = [new Map(), new Map(), new Map(), new Map()];
      for (const [ordinal, { length, frequencies }] of all.entries()) {
        for (const [term, frequency] of frequencies.entries()) {
          if (frequency > 0) lists[term]?.set(ordinal, { frequency, length });
        }
      }
      const loaded = all.slice(0, known);
      const flat = loaded.map(({ frequencies }) => [...frequencies.entries()].filter(([, frequency]) => frequency > 0));
      let held = 0;
      const starts = Uint32Array.of(0, ...flat.map((terms) => (held += terms.length)));
      const made = finished(
        Postings.inSlices(
          Uint32Array.from(lists, (list) => [...list.keys()].filter((ordinal) => ordinal < known).length),
          {
            lengths: Uint32Array.from(loaded, ({ length }) => length),
            starts,
            terms: Uint32Array.from(flat.flat(), ([term]) => term),
            words: Uint32Array.from(flat.flat(), ([, frequency]) => frequency),
          },
        ),
      );
      for (const [ordinal, { length, frequencies }] of all.entries()) {
        if (ordinal < known) continue;
        for (const [term, frequency] of frequencies.entries()) {
          if (frequency > 0) made.add(term, ordinal, frequency, length);
        }
      }
      const everyThird = Uint32Array.from([...all.keys()].filter((ordinal) => ordinal % 3 === 0));
      const found = new Uint8Array(everyThird.length);
      for (const [term, list] of lists.entries()) {
        const seen: (readonly [number, number])[] = [];
        made.forEach(term, (ordinal, frequency) => seen.push([ordinal, frequency]));
        expect(seen).toEqual([...list].map(([ordinal, { frequency }]) => [ordinal, frequency]));
        expect(made.countOf(term)).toBe(list.size);
        made.lookUp(term, everyThird, everyThird.length, found);
        expect([...found]).toEqual([...everyThird].map((ordinal) => list.get(ordinal)?.frequency ?? 0));
        const one = [...all.keys()].map((ordinal) => made.frequencyIn(term, ordinal));
        expect(one).toEqual([...all.keys()].map((ordinal) => list.get(ordinal)?.frequency ?? 0));
        const most = made.highestGain(term, norms);
        const gains = [...list].map(([ordinal, { frequency }]) => frequency / (frequency + norms.of(ordinal)));
        expect(Math.max(0, ...gains)).toBeLessThanOrEqual(most);
        expect(most).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: lawRuns(40) },
  );
});

const NO_PASSAGES = {
  lengths: new Uint32Array(0),
  starts: new Uint32Array(1),
  terms: new Uint32Array(0),
  words: new Uint32Array(0),
};

it("says of a long list of long passages that it brings little", () => {
  const postings = finished(Postings.inSlices(new Uint32Array(1), NO_PASSAGES));
  const norms = new PassageNorms(BM25, new Uint32Array(0));
  norms.takeAverage(100);
  for (let ordinal = 0; ordinal < 1_000; ordinal++) {
    norms.set(ordinal, 200);
    postings.add(0, ordinal, 4, 200);
  }
  expect(postings.highestGain(0, norms)).toBe(4 / (4 + norms.of(0)));
});

it("holds little that is empty, also where lists have just outgrown a place", () => {
  const postings = finished(Postings.inSlices(new Uint32Array(0), NO_PASSAGES));
  const [terms, passages] = [800, 129];
  for (let term = 0; term < terms; term++) {
    for (let ordinal = 0; ordinal < passages; ordinal++) postings.add(term, ordinal, 1, 100);
  }
  // A list has at most half as much room again, a large array a sixteenth.
  expect(postings.bytes / (terms * passages)).toBeLessThan(4 * 1.75);
});
