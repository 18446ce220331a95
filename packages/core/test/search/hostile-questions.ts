import fc from "fast-check";
import { expect, vi } from "vitest";
import { count } from "../../../../test/support/counts.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { Guesses } from "../../src/index/postings/guesses.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { QUERY_CHARACTERS_MAX } from "../../src/model/limits.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { SEARCH_BUDGET, type SearchBudget } from "../../src/search/budget.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";

/** A budget so small that a small bot reaches it. */
const SMALL: SearchBudget = { ...SEARCH_BUDGET, postings: 2_000, completions: 40_000, comparisonsOfDocument: 6_000 };
const GUESSES = 3_000;

const analyzer = (await analyzerOf("multi")) ?? expect.fail("no analyzer");

const COMMON = ["parcel", "order", "refund", "account", "harbour", "delivery", "password", "invoice"];
const CJK = [..."日本語検索荷物注文返金東京都大阪市配達"];

/** The words of a bot: some that all passages hold, and many rare ones. */
function wordOf(n: number): string {
  return `${COMMON[n % COMMON.length]}${String.fromCharCode(97 + (n % 26), 97 + ((n * 7) % 26), 97 + ((n * 3) % 26))}`;
}

function document(id: string, paragraphs: readonly string[]): SearchableDocument {
  const md = paragraphs.join("\n\n");
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [`Title ${id}`] };
}

/** A bot of so many documents, and one that is as long as a hundred others. */
export function hostileIndex(documents: number): SearchIndex {
  const index = new SearchIndex(analyzer, undefined, SMALL);
  const paragraph = (n: number): string =>
    `${COMMON.join(" ")} ${wordOf(n)} ${wordOf(n * 31)} ${CJK.slice(n % 9).join("")} number ${n}`;
  for (let i = 0; i < documents; i++) index.replace(document(`d${i}`, [paragraph(i)]), i + 1);
  const long = Array.from({ length: documents * 4 }, (_, i) =>
    `## Part ${i}\n\n${paragraph(i)} ${paragraph(i + 7)}`.repeat(3),
  );
  index.replace(document("long", long), documents + 1);
  return index;
}

const mistyped = fc.tuple(fc.nat(2_000), fc.nat(8)).map(([n, at]) => {
  const word = wordOf(n);
  return `${word.slice(0, at)}z${word.slice(at + 1)}`;
});
const known = fc.nat(2_000).map(wordOf);
const common = fc.constantFrom(...COMMON);
const characters = fc.array(fc.constantFrom(...CJK), { minLength: 1, maxLength: 40 }).map((all) => all.join(""));
const repeated = fc
  .oneof(known, mistyped, fc.string({ minLength: 1, maxLength: 6 }))
  .map((each) => `${each} `.repeat(600));
const words = fc.oneof(mistyped, known, common, characters, fc.string({ maxLength: 12, unit: "grapheme" }));

/** Questions that are long, repeated, mistyped, of common words alone, of another script, and of all that. */
const hostile = fc
  .oneof(
    ...[mistyped, known, common, characters, words].map((word) =>
      fc.array(word, { minLength: 1, maxLength: 700, size: "max" }).map((all) => all.join(" ")),
    ),
    repeated,
  )
  .map((text) => text.slice(0, QUERY_CHARACTERS_MAX).toWellFormed())
  .filter((text) => text.trim() !== "");

/** Asks hostile questions, and counts what is done for each. */
export function askHostileQuestions(documents: number, numRuns: number): { runs: number; cutOff: number } {
  const index = hostileIndex(documents);
  const compared = vi.spyOn(index.lexical, "scoreOf");
  let cutOff = 0;
  count("hostile questions, each held to its budget", numRuns);
  fc.assert(
    fc.property(hostile, fc.boolean(), (query, includeContent) => {
      const request = parseSearchRequest({ query, options: { topK: 100, includeContent } });
      const analyzed = analyzeQuery(query, analyzer);
      compared.mockClear();
      const found = answer(index, request, analyzed);
      const { spent } = index.effort;
      const weighed = finished(analyzed.weigh(index.lexical)).terms;
      const terms = weighed.length;
      // The first list of postings, and the least of each document, are always read. The lists of all that a word stands for that was only begun count as one.
      const longest = Math.max(0, ...weighed.map(({ frequency, close }) => frequency * (close === undefined ? 1 : 8)));
      expect(spent.postings).toBeLessThanOrEqual(Math.max(SMALL.postings, longest));
      expect(spent.completions).toBeLessThanOrEqual(SMALL.completions + 64 + terms);
      const ofDocument = Math.max(SMALL.comparisonsOfDocument, 32 * (64 + terms));
      expect(spent.comparisons).toBeLessThanOrEqual(100 * ofDocument);
      // Counted by themselves: each comparison is a look at one passage.
      expect(compared.mock.calls.length).toBeLessThanOrEqual((100 * ofDocument) / (64 + terms));
      if (spent.comparisons > SMALL.comparisonsOfDocument || spent.postings > SMALL.postings / 2) cutOff++;
      const guesses = new Guesses(GUESSES);
      const reading = { typedAs: (term: string) => [{ word: term, isUnfinished: false, someWordOf: () => true }] };
      finished(index.lexical.weighInSlices(analyzed.terms, reading, guesses));
      // The word that is begun last is looked for to the end: two looks at every term, and a comparison with some.
      expect(guesses.spent).toBeLessThanOrEqual(GUESSES + index.lexical.vocabularySize * 2 * (1 + 8 + 32));
      // The same question has the same answer.
      expect(answer(index, request, analyzeQuery(query, analyzer))).toEqual(found);
    }),
    // A word that was only begun, which stands for more words than most, and then a question without a term.
    {
      numRuns,
      examples: [
        ["ref", false],
        ["} ".repeat(600), false],
      ],
    },
  );
  return { runs: numRuns, cutOff };
}
