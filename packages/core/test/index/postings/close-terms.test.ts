import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TypedWord } from "../../../src/index/postings/close-terms.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

/** Words one or two mistakes from each other, and some that go on where others end. */
const WORDS = [
  "late",
  "date",
  "rate",
  "mate",
  "reset",
  "rest",
  "resets",
  "preset",
  "refer",
  "refers",
  "password",
  "passport",
  "passwords",
  "delete",
];
const TYPED = [...WORDS, "rset", "reste", "pasword", "pass", "passw", "zate", "del", "deletee", "refre", "zzzz"];

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
const texts = fc.array(text, { minLength: 1, maxLength: 20 });
const question = fc.array(fc.constantFrom(...TYPED), { minLength: 1, maxLength: 4 });

const asItIs: TypedWord["someWordOf"] = (term, min, max, test) =>
  term.length >= min && term.length <= max && test(term);

/** Every term is a word, and the last word of a question is unfinished. */
function typedAs(query: readonly string[]): (term: string) => readonly TypedWord[] {
  return (term) => [{ word: term, isUnfinished: term === query.at(-1), someWordOf: asItIs }];
}

function indexOf(passages: readonly (readonly string[])[]): LexicalIndex {
  const index = new LexicalIndex();
  for (const [i, terms] of passages.entries()) {
    // Titles count more than once, headings less: shares of both must come out the same everywhere.
    const fields = [
      { terms, weight: 1, fragmentStarts: terms.map((_, at) => at) },
      { terms: terms.slice(0, 1), weight: i % 2 === 0 ? 0.75 : 1.5 },
    ];
    index.add(fields);
  }
  return index;
}

/** By ordinal; passages without a score are missing. */
function scoresOf(
  index: LexicalIndex,
  query: readonly string[],
  stopAfter = Number.POSITIVE_INFINITY,
): Map<number, number> {
  const scores = new Map<number, number>();
  const scoring = index.score(index.weigh(query, { typedAs: typedAs(query) }));
  for (let added = 0; scoring.hasNext && added < stopAfter; added++) scoring.addTerm();
  for (let ordinal = 0; ordinal < index.nextOrdinal; ordinal++) {
    const score = scoring.complete(ordinal);
    if (score > 0) scores.set(ordinal, score);
  }
  scoring.close();
  return scores;
}

