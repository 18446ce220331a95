import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { characterCount } from "../../src/model/characters.ts";
import { SLICE_OPERATIONS_MAX } from "../../src/model/limits.ts";
import type { Context, DocumentType, SearchableDocument, TextPart } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answerBy, findHybrid } from "../../src/search/search.ts";
import { answer } from "../support/answer.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

function indexOf(pages: readonly string[], type: DocumentType = "DOCUMENT"): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.replace(documentOf("d", pages, type), 1);
  return index;
}

function documentOf(id: string, pages: readonly string[], type: DocumentType = "DOCUMENT"): SearchableDocument {
  return { id, type, status: "active", metaData: {}, content: pages.map((md) => ({ md })), titles: [] };
}

interface Asked {
  readonly context?: Context;
  readonly contextCharacters?: number;
}

function partsOf(index: SearchIndex, query: string, options: Asked = {}): readonly TextPart[] {
  const request = parseSearchRequest({ query, options });
  return answer(index, request, analyzeQuery(query, index.reader))[0]?.similarTextParts ?? [];
}

/** The contexts of the text parts, without their texts. */
function shown(parts: readonly TextPart[]) {
  return parts.map(({ start, stop, context }) => [
    [start, stop],
    context && [context.start, context.stop, ...context.headings],
  ]);
}

/** The lines of a text, as the contract counts them. */
const linesOf = (pages: readonly string[]): string[] => pages.join("\n").split("\n");

/** The lines as they stand, without the last line break. */
function slice(lines: readonly string[], start: number, stop: number): string {
  const text = lines.slice(start - 1, stop).join("\n");
  return stop < lines.length ? text.replace(/\r$/, "") : text;
}

/** A piece of a document whose headings are known, since it was made of them. */
interface Piece {
  readonly lines: readonly string[];
  readonly heading?: { readonly level: number; readonly text: string };
}

const WORDS = ["pear", "plum", "fig", "quince", "medlar"];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((each) => each.join(" "));
const level = fc.integer({ min: 1, max: 6 });
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.tuple(level, words).map(([l, text]) => ({ lines: [`${"#".repeat(l)} ${text}`], heading: { level: l, text } })),
  fc.tuple(fc.constantFrom(1, 2), words).map(([l, text]) => ({
    lines: [`*${text}*`, l === 1 ? "===" : "---"],
    heading: { level: l, text },
  })),
  fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => ({ lines })),
  fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => ({ lines: lines.map((each) => `- ${each}`) })),
  words.map((each) => ({ lines: ["```", `# ${each}`, "", `${each}`, "---", "```"] })),
  words.map((each) => ({ lines: ["| a | b |", "|---|---|", `| ${each} | # ${each} |`] })),
);
const page = fc.array(piece, { minLength: 1, maxLength: 12 });

interface KnownPages {
  readonly pages: readonly string[];
  readonly headings: readonly { readonly line: number; readonly level: number; readonly text: string }[];
  /** First line of each page, and the line behind the last one. */
  readonly starts: readonly number[];
}

function known(given: readonly (readonly Piece[])[], end: string): KnownPages {
  const headings: { line: number; level: number; text: string }[] = [];
  const starts = [1];
  let line = 1;
  for (const pieces of given) {
    for (const { lines, heading } of pieces) {
      if (heading !== undefined) headings.push({ line, ...heading });
      line += lines.length + 1;
    }
    starts.push(line);
  }
  // A blank line follows each piece, and ends each page.
  const pages = given.map((pieces) => pieces.map(({ lines }) => `${lines.join(end)}${end}`).join(end));
  return { pages, headings, starts };
}

/** The lines of the section or page around a line, and the headings above it, by counting. */
function modelled({ headings, starts }: KnownPages, isPage: boolean, line: number) {
  const above = headings.filter((heading) => heading.line <= line);
  const path: { level: number; text: string; line: number }[] = [];
  for (const heading of above) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  const texts = path.map(({ text }) => text);
  const end = starts.at(-1) ?? 1;
  if (isPage) {
    const at = starts.findLastIndex((start) => start <= line);
    return { from: starts[at] ?? 1, to: (starts[at + 1] ?? end) - 1, texts };
  }
  const nearest = path.at(-1);
  const next = headings.find((each) => each.line > line && each.level <= (nearest?.level ?? 6));
  return { from: nearest?.line ?? 1, to: (next?.line ?? end) - 1, texts };
}

const unit = fc.constantFrom<Context>("passage", "section", "page");
const characters = fc.oneof(fc.constant(20_000), fc.integer({ min: 1, max: 200 }));

