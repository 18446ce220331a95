import fc from "fast-check";
import { expect, it } from "vitest";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";

const word = fc.constantFrom("the", "of", "parcel", "order", "harbour", "zebra");
const passage = fc.array(word, { minLength: 1, maxLength: 12 });
const passages = fc.array(passage, { minLength: 1, maxLength: 200, size: "max" });

/** A word that is mistyped stands for two, which count as one. */
const query = fc.array(fc.oneof(word, fc.constant("zebrx")), { minLength: 1, maxLength: 5 });
const typedAs = (term: string) => [
  { word: term, isUnfinished: false, someWordOf: (held: string) => held === "zebra" || held === "order" },
];

it("are those of each passage to the last bit, of few and of many", () => {
  fc.assert(
    fc.property(
      passages,
      query,
      fc.array(fc.nat(199)),
      fc.nat(199),
      fc.nat(200),
      (texts, terms, gone, first, count) => {
        const index = new LexicalIndex();
        for (const text of texts) index.add([{ terms: text, weight: 1 }]);
        for (const ordinal of gone) index.remove(ordinal);
        const weighted = index.weigh(terms, { typedAs: (term) => (term === "zebrx" ? typedAs(term) : []) });
        const from = Math.min(first, texts.length);
        const end = Math.min(from + count, texts.length);
        const expected = Array.from({ length: end - from }, (_, i) => index.scoreOf(weighted, from + i));
        expect([...index.scoresBetween(weighted, from, end)]).toEqual(expected);
      },
    ),
  );
});
