import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";

const OPERATORS = [
  "==",
  "===",
  "!=",
  "&&",
  "||",
  "=>",
  "<=",
  ">=",
  "->",
  "|>",
  "~=",
  "=~",
  "~",
  "+",
  "™",
  "🚀",
  "€",
  "♻️",
];

/** Symbols but for accents that stand by themselves, shades of skin and what stands for a lost character. A single `|` parts cells. */
const symbols = fc
  .oneof(
    fc.constantFrom(...OPERATORS),
    fc.string({ unit: fc.constantFrom(..."=<>|~+^$€™©→∑🚀👍"), minLength: 1, maxLength: 4 }),
    fc
      .array(
        fc
          .string({ unit: "grapheme", minLength: 1, maxLength: 1 })
          .filter((sign) => /^(?!\ufffd)[\p{Sc}\p{Sm}\p{So}^]$/u.test(sign)),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join("")),
  )
  .filter((text) => text !== "|");

it("symbols that stand as a word of their own in a document find it by words, in every language", async () => {
  const analyzers = await Promise.all(["en", "de", "zh", "multi"].map(analyzerOf));
  fc.assert(
    fc.property(
      fc.constantFrom(...analyzers),
      fc.uniqueArray(symbols, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(
        "It is written @ in most programs.",
        "`a @ b`",
        "- Press @ first",
        "# Of @ and others\n\nText.",
        "a @",
      ),
      (analyzer, all, frame) => {
        const index = new SearchIndex(analyzer ?? expect.fail("no analyzer"));
        for (const [i, text] of all.entries()) {
          const content = [{ md: frame.replace("@", () => text) }];
          index.replace({ id: `d${i}`, type: "DOCUMENT", status: "active", metaData: {}, content, titles: [] }, i + 1);
        }
        for (const [i, query] of all.entries()) {
          const found = answer(index, parseSearchRequest({ query }), analyzeQuery(query, index.reader));
          expect(found.map(({ resourceDocId }) => resourceDocId)).toContain(`d${i}`);
        }
      },
    ),
    { numRuns: lawRuns(2_000) },
  );
});
