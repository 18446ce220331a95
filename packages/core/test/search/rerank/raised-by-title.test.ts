import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import type { SearchIndex } from "../../../src/index/search-index.ts";
import { TokenCodesOfSearch } from "../../../src/index/token-codes/codes-of-search.ts";
import { explain } from "../../../src/search/explain/explain.ts";
import { codesOfDocument, compareDocument } from "../../../src/search/rerank/compared-passages.ts";
import { rerankedByComparison, scoreOf } from "../../../src/search/rerank/rerank.ts";
import type { DocumentHits } from "../../../src/search/retrieval.ts";
import { askedTokens, CALIBRATION, FakeKeptTokenCodes, tokenCodesOfWords } from "../../support/fake-token-codes.ts";
import { ask, askingOf, document, FILLER, indexOf } from "../rerank-kit.ts";

const TITLE = "zebra lion tiger";
const OTHER_TITLE = "giraffe monkey rhino";
const TEXT = [`The car, a zebra, and ${FILLER}`, `The car and ${FILLER}`, `The lion, a zebra, a car and ${FILLER}`];

/** An encoder that takes the title above a passage for little: long texts make their first words nearly disappear. */
function keptOf(index: SearchIndex): FakeKeptTokenCodes {
  const isHeld = (): boolean => true;
  return new FakeKeptTokenCodes(index, new Set(), isHeld, (text) =>
    tokenCodesOfWords(text.slice(text.indexOf("\n") + 1)),
  );
}

function explainedWith(title: string) {
  const index = indexOf([document("titled", TEXT.join("\n\n"), { titles: [title] })]);
  const { request, asking } = askingOf("car", { tokenCodes: keptOf(index), tokensOf: TITLE });
  return explain(index, request, "titled", () => 1, asking);
}

describe("a title that is closer to the question than the passages", () => {
  it("raises its document, and no other", async () => {
    const scoresWith = async (title: string): Promise<ReadonlyMap<string, number>> => {
      const [first = ""] = TEXT;
      const index = indexOf([document("titled", first, { titles: [title] }), document("other", first)]);
      const results = await ask(index, "car", { tokenCodes: keptOf(index), tokensOf: TITLE });
      return new Map(results.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]));
    };
    const [close, far] = [await scoresWith(TITLE), await scoresWith(OTHER_TITLE)];
    expect(close.get("titled")).toBeGreaterThan((far.get("titled") ?? 1) + 0.05);
    expect(close.get("other")).toBe(far.get("other"));
  });

  it("raises all its passages by one factor, which the explanation tells, with the score of the answer", async () => {
    const passagesWith = async (title: string) =>
      (await explainedWith(title)).passages.flatMap((passage) =>
        passage.kind === "passage" && passage.rerank ? [{ start: passage.start, ...passage.rerank }] : [],
      );
    const [raised, own] = [await passagesWith(TITLE), await passagesWith(OTHER_TITLE)];
    expect(own.map(({ titleFactor }) => titleFactor)).toEqual(own.map(() => undefined));
    const factor = raised[0]?.titleFactor ?? 0;
    expect(factor).toBeGreaterThan(1.1);
    for (const { start, closeness, similarity, titleFactor } of raised) {
      const before = own.find((each) => each.start === start);
      expect(titleFactor).toBe(factor);
      expect(closeness).toBe(before?.closeness);
      // The two titles have other vectors.
      expect(similarity).toBeCloseTo((before?.similarity ?? 0) * factor, 3);
    }
    expect(raised.map(({ start }) => start)).toEqual(own.map(({ start }) => start));
    expect((await explainedWith(TITLE)).score).toBe(raised[0]?.similarity);
  });

  it("never lowers a score, leaves passages in their order, and a closer passage or title never lowers it either", () => {
    const share = fc.double({ min: 0, max: 0.999, noNaN: true });
    const passage = fc.record({ similarity: share, closeness: fc.option(share), closer: share });
    const least = 1 - 1e-12;
    fc.assert(
      fc.property(fc.array(passage, { minLength: 1, maxLength: 6 }), share, share, fc.nat(), (drawn, a, b, at) => {
        const sorted = drawn.toSorted((one, other) => other.similarity - one.similarity);
        const found: DocumentHits = {
          document: expect.anything(),
          passages: sorted.map(({ similarity }, ordinal) => ({ ordinal, similarity, words: 0 })),
          variant: 0,
          equal: { title: false, fragments: [] },
        };
        const compared = (title: number, isCloser: boolean) =>
          sorted.flatMap(({ closeness, closer }, ordinal) => {
            // The best passage is always compared.
            const own = closeness ?? (ordinal === 0 ? 0 : undefined);
            if (own === undefined) return [];
            const now = isCloser && ordinal === at % sorted.length ? Math.max(own, closer) : own;
            return [[ordinal, { closeness: now, closenessWithTitle: Math.max(now, title), windows: [now] }] as const];
          });
        const rerankedWith = (title: number, isCloser = false) =>
          rerankedByComparison(found, new Map(compared(title, isCloser)), { calibration: CALIBRATION });
        const ordinalsOf = ({ passages }: DocumentHits) => passages.map(({ ordinal }) => ordinal);
        const [none, far, near] = [rerankedWith(0), rerankedWith(Math.min(a, b)), rerankedWith(Math.max(a, b))];
        expect(none.titleFactor).toBeUndefined();
        expect(scoreOf(far)).toBeGreaterThanOrEqual(scoreOf(none) * least);
        expect(scoreOf(near)).toBeGreaterThanOrEqual(scoreOf(far) * least);
        expect(scoreOf(near)).toBeLessThanOrEqual(0.999);
        expect(ordinalsOf(near)).toEqual(ordinalsOf(none));
        // A closer passage lowers no score, unless others that were not compared are taken for as close as the least one.
        if (compared(a, false).length < sorted.length) return;
        expect(scoreOf(rerankedWith(a, true))).toBeGreaterThanOrEqual(scoreOf(rerankedWith(a)) * least);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

describe("comparing a title", () => {
  it("counts as work, and gives others their turn", () => {
    const words = Array.from({ length: 64 }, (_, i) => `word${i}`).join(" ");
    const turnsWith = (title: string): number => {
      const index = indexOf([document("a", "A car.", { titles: [title] })]);
      const indexed = index.documents.find("a") ?? expect.fail("not there");
      const passages = [{ ordinal: indexed.firstOrdinal, similarity: 0.5, words: 0 }];
      const found = { document: indexed, passages, variant: 0, equal: { title: false, fragments: [] } };
      const { space, calibration, of } = askedTokens(words);
      const kept = new FakeKeptTokenCodes(
        index,
        new Set(),
        () => true,
        (text) => (text === title ? tokenCodesOfWords(text.repeat(10)) : tokenCodesOfWords("car")),
      );
      const reranking = { question: of, bytes: space.bytes, calibration, tokenCodes: new TokenCodesOfSearch(kept) };
      const codes = codesOfDocument(index, found, reranking) ?? expect.fail("not there");
      index.effort.begin();
      let turns = 0;
      for (let i = 0; i < 20; i++) {
        const steps = compareDocument(index, codes, reranking);
        while (steps.next().done !== true) turns++;
      }
      return turns;
    };
    expect(turnsWith("Short")).toBe(0);
    expect(turnsWith("a long title ".repeat(100).trim())).toBeGreaterThan(0);
  });
});
