import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../../src/analysis/languages.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import type { SearchResult } from "../../../src/model/types.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../../src/search/request.ts";
import { answer } from "../../support/answer.ts";

const german = await analyzerOf("de");
if (german === undefined) throw new Error("German is missing.");
const analyzer = german;

function answers(texts: Readonly<Record<string, string>>, query: string): SearchResult[] {
  const index = new SearchIndex(analyzer);
  for (const [id, md] of Object.entries(texts)) {
    index.replace({ id, type: "DOCUMENT", status: "active", metaData: {}, titles: [], content: [{ md }] }, 1);
  }
  return answer(index, parseSearchRequest({ query }), analyzeQuery(query, analyzer));
}

function ask(texts: Readonly<Record<string, string>>, query: string): string[] {
  return answers(texts, query).map(({ resourceDocId }) => resourceDocId);
}

const HELP = {
  reset: "Die Passwortrücksetzung geht über den Link in der Nachricht.",
  notice: "Sie kündigen den Vertrag mit einer Frist von drei Monaten. Die Kündigung schreiben Sie uns.",
  parcel: "Jedes Paket hat eine Nummer, mit der die Sendung verfolgt wird.",
  other: "Wir haben von neun bis fünf geöffnet. Eine Rücksetzung des Zählers ist nicht nötig.",
};

describe("words that are written together", () => {
  it.each([
    ["Wie kann ich mein Passwort zurücksetzen?", "reset"],
    ["Kündigungsfrist", "notice"],
    ["Paketnummer", "parcel"],
    ["Sendungsverfolgung", "parcel"],
    ["Vertragsende", "notice"],
  ])("%s finds first %s", (query, id) => {
    expect(ask(HELP, query)[0]).toBe(id);
  });

  it("count for both of their parts", () => {
    const texts = { both: "Die Paketnummer steht oben.", one: "Das Paket steht oben.", two: "Die Nummer steht oben." };
    const index = new SearchIndex(analyzer);
    index.replace(
      { id: "b", type: "DOCUMENT", status: "active", metaData: {}, titles: [], content: [{ md: texts.both }] },
      1,
    );
    index.replace(
      { id: "1", type: "DOCUMENT", status: "active", metaData: {}, titles: [], content: [{ md: texts.one }] },
      1,
    );
    index.replace(
      { id: "2", type: "DOCUMENT", status: "active", metaData: {}, titles: [], content: [{ md: texts.two }] },
      1,
    );
    const scores = index.lexical.termScores(
      finished(analyzeQuery("Nummer vom Paket", analyzer).weigh(index.lexical)),
      0,
    );
    expect(scores.map(({ term }) => term).sort()).toEqual(["numm", "paket"]);
  });

  it("count no more than half for a part that is known, where the rest is not", () => {
    const worth = (query: string): number => answers(HELP, query)[0]?.bestMatchScore ?? 0;
    expect(worth("Paketversicherung")).toBeGreaterThan(0);
    expect(worth("Paketversicherung")).toBeLessThan(0.5 * worth("Paket"));
  });

  it("are no guess where a text holds the word itself", () => {
    expect(ask({ ...HELP, exact: "Die Kündigungsfrist beträgt drei Monate." }, "Kündigungsfrist")[0]).toBe("exact");
  });

  it("have no parts that no text holds", () => {
    expect(ask(HELP, "Donaudampfschiff")).toEqual([]);
  });
});

const WINDOWS = [
  "pass",
  "wort",
  "paket",
  "numm",
  "frist",
  "passwort",
  "paketnumm",
  "wortsfrist",
  "fristenpaket",
  "das",
];

describe("a query of parts", () => {
  it("scores every passage the same in whatever way it is asked, and in whatever order passages came", () => {
    const passage = fc.array(fc.constantFrom(...WINDOWS), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(passage, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom(...WINDOWS, "fristnumm")),
        (passages, query) => {
          const [index, reversed] = [new LexicalIndex(), new LexicalIndex()];
          for (const terms of passages) index.add([{ terms, weight: 1 }]);
          for (const terms of [...passages].reverse()) reversed.add([{ terms, weight: 1 }]);
          const reading = { links: ["", "s", "en"] };
          const weighted = index.weigh(query, reading);
          const scoring = index.score(weighted);
          while (scoring.hasNext) scoring.addTerm();
          const other = reversed.weigh(query, reading);
          for (let ordinal = 0; ordinal < passages.length; ordinal++) {
            const score = index.scoreOf(weighted, ordinal);
            expect(scoring.complete(ordinal)).toBeCloseTo(score, 9);
            expect(score).toBeLessThanOrEqual(weighted.upperBound);
            expect(reversed.scoreOf(other, passages.length - 1 - ordinal)).toBeCloseTo(score, 9);
          }
          scoring.close();
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });
});
