import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import { finished, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { identified } from "../../src/search/identified-passages.ts";
import { analyzeQuery, termsOfQuestion } from "../../src/search/parsed-query.ts";
import { CompiledVocabulary } from "../../src/vocabulary/compiled-vocabulary.ts";
import { parseVocabulary } from "../../src/vocabulary/shape.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

/** An index of these texts, a document of one passage each. */
function indexOf(texts: readonly string[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, md] of texts.entries()) {
    const document: SearchableDocument = {
      id: `d${i}`,
      type: "DOCUMENT",
      status: "active",
      metaData: {},
      content: [{ md }],
      titles: [],
    };
    const replacement = { version: 1, cut: cutDocument(document), current: () => document };
    finished(index.replaceInSlices(document, replacement));
  }
  return index;
}

/** The texts that lack an identifier of the question; undefined if its identifiers tell no passages apart. */
function lacking(texts: readonly string[], question: string, synonyms: readonly string[]): string[] | undefined {
  const index = indexOf(texts);
  const compiled = finished(CompiledVocabulary.of(parseVocabulary({ synonyms }), analyzer, UNCOUNTED));
  const asked = finished(compiled.asked(termsOfQuestion(question, analyzer), UNCOUNTED));
  const analyzed = analyzeQuery(question, analyzer, asked);
  const told = finished(identified(analyzed.identifiers, finished(analyzed.weigh(index.lexical)), index));
  const ordinalOf = (i: number) => index.documents.find(`d${i}`)?.firstOrdinal ?? expect.fail("it is indexed");
  return told && texts.filter((_, i) => !told.holding.has(ordinalOf(i)));
}

const many = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text} ${"abcdefg"[i % 7]}`);

describe("synonyms of an exact string", () => {
  it.each([33, 255, 256, 257])("leave it deciding if %s passages have them", (count) => {
    const errors = many(count, "An error of the pump");
    const texts = ["E17 is shown by the pump.", ...errors, "Nothing is shown."];
    expect(lacking(texts, "What is E17?", ["E17 => error"])).toEqual([...errors, "Nothing is shown."]);
    const failures = many(count, "A failure of the pump");
    expect(lacking([...texts, ...failures], "What is E17?", ["E17 => error, failure"])).toContain(failures[0]);
  });

  it("count as it if few passages have them, also where a passage has the string itself", () => {
    const texts = ["E17 is shown by the pump.", "The pump is blocked.", "E18 is shown by the door.", "E170 is rare."];
    expect(lacking(texts, "What is E17?", [])).toEqual(texts.slice(1));
    expect(lacking(texts, "What is E17?", ["E17 => blocked"])).toEqual(texts.slice(2));
    expect(lacking(texts, "E17 and E18?", ["E17 => blocked"])).toEqual(lacking(texts, "E17 and E18?", []));
    const both = [...texts, "E17 or E18.", "Blocked, with E18."];
    expect(lacking(both, "E17 and E18?", ["E17 => blocked"])).toEqual(texts);
  });
});

it("law: a synonym makes no passage lack an exact string that it does not lack without", () => {
  const word = fc.constantFrom("E17", "E 17", "E18", "2.10.3", "v2.10.3", "pump", "error", "blocked");
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(" "));
  const line = fc.tuple(word, fc.constantFrom(" => ", ", "), word).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), text, fc.array(line, { maxLength: 3 }), (texts, question, lines) => {
      const without = lacking(texts, question, []);
      const withThem = lacking(texts, question, lines);
      expect(withThem === undefined).toBe(without === undefined);
      for (const each of withThem ?? []) expect(without).toContain(each);
    }),
    { numRuns: lawRuns(500) },
  );
});
