import { describe, expect, it } from "vitest";
import { TokenCodesOfSearch } from "../../src/index/token-codes/codes-of-search.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { explain } from "../../src/search/explain/explain.ts";
import { codesOfDocument, compareDocument } from "../../src/search/rerank/compared-passages.ts";
import { rerankedDocuments } from "../../src/search/rerank/rerank.ts";
import { rerankedScore } from "../../src/search/rerank/reranked-score.ts";
import type { DocumentHits } from "../../src/search/retrieval.ts";
import { askedTokens, CALIBRATION, FakeKeptTokenCodes } from "../support/fake-token-codes.ts";
import { ask, askingOf, document, FILLER, indexOf, wordsOnly } from "./rerank-kit.ts";

/** Two parts of one passage, of the same words but one. */
const [first, second] = ["zebra", "lion"].map((animal) => `The car and the ${animal}, ${FILLER.slice(0, 204)}.`);
const TWO = `${first}\n\n${second}`;
const heaviest = { ...CALIBRATION, weight: 20 };

const scoresOf = (results: readonly SearchResult[]) =>
  new Map(results.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]));

describe("the parts of a passage", () => {
  it("are quoted by the tokens that they hold, where words and meaning tell them not apart", async () => {
    const index = indexOf([document("a", TWO)]);
    const tokenCodes = new FakeKeptTokenCodes(index);
    for (const [animal, line] of [
      ["zebra", 1],
      ["lion", 3],
    ] as const) {
      const [result] = await ask(index, "car", { tokenCodes, tokensOf: `car ${animal}`, calibration: heaviest });
      const [best, other] = result?.similarTextParts ?? [];
      expect([best?.start, other?.start]).toEqual([line, 4 - line]);
      expect(best?.similarity).toBeGreaterThan((other?.similarity ?? 0) + 0.01);
    }
  });

  it("are not looked at where there are no vectors: tokens tell nothing where the vector of their question does not", async () => {
    const documents = [document("a", TWO), document("b", "A car.")];
    const index = wordsOnly(documents);
    const answers = await Promise.all(
      [undefined, new FakeKeptTokenCodes(index)].map((tokenCodes) =>
        ask(index, "car lion", { tokenCodes, calibration: heaviest }),
      ),
    );
    expect(answers[1]).toEqual(answers[0]);
    const read = indexOf(documents);
    const [two, three] = await Promise.all([
      ask(read, "car lion"),
      ask(read, "car lion", { tokenCodes: new FakeKeptTokenCodes(read) }),
    ]);
    expect(three).not.toEqual(two);
  });

  it("are told by their lines in an explanation, the first where several are as close, and none for a wording", async () => {
    const index = indexOf([document("a", TWO), document("q", TWO, { type: "QNA", titles: ["Which car is it?"] })]);
    const { request, asking } = askingOf("car lion the", { tokenCodes: new FakeKeptTokenCodes(index) });
    const looked = async (id: string) =>
      (await explain(index, request, id, () => 1, asking)).passages.filter(({ rerank }) => rerank !== undefined);
    const [passage] = await looked("a");
    expect(passage?.rerank?.matches).toEqual([
      { wordPiece: "car", closeness: 1, start: 1, stop: 1 },
      { wordPiece: "lion", closeness: 1, start: 3, stop: 3 },
      { wordPiece: "the", closeness: 1, start: 1, stop: 1 },
    ]);
    const variant = (await looked("q")).find(({ kind }) => kind === "variant");
    expect(variant?.rerank?.matches[0]).toEqual({ wordPiece: "car", closeness: 1 });
  });
});

describe("an explanation of a long document", () => {
  it("has its passages in the order of all looks, also those that nobody looked at", async () => {
    const md = Array.from({ length: 40 }, (_, i) => `The car number${i} and ${FILLER}`).join("\n\n");
    const index = indexOf([document("long", md), document("other", "A car.")]);
    const { request, asking } = askingOf("car", {
      tokenCodes: new FakeKeptTokenCodes(index),
      tokensOf: "nothing here matches",
    });
    const { passages, score } = await explain(index, request, "long", () => 1, asking);
    const looked = passages.map(({ rerank }) => rerank !== undefined);
    expect(looked).toContain(false);
    expect(looked[0]).toBe(true);
    expect(passages[0]?.rerank?.similarity).toBe(score);
  });
});

