import { expect, it } from "vitest";
import type { LexicalContents } from "../../../src/index/postings/lexical-capture.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const WHOLE: LexicalContents = {
  vocabulary: ["pear", "plum"],
  lengths: Uint32Array.of(8, 4),
  starts: Uint32Array.of(0, 2, 3),
  terms: Uint32Array.of(0, 1, 1),
  words: Uint32Array.of(4, 4, 4),
};

it("takes contents that fit together", () => {
  expect(finished(LexicalIndex.restore(WHOLE)).export()).toEqual(WHOLE);
});

it.each<[string, Partial<LexicalContents>]>([
  ["a term without a name", { terms: Uint32Array.of(0, 1, 2) }],
  ["a term of the highest number", { terms: Uint32Array.of(0, 1, 0xffffffff) }],
  ["a term with two numbers", { vocabulary: ["pear", "pear"] }],
  ["a passage that is gone", { lengths: Uint32Array.of(8, 0xffffffff) }],
  ["a passage without a beginning", { starts: Uint32Array.of(0, 3) }],
  ["a passage that ends before it begins", { starts: Uint32Array.of(0, 4, 3) }],
  ["a passage that ends behind all terms", { starts: Uint32Array.of(0, 2, 4) }],
  ["terms that belong to no passage", { starts: Uint32Array.of(1, 2, 3) }],
  ["a term without occurrences", { words: Uint32Array.of(4, 4) }],
])("refuses %s", (_, broken) => {
  expect(() => finished(LexicalIndex.restore({ ...WHOLE, ...broken }))).toThrow(RangeError);
});
