import fc from "fast-check";
import { expect, it } from "vitest";
import { forEachOfBest, type Work } from "../../../src/index/postings/best-passages.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import type { WeightedQuery } from "../../../src/index/postings/weighted-query.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { slicesOf } from "../../support/steps-of.ts";

const UNBOUNDED: Work = { mayRead: () => true, completionsOf: (passages) => passages, shouldYield: () => false };

// Some words stand nearly everywhere, some hardly anywhere.
const words = ["the", "of", "a", "parcel", "order", "harbour", "zebra", "xylophone"];
const word = fc.nat(99).map((n) => words[Math.floor((n / 100) ** 2 * words.length)] ?? "the");
const passage = fc.array(word, { minLength: 1, maxLength: 16 });
const bot = fc.record({
  passages: fc.array(passage, { minLength: 1, maxLength: 300, size: "max" }),
  gone: fc.array(fc.nat(299), { maxLength: 40 }),
  groupSize: fc.integer({ min: 1, max: 5 }),
  /** Every so many a group is not allowed. */
  forbidden: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 12 }),
});

/** Words that the query holds: one that is mistyped stands for two, which count as one. */
const query = fc.array(fc.oneof(word, fc.constant("zebrx")), { minLength: 1, maxLength: 8 });

function weigh(index: LexicalIndex, terms: readonly string[]): WeightedQuery {
  const typedAs = (term: string) => [
    { word: term, isUnfinished: false, someWordOf: (held: string) => held === "zebra" || held === "order" },
  ];
  return index.weigh(terms, { typedAs: (term) => (term === "zebrx" ? typedAs(term) : []) });
}

it("visits whatever is among the best of the groups that may be, with its score to the last bit", () => {
  let cutShort = 0;
  fc.assert(
    fc.property(bot, query, ({ passages, gone, groupSize, forbidden, count }, terms) => {
      const index = new LexicalIndex();
      for (const text of passages) index.add([{ terms: text, weight: 1 }]);
      for (const ordinal of gone) index.remove(ordinal);
      const weighted = weigh(index, terms);
      const of = (ordinal: number): number => Math.floor(ordinal / groupSize);
      const mayBe = forbidden === 1 ? undefined : (group: number): boolean => group % forbidden > 0;
      const visited = new Map<number, number>();
      const scoring = index.score(weighted);
      const visit = (ordinal: number, score: number): void => void visited.set(ordinal, score);
      finished(forEachOfBest(scoring, { count, groups: { of, mayBe }, floor: 0 }, UNBOUNDED, visit));
      scoring.close();
      const best = new Map<number, number>();
      for (const ordinal of passages.keys()) {
        const score = index.scoreOf(weighted, ordinal);
        if (score > 0 && mayBe?.(of(ordinal)) !== false)
          best.set(of(ordinal), Math.max(score, best.get(of(ordinal)) ?? 0));
      }
      const least = [...best.values()].sort((a, b) => b - a)[count - 1] ?? 0;
      let matching = 0;
      for (const ordinal of passages.keys()) {
        const score = index.scoreOf(weighted, ordinal);
        if (score > 0) matching++;
        if (visited.has(ordinal)) expect(visited.get(ordinal)).toBe(score);
        else if (mayBe?.(of(ordinal)) !== false && score > 0) expect(score).toBeLessThan(least);
      }
      if (visited.size < matching) cutShort++;
    }),
  );
  expect(cutShort).toBeGreaterThan(20);
});

it("knows what is needed before it takes candidates, though no list is longer than what was read before", () => {
  const index = new LexicalIndex();
  const windows = ["harbour", "order", "parcel", "zebra"];
  for (let i = 0; i < 400; i++) index.add([{ terms: [windows[i % 4] ?? "", "filler", "filler"], weight: 1 }]);
  const best = index.add([{ terms: windows, weight: 1 }]);
  const scoring = index.score(index.weigh(windows));
  const visited: number[] = [];
  const wanted = { count: 1, groups: { of: (ordinal: number) => ordinal }, floor: 0 };
  finished(forEachOfBest(scoring, wanted, UNBOUNDED, (ordinal) => visited.push(ordinal)));
  scoring.close();
  expect(visited).toEqual([best]);
});

it("looks for what is needed in no more time than all the rest takes, however many are wanted", () => {
  const index = new LexicalIndex();
  const terms = Array.from({ length: 300 }, (_, i) => `term${i}`);
  for (let i = 0; i < 300; i++) index.add([{ terms: terms.filter((_, at) => (at * 7 + i) % 11 < 4), weight: 1 }]);
  const scoring = index.score(index.weigh(terms));
  let lookUps = 0;
  const complete = scoring.complete.bind(scoring);
  scoring.complete = (ordinal) => {
    lookUps += scoring.termsLacking;
    return complete(ordinal);
  };
  const wanted = { count: 100, groups: { of: (ordinal: number) => ordinal }, floor: 0 };
  finished(forEachOfBest(scoring, wanted, UNBOUNDED, () => undefined));
  scoring.close();
  expect(lookUps).toBeLessThan(300 * 300);
});

it("passes over what comes between two steps", () => {
  const field = (text: string) => [{ terms: text.split(" "), weight: 1 }];
  const index = new LexicalIndex();
  for (let i = 0; i < 100; i++) index.add(field(i % 10 === 0 ? "the zebra" : "the parcel"));
  const scoring = index.score(index.weigh(["the", "zebra"]));
  const visited: number[] = [];
  const wanted = { count: 200, groups: { of: (ordinal: number) => ordinal }, floor: 0 };
  const steps = forEachOfBest(scoring, wanted, { ...UNBOUNDED, shouldYield: () => true }, (ordinal) =>
    visited.push(ordinal),
  );
  for (const _ of steps) for (let i = 0; i < 50; i++) index.stage(field("the zebra"));
  scoring.close();
  expect(visited.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  // Nothing is left to the next question.
  const again = index.score(index.weigh(["the"]));
  for (let ordinal = 0; ordinal < index.nextOrdinal; ordinal++) expect(again.partial(ordinal)).toBe(0);
  again.close();
});

it("makes whole no more than it may, the best by what is known of them", () => {
  const index = new LexicalIndex();
  const texts = Array.from({ length: 200 }, (_, i) => [
    "zebra",
    ...(i < 5 ? ["order"] : []),
    ...Array(i % 7).fill("the"),
  ]);
  for (const terms of texts) index.add([{ terms, weight: 1 }]);
  const scoring = index.score(index.weigh(["order", "zebra", "the"]));
  const visited: number[] = [];
  const work: Work = {
    mayRead: (postings) => postings < 200,
    completionsOf: (passages) => Math.min(3, passages),
    shouldYield: () => false,
  };
  const steps = forEachOfBest(
    scoring,
    { count: 100, groups: { of: (ordinal) => ordinal }, floor: 0 },
    work,
    (ordinal) => visited.push(ordinal),
  );
  expect(slicesOf(steps)).toBe(0);
  scoring.close();
  expect(visited).toHaveLength(3);
  expect(visited.every((ordinal) => ordinal < 5)).toBe(true);
});