describe("a document whose token codes are missing", () => {
  it("is taken for as close as the others are on the average, without those that equal the question", async () => {
    const titles = ["Is a lion in the car"];
    const index = indexOf([
      document("far", "A car, as is told."),
      document("near", "A lion in a car."),
      document("missing", "Some car."),
      document("equal", "Nothing of it here.", { titles }),
    ]);
    const query = titles[0] ?? "";
    const two = scoresOf(await ask(index, query));
    const three = scoresOf(
      await ask(index, query, { tokenCodes: new FakeKeptTokenCodes(index, new Set(["missing"])) }),
    );
    const { weight } = CALIBRATION;
    const closeness = (id: string): number =>
      (((three.get(id) ?? 0) ** 1.5 * (1 + weight) - (two.get(id) ?? 0) ** 1.5) / weight) ** (2 / 3);
    expect([two.get("equal"), three.get("equal")]).toEqual([1, 1]);
    expect(closeness("near")).toBeGreaterThan(closeness("far") + 0.1);
    const usual = (closeness("far") + closeness("near")) / 2;
    expect(three.get("missing")).toBeCloseTo(rerankedScore(two.get("missing") ?? 0, usual, weight), 6);
  });
});

describe("comparing tokens", () => {
  it("gives others their turn while the token codes of a hundred documents are found", () => {
    const ids = Array.from({ length: 100 }, (_, i) => `d${i}`);
    const index = indexOf(ids.map((id) => document(id, `penguin ${id}`)));
    const kept = new FakeKeptTokenCodes(index, new Set(), () => false);
    const { space, calibration, of } = askedTokens("penguin");
    const tokenCodes = new TokenCodesOfSearch(kept);
    const found = ids.map((id): DocumentHits => {
      const indexed = index.documents.find(id) ?? expect.fail("not there");
      const passages = [{ ordinal: indexed.firstOrdinal, similarity: 0.5, words: 0 }];
      return { document: indexed, passages, variant: 0, equal: { title: false, fragments: [] } };
    });
    index.effort.begin();
    // All must be read first, so nothing is compared.
    const steps = rerankedDocuments(index, found, { question: of, bytes: space.bytes, calibration, tokenCodes });
    let most = 0;
    for (let before = 0, done = false; !done; before = kept.asked) {
      done = steps.next().done === true;
      most = Math.max(most, kept.asked - before);
    }
    expect(kept.asked).toBe(100);
    expect(most).toBeLessThan(100);
  });

  it("gives others their turn, as often as there is much to compare", () => {
    const words = Array.from({ length: 64 }, (_, i) => `word${i}`).join(" ");
    const index = indexOf([document("a", `${words}\n\n${FILLER.repeat(30)}`)]);
    const indexed = index.documents.find("a") ?? expect.fail("not there");
    const passages = Array.from({ length: indexed.passageCount }, (_, i) => ({
      ordinal: indexed.firstOrdinal + i,
      similarity: 0.5,
      words: 0,
    }));
    const found = { document: indexed, passages, variant: 0, equal: { title: false, fragments: [] } };
    const turnsOf = (query: string): number => {
      const { space, calibration, of } = askedTokens(query);
      const tokenCodes = new TokenCodesOfSearch(new FakeKeptTokenCodes(index));
      const look = { question: of, bytes: space.bytes, calibration, tokenCodes };
      const codes = codesOfDocument(index, found, look) ?? expect.fail("not there");
      index.effort.begin();
      const steps = compareDocument(index, codes, look);
      let turns = 0;
      while (steps.next().done !== true) turns++;
      return turns;
    };
    expect(passages.length).toBeGreaterThan(15);
    expect(turnsOf("word1")).toBe(0);
    expect(turnsOf(words)).toBeGreaterThanOrEqual(2);
  });
});
