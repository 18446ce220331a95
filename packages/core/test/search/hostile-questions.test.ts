import { describe, expect, it } from "vitest";
import { Guesses } from "../../src/index/postings/guesses.ts";
import { SEARCH_GUESSES_MAX } from "../../src/model/limits.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { slicesOf } from "../support/steps-of.ts";
import { askHostileQuestions, hostileIndex } from "./hostile-questions.ts";

describe("a hostile question", () => {
  it("is answered within the budget of its search, the same each time", () => {
    expect(askHostileQuestions(40, 15).cutOff).toBeGreaterThan(0);
  });

  it("still finds what its rarest words name, first and with its whole score", () => {
    const index = hostileIndex(60);
    const generous = hostileIndex(60);
    Object.defineProperty(generous.effort, "mayRead", { value: () => true });
    const query = `17 ${"parcel order refund account harbour delivery password invoice ".repeat(60)}`;
    const request = parseSearchRequest({ query });
    const analyzed = analyzeQuery(query, index.reader);
    const [first] = answer(index, request, analyzed);
    expect(first).toEqual(
      answer(generous, request, analyzed).find(({ resourceDocId }) => resourceDocId === first?.resourceDocId),
    );
    expect(first?.similarTextParts[0]?.text).toContain("number 17");
  });

  it("of mistyped words spends no more than one budget on all of them, the longest words first", () => {
    const index = hostileIndex(60);
    const looked: string[] = [];
    const reading = {
      typedAs: (term: string) => {
        looked.push(term);
        return [{ word: term, isUnfinished: false, someWordOf: () => false }];
      },
    };
    const words = ["zzzzz", "zzzzzzzz", "zzzz", "zzzzzzzzzz", "zzzzzz"];
    finished(index.lexical.weighInSlices(words, reading, new Guesses(1)));
    expect(looked).toEqual(["zzzzzzzzzz"]);
    looked.length = 0;
    const steps = slicesOf(index.lexical.weighInSlices(words, reading, new Guesses(SEARCH_GUESSES_MAX)));
    // Others may have their turn after each word.
    expect(steps).toBe(words.length);
    expect(looked).toEqual(["zzzzzzzzzz", "zzzzzzzz", "zzzzzz", "zzzzz", "zzzz"]);
  });
});
