import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { otherSpellings } from "../../src/search/other-spellings.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";

const english = (await analyzerOf("en")) ?? expect.fail("English is missing");
const analyzers = await Promise.all(["en", "de", "zh", "multi", "auto"].map(analyzerOf));

/** The documents that are found by words, best first; each has the text under its id. */
function ask(texts: Readonly<Record<string, string>>, query: string, analyzer = english): SearchResult[] {
  const index = new SearchIndex(analyzer);
  for (const [i, [id, md]] of Object.entries(texts).entries()) {
    index.replace({ id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] }, i + 1);
  }
  return answer(index, parseSearchRequest({ query }), analyzeQuery(query, index.reader));
}

function idsOf(results: readonly SearchResult[]): string[] {
  return results.map(({ resourceDocId }) => resourceDocId);
}

describe("the other spellings of a code", () => {
  it.each([
    ["KB 5001330", ["kb5001330"]],
    ["(KB-5001330)?", ["kb5001330"]],
    ["E1042", ["e 1042"]],
    ["RTX4090Ti", ["rtx 4090ti", "rtx4090 ti", "rtx 4090 ti"]],
    ["RTX 4090 Ti", ["rtx4090", "rtx4090ti", "4090ti"]],
    ["v2.10.3", ["2 10 3"]],
    ["V2.10", ["2 10"]],
    ["of 2.10.3", ["v2 10 3"]],
    ["a 4 page, KB. 5001330, E – 1042, CVE 2021-44228", ["a4page", "4page", "cve2021"]],
    ["0x80a0b0c0", []],
    ["no digits-here", []],
  ])("of %j are %j", (question, spellings) => {
    expect(otherSpellings(question, english).map(({ instead }) => instead.join(" "))).toEqual(spellings);
  });

  it("are looked for in questions of any length, no more than 32 of them", () => {
    expect(otherSpellings("item 5001330 ".repeat(300), english)).toHaveLength(32);
  });
});

describe("a question for a code", () => {
  const letters = fc.constantFrom("E", "KB", "ISO", "RTX", "err");
  const digits = fc.stringMatching(/^[1-9]\d{2,6}$/);
  const separators = ["", "-", " "];

  it("finds it in all spellings, and first in its own, before other codes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...analyzers),
        letters,
        digits,
        fc.uniqueArray(fc.constantFrom(...separators), { minLength: 1 }),
        fc.constantFrom(...separators),
        (analyzer, head, number, held, asked) => {
          const spelled = (separator: string): string => `The note ${head}${separator}${number} says what to do.`;
          const texts = Object.fromEntries(held.map((separator) => [`held${separator}`, spelled(separator)]));
          const others = { other: `The note ${head}-${number}7 says what to do.`, number: `Call 1${number} for help.` };
          const found = idsOf(
            ask({ ...texts, ...others, head: `The ${head} says no.` }, `${head}${asked}${number}`, analyzer),
          );
          const own = new Set(held.map((separator) => `held${separator}`));
          expect(new Set(found.slice(0, held.length))).toEqual(own);
          // A hyphen and a space are the same to words.
          const isJoined = (separator: string): boolean => separator === "";
          if (held.some((separator) => isJoined(separator) === isJoined(asked)))
            expect(isJoined(found[0]?.slice("held".length) ?? "none")).toBe(isJoined(asked));
        },
      ),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("finds versions with a v and without", () => {
    const texts = { v: "Version v2.10.3 is out.", longer: "Version 12.10.3 is out.", more: "Version 2.10.30 is out." };
    for (const query of ["v2.10.3", "2.10.3", "V2.10.3"]) expect(idsOf(ask(texts, query))[0]).toBe("v");
    for (const query of ["12.10.3", "v12.10.3"]) expect(idsOf(ask(texts, query))[0]).toBe("longer");
    for (const query of ["2.10.30", "v2.10.30"]) expect(idsOf(ask(texts, query))[0]).toBe("more");
  });

  it("finds nothing where no passage holds all of another spelling", () => {
    expect(ask({ a: "Call 1042 for help.", b: "Plan E it is." }, "E1042")).toEqual([]);
    expect(idsOf(ask({ a: "Call 1042 for help.", b: "Plan E it is.", c: "Error E-1042" }, "E1042"))[0]).toBe("c");
  });

  it("counts as much for an unknown code as for a known one", () => {
    const texts = { a: "Error E-1042 means no paper.", b: "Error E-1043 means no ink.", c: "The door is open." };
    const worth = (query: string): number => ask(texts, query)[0]?.bestMatchScore ?? 0;
    expect(worth("E1042")).toBeGreaterThan(0.8 * worth("E-1042"));
    expect(worth("E1042")).toBeLessThan(worth("E-1042"));
  });
});
