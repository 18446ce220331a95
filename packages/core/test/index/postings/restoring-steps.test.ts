import { expect, it } from "vitest";
import { ForwardLists } from "../../../src/index/postings/forward-lists.ts";
import type { LexicalContents } from "../../../src/index/postings/lexical-capture.ts";
import { checkContents, partsOfContents } from "../../../src/index/postings/lexical-parts.ts";
import { occurrences } from "../../../src/index/postings/occurrences.ts";
import { Postings } from "../../../src/index/postings/postings.ts";
import { slicesOf } from "../../support/steps-of.ts";

const POSTINGS = 200_000;

/** Passages with so many postings in all, over so many terms. */
function contents(passages: number, postings: number, names: number): LexicalContents {
  const each = postings / passages;
  return {
    vocabulary: Array.from({ length: names }, (_, i) => `n${i}`),
    lengths: new Uint32Array(passages).fill(each * 4),
    starts: Uint32Array.from({ length: passages + 1 }, (_, i) => i * each),
    terms: Uint32Array.from({ length: postings }, (_, i) => i % names),
    words: new Uint32Array(postings).fill(occurrences(4, 0)),
  };
}

const frequencies = ({ terms, vocabulary }: LexicalContents): Uint32Array => {
  const counts = new Uint32Array(vocabulary.length);
  for (const term of terms) counts[term] = (counts[term] ?? 0) + 1;
  return counts;
};

const WORK = {
  "what is checked": checkContents,
  "the postings": (all: LexicalContents) => Postings.inSlices(frequencies(all), all),
  "the lists of passages": ForwardLists.inSlices,
  "all of it": partsOfContents,
};

it.each([
  ["passages with a term each", (n: number) => contents(POSTINGS * n, POSTINGS * n, 8)],
  ["passages of many terms", (n: number) => contents(10 * n, POSTINGS * n, 8)],
])("takes as many more steps as there are more: %s", (_, made) => {
  for (const [what, work] of Object.entries(WORK)) {
    const once = slicesOf(work(made(1)));
    const ratio = slicesOf(work(made(2))) / once;
    expect(once, what).toBeGreaterThan(12);
    expect(ratio, what).toBeGreaterThan(1.8);
    expect(ratio, what).toBeLessThan(2.2);
  }
});

it("takes as many more steps as there are more terms", () => {
  const once = slicesOf(partsOfContents(contents(1, POSTINGS, POSTINGS)));
  // Both are doubled: the postings alone would be less than half of it.
  const ratio = slicesOf(partsOfContents(contents(1, POSTINGS, 2 * POSTINGS))) / once;
  expect(ratio).toBeGreaterThan(1.6);
  expect(ratio).toBeLessThan(2.2);
});
