import fc from "fast-check";
import { expect, it } from "vitest";
import { BestGroups } from "../../../src/index/postings/best-groups.ts";
import { forEachOfBest } from "../../../src/index/postings/best-passages.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { RisenPassages } from "../../../src/index/postings/scoring-memory.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const words = ["the", "of", "parcel", "order", "harbour", "zebra"];
const word = fc.nat(99).map((n) => words[Math.floor((n / 100) ** 2 * words.length)] ?? "the");
const passages = fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 200,
  size: "max",
});

it("has all that the best so far can have changed by, after every term", () => {
  let passedOver = 0;
  const limits = fc.record({ count: fc.integer({ min: 1, max: 6 }), groupSize: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(passages, limits, (texts, { count, groupSize }) => {
      const index = new LexicalIndex();
      for (const terms of texts) index.add([{ terms, weight: 1 }]);
      const groups = { of: (ordinal: number) => Math.floor(ordinal / groupSize) };
      const kept = new BestGroups(count, groups);
      const scoring = index.score(index.weigh(words));
      while (scoring.hasNext) {
        scoring.addTerm();
        kept.renew(scoring.scores);
        const { lookedAt, scores, touched } = scoring;
        passedOver += touched.length - lookedAt.length;
        kept.offerAll(lookedAt, 0, lookedAt.length, scores);
        const anew = new BestGroups(count, groups);
        for (const ordinal of touched) anew.offer(ordinal, scores[ordinal] ?? 0);
        expect([kept.isFull, kept.threshold]).toEqual([anew.isFull, anew.threshold]);
        if (kept.isFull) scoring.watch(kept.threshold);
      }
      scoring.close();
    }),
  );
  expect(passedOver).toBeGreaterThan(1_000);
});

it("are not known where there are more than have room, nor where nobody watched", () => {
  const risen = new RisenPassages();
  expect(risen.areKnown).toBe(false);
  risen.watch(1);
  for (let i = 0; i < risen.ordinals.length; i++) risen.add(i);
  expect(risen.areKnown).toBe(true);
  risen.add(7);
  expect(risen.areKnown).toBe(false);
  risen.watch(2);
  expect([risen.areKnown, risen.count]).toEqual([true, 0]);
});

it("leaves nothing to the next question", () => {
  const index = new LexicalIndex();
  for (let i = 0; i < 50; i++) index.add([{ terms: ["zebra", ...(i % 2 ? ["order"] : [])], weight: 1 }]);
  const first = index.score(index.weigh(["zebra"]));
  first.addTerm();
  first.watch(0.01);
  first.close();
  const second = index.score(index.weigh(["zebra", "order"]));
  while (second.hasNext) second.addTerm();
  expect(second.lookCount).toBe(50);
  second.close();
});

it("visits few beside the best, once all that are left are whole", () => {
  fc.assert(
    fc.property(passages, fc.integer({ min: 1, max: 4 }), (texts, count) => {
      const index = new LexicalIndex();
      for (const terms of texts) index.add([{ terms, weight: 1 }]);
      const visited: number[] = [];
      const scoring = index.score(index.weigh(words));
      const wanted = { count, groups: { of: (ordinal: number) => ordinal }, floor: 0 };
      const work = { mayRead: () => true, completionsOf: (some: number) => some, shouldYield: () => false };
      finished(forEachOfBest(scoring, wanted, work, (_, score) => visited.push(score)));
      scoring.close();
      visited.sort((a, b) => b - a);
      const least = (visited[count - 1] ?? 0) * (1 - 1e-6);
      expect(visited.filter((score) => score < least).length).toBeLessThanOrEqual(2 * count);
    }),
  );
});