describe("a context", () => {
  it("is the section, the page and the headings that a count of the headings gives, as far as it has characters for it", () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom<DocumentType>("PDF", "DOCUMENT"),
        fc.constantFrom<Context>("section", "page"),
        characters,
        (given, end, type, context, contextCharacters) => {
          const document = known(given, end);
          const lines = linesOf(document.pages);
          expect(lines).toHaveLength((document.starts.at(-1) ?? 0) - 1);
          for (const part of partsOf(indexOf(document.pages, type), "pear plum", { context, contextCharacters })) {
            if (part.context === undefined) continue;
            const { text, start, stop, headings } = part.context;
            const { from, to, texts } = modelled(document, context === "page" && type === "PDF", part.start);
            expect(headings).toEqual(texts);
            if (characterCount(slice(lines, part.start, part.stop)) > contextCharacters) {
              expect([text, start, stop]).toEqual([part.text, part.start, part.stop]);
              continue;
            }
            if (characterCount(slice(lines, from, to)) <= contextCharacters) expect([start, stop]).toEqual([from, to]);
            expect(start).toBeGreaterThanOrEqual(from);
            expect(stop).toBeLessThanOrEqual(to);
            // A further line would be too much.
            if (start > from) expect(characterCount(slice(lines, start - 1, stop))).toBeGreaterThan(contextCharacters);
            if (stop < to) expect(characterCount(slice(lines, start, stop + 1))).toBeGreaterThan(contextCharacters);
          }
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });

  it("has the exact lines around its text part, within its characters, whatever the markdown", () => {
    fc.assert(
      fc.property(
        fc.array(markdownArbitrary, { minLength: 1, maxLength: 3 }),
        unit,
        characters,
        fc.boolean(),
        (pages, context, contextCharacters, isPdf) => {
          const index = indexOf(pages, isPdf ? "PDF" : "DOCUMENT");
          const lines = linesOf(pages);
          const query = pages.join(" ").match(/\p{L}+/u)?.[0] ?? "pear";
          const parts = partsOf(index, query, { context, contextCharacters });
          expect(parts.map(({ context: _, ...part }) => part)).toEqual(partsOf(index, query));
          for (const part of parts) {
            if (part.context === undefined) continue;
            const { text, start, stop } = part.context;
            expect(start).toBeLessThanOrEqual(part.start);
            expect(stop).toBeGreaterThanOrEqual(part.stop);
            const isTooLong = characterCount(slice(lines, part.start, part.stop)) > contextCharacters;
            expect(text).toBe(isTooLong ? part.text : slice(lines, start, stop));
            if (!isTooLong) expect(characterCount(text)).toBeLessThanOrEqual(contextCharacters);
          }
          const places = parts.flatMap(({ context: each }) =>
            each === undefined ? [] : [[each.start, each.stop, each.text].join()],
          );
          expect(new Set(places).size).toBe(places.length);
          if (parts.length > 0) expect(parts[0]?.context).toBeDefined();
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });

  const REFUNDS = [
    "Before all headings.",
    "",
    "# Refunds",
    "",
    "Money comes back in a week.",
    "",
    "## Abroad",
    "",
    "Transfers abroad take longer.",
    "",
    "### Fees",
    "",
    "A zebra pays no fee.",
    "",
    "## At home",
    "",
    "```",
    "# no heading",
    "```",
    "",
    "Cash is possible at home.",
  ].join("\n");

  it("is a section: from the nearest heading to before the next of the same or a higher rank", () => {
    const index = indexOf([REFUNDS]);
    const asked = (query: string) => shown(partsOf(index, query, { context: "section" }).slice(0, 1))[0];
    expect(asked("transfers longer")).toEqual([
      [9, 9],
      [7, 14, "Refunds", "Abroad"],
    ]);
    expect(asked("zebra")).toEqual([
      [13, 13],
      [11, 14, "Refunds", "Abroad", "Fees"],
    ]);
    expect(asked("possible cash")).toEqual([
      [21, 21],
      [15, 21, "Refunds", "At home"],
    ]);
    expect(asked("week money")).toEqual([
      [5, 5],
      [3, 21, "Refunds"],
    ]);
    expect(asked("before headings")).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it("is the passage that was found, and none unless the search asks for one", () => {
    const index = indexOf(["# Fruit\n\nA zebra eats.\n\nNot much.\n\n# Other\n\nText."]);
    expect(shown(partsOf(index, "zebra", { context: "passage" }))).toEqual([
      [
        [3, 3],
        [3, 5, "Fruit"],
      ],
    ]);
    expect(partsOf(index, "zebra")[0]).not.toHaveProperty("context");
    expect(partsOf(index, "zebra", { context: "none" })[0]).not.toHaveProperty("context");
  });

  it("is the page of a PDF, and the section of other documents", () => {
    const pages = ["# One\n\nA zebra.", "Page two.\n\nA zebra again.", "Page three."];
    expect(shown(partsOf(indexOf(pages, "PDF"), "zebra", { context: "page" }))).toEqual([
      [
        [3, 3],
        [1, 3, "One"],
      ],
      [
        [6, 6],
        [4, 6, "One"],
      ],
    ]);
    expect(shown(partsOf(indexOf(pages), "zebra", { context: "page" }))).toEqual([
      [
        [3, 3],
        [1, 7, "One"],
      ],
      [[6, 6], undefined],
    ]);
  });

  it("begins with the heading itself if that is the text part", () => {
    expect(shown(partsOf(indexOf(["# A\n\nText.\n\n## A zebra"]), "zebra", { context: "section" }))).toEqual([
      [
        [5, 5],
        [5, 5, "A", "A zebra"],
      ],
    ]);
  });

  it("leaves out headings without text, and cuts a long one", () => {
    const long = "😀".repeat(300);
    const index = indexOf([`# ${long}\n\n##\n\n### [Third](https://example.org) *part*\n\nA zebra.`]);
    const [part] = partsOf(index, "zebra", { context: "section" });
    expect(part?.context?.headings).toEqual(["😀".repeat(249), "Third part"]);
  });

  it("takes about the same number of characters above and below where the section is too long", () => {
    const lines = Array.from({ length: 41 }, (_, i) => `- ${i === 20 ? "a zebra" : "an apple"}`);
    const [part] = partsOf(indexOf([lines.join("\n")]), "zebra", { context: "section", contextCharacters: 60 });
    expect(shown(part === undefined ? [] : [part])).toEqual([
      [
        [21, 21],
        [19, 23],
      ],
    ]);
  });

  it("counts characters as people do, not UTF-16 units", () => {
    const index = indexOf(["- 😀😀😀😀 zebra\n- an apple\n- an apple"]);
    const stopOf = (contextCharacters: number) =>
      partsOf(index, "zebra", { context: "section", contextCharacters })[0]?.context?.stop;
    expect([22, 23, 33, 34].map(stopOf)).toEqual([1, 2, 2, 3]);
  });

  it("is the text part alone if its lines have more characters than it may have", () => {
    const sentences = Array.from({ length: 200 }, (_, i) => `The ${i === 90 ? "zebra" : "apple"} number ${i} is here.`);
    const index = indexOf([`Above.\n\n${sentences.join(" ")}\n\nBelow.`]);
    const [part] = partsOf(index, "zebra", { context: "section" });
    expect(part?.text).toMatch(/zebra/);
    expect(part?.context).toEqual({ text: part?.text, start: 3, stop: 3, headings: [] });
    const [whole] = partsOf(index, "zebra", { context: "section", contextCharacters: 20_000 });
    expect(whole?.context).toMatchObject({ start: 1, stop: 5 });
  });

  it("reads the headings of a large document in steps, and remembers them", () => {
    const section = `## Fruit\n\n- an apple\n- a pear\n\n${"Nothing else. ".repeat(40)}\n\n`;
    const index = indexOf([`${section.repeat(3_000)}# Last\n\nA zebra.`]);
    const request = parseSearchRequest({ query: "zebra", options: { context: "section" } });
    const analyzed = analyzeQuery("zebra", index.reader);
    const steps = () => {
      const hits = finished(findHybrid(index, request, analyzed, undefined, undefined));
      let count = 0;
      for (const work = answerBy(index, request, hits, undefined); ; count++) {
        const before = index.effort.operations;
        const { done, value } = work.next();
        expect(index.effort.operations - before).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX);
        if (done !== true) continue;
        expect(value.results[0]?.similarTextParts[0]?.context?.headings).toEqual(["Last"]);
        return count;
      }
    };
    expect(steps()).toBeGreaterThan(20);
    expect(steps()).toBeLessThan(5);
  });

  it("has the headings of the version that is found", () => {
    const index = indexOf(["# Old\n\nA zebra."]);
    expect(partsOf(index, "zebra", { context: "section" })[0]?.context?.headings).toEqual(["Old"]);
    index.replace(documentOf("d", ["# New\n\nA zebra."]), 1);
    expect(partsOf(index, "zebra", { context: "section" })[0]?.context?.headings).toEqual(["New"]);
  });
});