describe("terms close to a word that no passage holds", () => {
  it("are scored to the same bit, wherever adding terms stopped, and never beyond the bound", () => {
    fc.assert(
      fc.property(texts, question, fc.nat(4), (passages, query, added) => {
        const index = indexOf(passages);
        const weighted = index.weigh(query, { typedAs: typedAs(query) });
        const whole = scoresOf(index, query);
        expect(scoresOf(index, query, added)).toEqual(whole);
        for (const ordinal of passages.keys()) {
          expect(index.scoreOf(weighted, ordinal)).toBe(whole.get(ordinal) ?? 0);
          expect(whole.get(ordinal) ?? 0).toBeLessThanOrEqual(weighted.upperBound);
        }
      }),
    );
  });

  it("depend on the passages that are there, not on their order or on what was", () => {
    fc.assert(
      fc.property(texts, texts, question, (passages, gone, query) => {
        const index = indexOf(passages);
        const other = indexOf([...gone, ...[...passages].reverse()]);
        for (const ordinal of gone.keys()) other.remove(ordinal);
        const weights = (of: LexicalIndex): [string, number][] =>
          [...of.weigh(query, { typedAs: typedAs(query) }).byTerm].sort();
        expect(weights(other)).toEqual(weights(index));
        expect(weights(finished(LexicalIndex.restore(other.export())))).toEqual(weights(index));
      }),
    );
  });

  it("are the same ones of many, whatever came first", () => {
    const alike = ["rate", "date", "mate", "fate", "late"];
    const close = (of: LexicalIndex): string[] => [
      ...of.weigh(["zate"], { typedAs: typedAs(["zate", ""]) }).byTerm.keys(),
    ];
    const expected = close(indexOf(alike.map((word) => [word])));
    expect(expected.length).toBeLessThan(alike.length);
    expect(close(indexOf([...alike].reverse().map((word) => [word])))).toEqual(expected);
  });

  it("do nothing to a query whose words are all held", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (passages, picks) => {
        const index = indexOf(passages);
        const held = passages.flat();
        const query = picks.map((pick) => held[pick % held.length] ?? "");
        expect(index.weigh(query, { typedAs: typedAs(query) })).toEqual(index.weigh(query));
      }),
    );
  });

  it("never lift a passage above one that holds the words themselves", () => {
    fc.assert(
      fc.property(texts, text, question, fc.nat(5), (passages, common, query, at) => {
        // Two passages, their headings of one weight, that differ in one word: as it was typed, and another.
        const typed = query[0] ?? "";
        const [exact, other] = [common.with(at % common.length, typed), common];
        const index = indexOf([...passages, exact, [], other]);
        const scores = scoresOf(index, [typed]);
        expect(scores.get(passages.length) ?? 0).toBeGreaterThanOrEqual(scores.get(index.nextOrdinal - 1) ?? 0);
      }),
    );
  });

  it("mark the pieces that hold them", () => {
    const index = new LexicalIndex();
    index.add([{ terms: ["how", "to", "reset", "a", "password"], fragmentStarts: [0, 2, 4], weight: 1 }]);
    const query = ["pasword"];
    const weights = index.fragmentWeights(index.weigh(query, { typedAs: typedAs(query) }), 0, 3);
    expect([...weights.slice(0, 2)]).toEqual([0, 0]);
    expect(weights[2]).toBeGreaterThan(0);
  });

  it("count a word once that is in the query as it should be as well", () => {
    const index = indexOf([["reset", "password"], ["passport"], ["delete"]]);
    const once = index.weigh(["password"]);
    const query = ["pasword", "password"];
    expect(index.weigh(query, { typedAs: typedAs([...query, ""]) })).toEqual(once);
  });

  it("are those that an unfinished word begins, if it begins any", () => {
    const index = indexOf([["reset", "password"], ["passport"], ["past"], ["pass"]]);
    const close = (word: string, isUnfinished: boolean): string[] => {
      const typed = [{ word, isUnfinished, someWordOf: asItIs }];
      return [...index.weigh([word], { typedAs: () => typed }).byTerm.keys()].sort();
    };
    expect(close("passw", true)).toEqual(["password"]);
    expect(close("passw", false)).toEqual(["pass"]);
    expect(close("passp", true)).toEqual(["passport"]);
    expect(close("pasword", true)).toEqual(["password"]);
  });

  it("are behind a word of three letters those that have one more behind the first", () => {
    const index = indexOf([["mail", "male", "mall", "email", "ma", "pail", "fine"]]);
    const close = (word: string, isCommon?: (term: string) => boolean): string[] =>
      [...index.weigh([word], { typedAs: typedAs([word, ""]), ...(isCommon && { isCommon }) }).byTerm.keys()].sort();
    expect(close("mil")).toEqual(["mail"]);
    expect(close("mal")).toEqual(["mail", "male", "mall"]);
    // Another letter, a letter too many, or another first letter: too many words are as near.
    for (const word of ["mai", "nal", "ail", "ml"]) expect(close(word)).toEqual(word === "mai" ? ["mail"] : []);
    // A common word that no passage happens to hold is not mistyped.
    expect(close("fin", (term) => term === "fin")).toEqual([]);
    expect(close("fin", (term) => term === "mil")).toEqual(["fine"]);
  });

  it("are not looked for behind numbers or short words", () => {
    const index = indexOf([["1973", "iphone13", "the", "then"]]);
    for (const word of ["1974", "iphone14", "teh"]) {
      expect(index.weigh([word], { typedAs: typedAs([word, ""]) }).byTerm.size).toBe(0);
    }
  });
});
