import { describe, expect, it } from "vitest";
import { proseOf, RETIRED_PHRASES, wordsIn } from "./prose.ts";
import { filesBelow, read } from "./source-files.ts";

const WORDS_MAX = 40;
/** Characters that a reader sees in a table's cell: one line. */
const CELL_MAX = 120;

/** A list of language tags, which is no sentence. */
const TAGS = /^(?:[a-z]{2,3}\s?)+$/;

/** Pages with cells that a program writes, from texts of the code or of others. */
const WITH_WRITTEN_TABLES: readonly string[] = [
  "docs/command-line/settings.md",
  "docs/third-party.md",
  "packages/core/src/background/embedding/README.md",
];

const PAGES = ["docs", "examples", "packages"]
  .flatMap((folder) => filesBelow(folder, /\.md$/))
  .filter((file) => !/^docs\/decisions\//.test(file) && (file.startsWith("docs/") || /\/README\.md$/.test(file)))
  .concat(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "test/README.md", "bench/README.md"]);

/** Where a page is hard to read: its lines, each with the reason. */
function hardOf(page: string): string[] {
  const prose = proseOf(read(page));
  const sentences = prose.sentences.filter(({ text }) => !TAGS.test(text));
  const cells = prose.cells.filter(({ text }) => !TAGS.test(text));
  const long = sentences
    .filter(({ text }) => wordsIn(text) > WORDS_MAX)
    .map(({ line, text }) => `${page}:${line}: ${wordsIn(text)} words: ${text}`);
  const wide = WITH_WRITTEN_TABLES.includes(page) ? [] : cells.filter(({ text }) => text.length > CELL_MAX);
  const retired = sentences.flatMap(({ line, text }) =>
    Object.entries(RETIRED_PHRASES)
      .filter(([, phrase]) => phrase.test(text))
      .map(([word]) => `${page}:${line}: say ${word}: ${text}`),
  );
  return [...long, ...wide.map(({ line, text }) => `${page}:${line}: a cell of ${text.length}: ${text}`), ...retired];
}

describe("pages for readers", () => {
  it.each(PAGES)("have short sentences, and cells of one line: %s", (page) => {
    expect(hardOf(page)).toEqual([]);
  });

  it("have tables that a program writes where the list says so", () => {
    expect(WITH_WRITTEN_TABLES.filter((page) => !PAGES.includes(page))).toEqual([]);
  });
});

describe("what is counted", () => {
  const sentencesOf = (markdown: string): string[] => proseOf(markdown).sentences.map(({ text }) => text);

  it("are sentences, over lines and apart from headings, items and blocks of code", () => {
    const page =
      "# A title\nOne\nsentence. Another (2.5 MB). `code` third!\n- An item\n- More\n\n```text\nNo. Prose.\n```\n";
    expect(sentencesOf(page)).toEqual([
      "A title",
      "One sentence.",
      "Another (2.5 MB).",
      "`code` third!",
      "An item",
      "More",
    ]);
  });

  it("are words: code is one, and an address is none of a link's", () => {
    const [sentence = ""] = sentencesOf('See [this page](docs/a-b.md#c) and `{ "a": 1, "b": 2 }` · now.');
    expect(wordsIn(sentence)).toBe(6);
  });

  it("are cells, as they are seen", () => {
    const { cells, sentences } = proseOf("| a | b |\n|---|---|\n| `x\\|y` | [z](https://a.example/b). Yes. |\n");
    expect(cells.map(({ text }) => text)).toEqual(["a", "b", "`x\\|y`", "z. Yes."]);
    expect(sentences.map(({ text }) => text)).toEqual(["a", "b", "`x\\|y`", "z.", "Yes."]);
  });
});
