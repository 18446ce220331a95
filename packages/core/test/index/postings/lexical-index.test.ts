import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BM25 } from "../../../src/index/postings/bm25.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const term = fc.constantFrom("a", "b", "c", "d", "e", "f");
const passage = fc.array(term, { minLength: 1, maxLength: 12 });
const passages = fc.array(passage, { minLength: 1, maxLength: 40 });

function indexOf(texts: readonly (readonly string[])[]): LexicalIndex {
  const index = new LexicalIndex();
  for (const terms of texts) index.add([{ terms, weight: 1 }]);
  return index;
}

function scoresOf(index: LexicalIndex, query: readonly string[]): Map<number, number> {
  const scores = new Map<number, number>();
  const scoring = index.score(index.weigh(query));
  while (scoring.hasNext) scoring.addTerm();
  for (let i = 0; i < scoring.touchedCount; i++) {
    scores.set(scoring.ordinalAt(i), scoring.complete(scoring.ordinalAt(i)));
  }
  scoring.close();
  return scores;
}

/** BM25 straight from its formula, over plain arrays. */
function naiveScore(texts: readonly (readonly string[])[], query: readonly string[], ordinal: number): number {
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const text = texts[ordinal] ?? [];
  let score = 0;
  for (const wanted of query) {
    const df = texts.filter((other) => other.includes(wanted)).length;
    const tf = text.filter((other) => other === wanted).length;
    const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
    const norm = BM25.k1 * (1 - BM25.b + (BM25.b * text.length) / average);
    score += (idf * (BM25.k1 + 1) * tf) / (tf + norm);
  }
  return score;
}

