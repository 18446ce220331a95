import { describe, expect, it } from "vitest";
import type { Analyzer } from "../../src/analysis/analyzer.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";

const found = await analyzerOf("en");
if (found === undefined) throw new Error("English is missing");
const analyzer = found;

function indexOf(texts: Readonly<Record<string, string>>): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, [id, md]] of Object.entries(texts).entries()) {
    index.replace({ id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] }, i + 1);
  }
  return index;
}

function ask(index: SearchIndex, query: string): SearchResult[] {
  return answer(index, parseSearchRequest({ query }), analyzeQuery(query, analyzer));
}

const HELP = {
  account: "Open the settings.\n\nThere you are deleting your account.",
  billing: "Invoices come by mail.",
  shipping: "Parcels take three days.",
};

describe("a question as people type it", () => {
  it.each(["delting", "deletng", "deletign", "deletiing", "dleete", "accuont", "acount"])(
    "finds the line that was meant: %s",
    (typed) => {
      const [best] = ask(indexOf(HELP), `${typed}?`);
      expect(best?.resourceDocId).toBe("account");
      expect(best?.similarTextParts[0]).toMatchObject({ start: 3, stop: 3 });
      expect(best?.bestMatchScore).toBeLessThan(ask(indexOf(HELP), "deleting")[0]?.bestMatchScore ?? 0);
    },
  );

  it.each(["delet", "deleti", "deletin", "invo", "parc"])("finds what its last word begins: %s", (typed) => {
    expect(ask(indexOf(HELP), `how about ${typed}`)).toHaveLength(1);
    expect(ask(indexOf(HELP), `how about ${typed.slice(0, 2)}`)).toEqual([]);
  });

  it("finds only the word itself where that is there", () => {
    const index = indexOf({ ...HELP, odd: "Here is delting." });
    expect(ask(index, "delting").map(({ resourceDocId }) => resourceDocId)).toEqual(["odd"]);
  });

  it("is read once and guessed in part where it is a page of unknown words: nobody else waits for it", () => {
    let read = 0;
    let guessed = 0;
    const counting: Analyzer = {
      id: analyzer.id,
      terms: (text) => {
        read += 1;
        return analyzer.terms(text);
      },
      words: (text) => analyzer.words(text),
      compared: (text) => {
        read += 1;
        return analyzer.compared(text);
      },
      shareInQuestion: (term) => analyzer.shareInQuestion(term),
    };
    const words = Array.from({ length: 300 }, (_, i) => `ac${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`);
    const { terms, weigh } = analyzeQuery(`delting ${words.join(" ")}`, counting);
    const index = indexOf(HELP);
    expect(finished(weigh(index.lexical)).terms).not.toHaveLength(0);
    expect(read).toBe(2);
    index.lexical.weigh(terms, {
      typedAs: () => {
        guessed += 1;
        return [];
      },
    });
    expect(guessed).toBe(32);
  });

  it("finds nothing by nonsense", () => {
    expect(ask(indexOf(HELP), "xqzvk wrtpl")).toEqual([]);
  });

  it("is answered by what it is about, not by the words it asks with", () => {
    const index = indexOf({ asks: "What, who, how, when?", answers: "Parcels leave at noon.", ...HELP });
    expect(ask(index, "when and how does what leave")[0]?.resourceDocId).toBe("answers");
    expect(ask(index, "who and what")[0]?.resourceDocId).toBe("asks");
  });
});
