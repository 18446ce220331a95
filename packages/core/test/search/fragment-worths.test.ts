import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { TEXT_PARTS_MAX } from "../../src/model/limits.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { denseQuery } from "../../src/search/fusion.ts";
import { analyzeQuery, type ParsedQuery, weighQuery } from "../../src/search/parsed-query.ts";
import { textParts } from "../../src/search/quote.ts";
import { hitsOf } from "../../src/search/retrieval.ts";
import { FakeStatic } from "../support/fake-static.ts";

const analyzer = new LanguageAnalyzer("multi");

const WORDS = ["parcel", "order", "harbour", "zebra", "lamp", "stone", "refund", "money"];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const SAID = "as is told to whoever asks for it ";
const line = words.map((some) => `- Some ${some.join(" ")} there, ${SAID.repeat(2)}.`);
/** The names of its columns have a vector of their own, its rows have some together. */
const tableOf = (names: string, rows: readonly string[]): string =>
  [`| ${names} ${SAID.repeat(6)} | |`, "|---|---|", ...rows.map((cells) => `| ${cells} ${SAID} | |`)].join("\n");
const table = fc.tuple(words, fc.array(words, { minLength: 1, maxLength: 5 })).map(([names, rows]) =>
  tableOf(
    names.join(" "),
    rows.map((row) => row.join(" ")),
  ),
);
/** Of several pieces, which share it with the next passage. */
const longLine = fc
  .array(words, { minLength: 4, maxLength: 6 })
  .map((all) => all.map((some) => `${"So it is said, and said again".repeat(25)}. ${some.join(" ")}.`).join(" "));
const passage = fc.oneof(
  { weight: 8, arbitrary: fc.array(line, { minLength: 1, maxLength: 9 }).map((lines) => lines.join("\n")) },
  { weight: 2, arbitrary: table },
  { weight: 1, arbitrary: longLine },
);
const markdown = fc
  .array(passage, { minLength: 2, maxLength: 9, size: "max" })
  .map((all) => all.map((text, i) => `## Part ${i}\n\n${text}`).join("\n\n"));
const question = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((some) => `Find ${some.join(" ")} now`);

/** The index of one document, read by a static embedder, and a question as it understands it. */
function asked(md: string, text: string, staticEmbedder: FakeStatic): { index: SearchIndex; query: ParsedQuery } {
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(staticEmbedder.space, new PassageVectors(staticEmbedder.space.dimensions), "static");
  const metaData = {};
  const document = {
    id: "d",
    type: "DOCUMENT" as const,
    status: "active" as const,
    metaData,
    content: [{ md }],
    titles: [],
  };
  const encode = (window: string): Int8Array => encodeVector(staticEmbedder.embed(window));
  finished(
    index.replaceInSlices(document, { version: 1, cut: cutDocument(document), current: () => document, encode }),
  );
  const embedder = {
    ...staticEmbedder.space,
    weight: 0.4,
    calibrate: (cosine: number) => staticEmbedder.calibrate(cosine),
  };
  const vector = staticEmbedder.embed(text);
  const dense = denseQuery(index.windowVectors, {
    embedder,
    vector,
    embedShort: (short) => staticEmbedder.embed(short),
  });
  return { index, query: finished(weighQuery(analyzeQuery(text, analyzer), index, dense)) };
}

const lines = ["stone parcel", "parcel"].map((some) => `- Some ${some} there, ${SAID.repeat(2)}.`).join("\n");
/** A row of the second table is quoted for the names of its columns, and is worth less than every best piece by itself. */
const withTables = [
  tableOf("parcel", ["parcel"]),
  tableOf("stone", ["parcel", "parcel", "parcel parcel parcel"]),
  lines,
]
  .map((text, i) => `## Part ${i}\n\n${text}`)
  .join("\n\n");

it("quotes what it would if it read every piece, and reads fewer", () => {
  let [spared, read] = [0, 0];
  fc.assert(
    fc.property(markdown, question, (md, text) => {
      const textsOf = (least?: number) => {
        const staticEmbedder = new FakeStatic();
        // An index of its own: the vectors of fragments are kept.
        const { index, query } = asked(md, text, staticEmbedder);
        const document = index.documents.find("d") ?? expect.fail();
        const hits = finished(hitsOf(index, query, { document, bestOrdinal: document.firstOrdinal }));
        const before = staticEmbedder.texts.length;
        const windows = textParts(hits, query, index, least);
        return { windows, texts: staticEmbedder.texts.length - before };
      };
      const [some, all] = [textsOf(), textsOf(0)];
      expect(some.windows).toEqual(all.windows);
      expect(some.texts).toBeLessThanOrEqual(all.texts);
      spared += all.texts - some.texts;
      read += some.windows.length === TEXT_PARTS_MAX ? some.texts : 0;
    }),
    { numRuns: lawRuns(400), examples: [[withTables, "Find stone now"]] },
  );
  expect([spared > 5, read > 20]).toEqual([true, true]);
});