describe("the lexical index", () => {
  it("scores as the formula does, for passages and one by one", () => {
    fc.assert(
      fc.property(passages, fc.array(term, { minLength: 1, maxLength: 6 }), (texts, query) => {
        const index = indexOf(texts);
        const weighted = index.weigh(query);
        const scores = scoresOf(index, query);
        for (const ordinal of texts.keys()) {
          const score = scores.get(ordinal) ?? 0;
          expect(score).toBeCloseTo(naiveScore(texts, query, ordinal), 10);
          expect(index.scoreOf(weighted, ordinal)).toBe(score);
          expect(score).toBeLessThanOrEqual(weighted.upperBound);
        }
      }),
    );
  });

  it("completes a passage to the same bit, wherever adding terms stopped", () => {
    fc.assert(
      fc.property(passages, fc.array(term, { minLength: 1, maxLength: 6 }), fc.nat(6), (texts, query, added) => {
        const index = indexOf(texts);
        const whole = scoresOf(index, query);
        const scoring = index.score(index.weigh(query));
        for (let i = 0; i < added; i++) if (scoring.hasNext) scoring.addTerm();
        for (const ordinal of texts.keys()) {
          expect(scoring.complete(ordinal)).toBe(whole.get(ordinal) ?? 0);
          expect(scoring.partial(ordinal) + scoring.remainingMax).toBeGreaterThanOrEqual(
            (whole.get(ordinal) ?? 0) - 1e-9,
          );
        }
        scoring.close();
        expect(scoresOf(index, query)).toEqual(whole);
      }),
    );
  });

  it("depends on what is there, not on what was", () => {
    fc.assert(
      fc.property(passages, fc.array(fc.nat(39)), fc.array(term, { minLength: 1 }), (texts, removals, query) => {
        const index = indexOf(texts);
        const gone = new Set(removals.filter((ordinal) => ordinal < texts.length));
        for (const ordinal of gone) {
          index.remove(ordinal);
          index.remove(ordinal);
        }
        const left = texts.filter((_, ordinal) => !gone.has(ordinal));
        const fresh = indexOf(left);
        const restored = finished(LexicalIndex.restore(index.export()));
        const expected = [...scoresOf(fresh, query)].sort(byOrdinal);
        const ordinals = [...texts.keys()].filter((ordinal) => !gone.has(ordinal));
        const live = [...scoresOf(index, query)].map(([ordinal, score]) => [ordinals.indexOf(ordinal), score] as const);
        expect(live.sort(byOrdinal)).toEqual(expected);
        expect([...scoresOf(restored, query)].sort(byOrdinal)).toEqual(expected);
        expect(index.passageCount).toBe(left.length);
        // What was loaded goes on as what was made.
        for (const text of [...texts, ...texts]) {
          fresh.add([{ terms: text, weight: 1 }]);
          restored.add([{ terms: text, weight: 1 }]);
        }
        expect([...scoresOf(restored, query)].sort(byOrdinal)).toEqual([...scoresOf(fresh, query)].sort(byOrdinal));
      }),
    );
  });

  it("holds terms that it is given by number as those that it is given by name", () => {
    fc.assert(
      fc.property(passages, (texts) => {
        const byNumber = new LexicalIndex();
        for (const terms of texts) byNumber.add([{ terms: terms.map((each) => byNumber.numberOf(each)), weight: 1 }]);
        expect(byNumber.export()).toEqual(indexOf(texts).export());
      }),
    );
  });

  it("is written without terms that no passage holds", () => {
    fc.assert(
      fc.property(passages, fc.array(fc.nat(39)), (texts, gone) => {
        const index = indexOf(texts);
        for (const ordinal of gone) index.remove(ordinal);
        const held = texts.flatMap((terms, ordinal) => (gone.includes(ordinal) ? [] : terms));
        const { vocabulary, terms } = index.export();
        expect([...vocabulary].sort()).toEqual([...new Set(held)].sort());
        expect([...terms].every((number) => number < vocabulary.length)).toBe(true);
      }),
    );
  });

  it("never scores a passage lower for one more occurrence in place of another word", () => {
    fc.assert(
      fc.property(passages, passage, (texts, text) => {
        const more = text.with(0, "a");
        const index = indexOf([...texts, ["filler", ...text.slice(1)], more]);
        const scores = scoresOf(index, ["a"]);
        expect(scores.get(texts.length + 1) ?? 0).toBeGreaterThanOrEqual(scores.get(texts.length) ?? 0);
      }),
    );
  });

  it("never scores a longer passage higher for the same occurrences", () => {
    fc.assert(
      fc.property(passages, passage, fc.nat(20), (texts, text, extra) => {
        const index = indexOf([...texts, ["a", ...text], ["a", ...text, ...Array<string>(extra).fill("filler")]]);
        const scores = scoresOf(index, ["a"]);
        expect(scores.get(texts.length + 1) ?? 0).toBeLessThanOrEqual(scores.get(texts.length) ?? 0);
      }),
    );
  });

  it("weighs rarer terms more, and unknown ones most", () => {
    const index = indexOf([["a", "b"], ["a"], ["a", "c"], ["a", "b"]]);
    const { byTerm, upperBound } = index.weigh(["a", "b", "c", "unknown"]);
    expect(byTerm.get("c")).toBeGreaterThan(byTerm.get("b") ?? 0);
    expect(byTerm.get("b")).toBeGreaterThan(byTerm.get("a") ?? 0);
    expect(byTerm.has("unknown")).toBe(false);
    const known = [...byTerm.values()].reduce((sum, weight) => sum + weight, 0);
    expect(upperBound - known).toBeGreaterThan(byTerm.get("c") ?? 0);
  });

  it("counts a field by its weight", () => {
    const index = new LexicalIndex();
    const text = ["x", "y", "z"];
    index.add([
      { terms: text, weight: 1 },
      { terms: ["a"], weight: 0.5 },
    ]);
    index.add([
      { terms: text, weight: 1 },
      { terms: ["a"], weight: 2 },
    ]);
    index.add([
      { terms: text, weight: 1 },
      { terms: ["a"], weight: 0 },
    ]);
    const scores = scoresOf(index, ["a"]);
    expect(scores.get(1)).toBeGreaterThan(scores.get(0) ?? 0);
    expect(scores.has(2)).toBe(false);
  });

  it("holds long postings lists over many slices", () => {
    const index = new LexicalIndex();
    for (let i = 0; i < 30_000; i++) index.add([{ terms: i % 3 === 0 ? ["a", "b"] : ["a"], weight: 1 }]);
    expect(scoresOf(index, ["a"]).size).toBe(30_000);
    expect([...scoresOf(index, ["b"]).keys()].every((ordinal) => ordinal % 3 === 0)).toBe(true);
    expect(scoresOf(index, ["b"]).size).toBe(10_000);
  });
});

function byOrdinal(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0];
}

describe("the pieces of a passage", () => {
  const words = ["a", "b", "c", "d", "e"];
  const fragment = fc.array(fc.constantFrom(...words), { maxLength: 5 });

  it("are worth what the terms of the query in them are worth, also after the index was restored", () => {
    const drawn = fc.array(fc.array(fragment, { minLength: 1, maxLength: 24 }), {
      minLength: 1,
      maxLength: 5,
      size: "max",
    });
    fc.assert(
      fc.property(drawn, fc.array(fc.constantFrom(...words, "x")), (passages, queryTerms) => {
        const made = new LexicalIndex();
        for (const fragments of passages) {
          const fragmentStarts = fragments.map((_, i) => fragments.slice(0, i).flat().length);
          made.add([
            { terms: fragments.flat(), fragmentStarts, weight: 1 },
            { terms: ["a", "heading"], weight: 0.75 },
          ]);
        }
        for (const index of [made, finished(LexicalIndex.restore(made.export()))]) {
          const query = index.weigh(queryTerms);
          for (const [ordinal, fragments] of passages.entries()) {
            const expected = fragments.map((terms) =>
              [...query.byTerm].reduce((sum, [term, weight]) => sum + (terms.includes(term) ? weight : 0), 0),
            );
            const weights = [...index.fragmentWeights(query, ordinal, fragments.length)];
            expect(weights.map((weight) => weight.toFixed(9))).toEqual(expected.map((weight) => weight.toFixed(9)));
          }
        }
      }),
    );
  });
});
