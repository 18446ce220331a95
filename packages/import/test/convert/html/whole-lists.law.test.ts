import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { convertHtml } from "../../../src/convert/html/html.ts";

async function contentOf(html: string): Promise<string> {
  const { page } = await convertHtml({ bytes: new TextEncoder().encode(html), name: "page.html", kind: "html" });
  return page?.content.map(({ md }) => md).join("\n") ?? "";
}

/** What stands around pages, and in tables and lists as well. */
const WORDS = [
  "Contents",
  "Comments",
  "Last updated 3 May 2024",
  "Updated 9 May 2024",
  "Edit this page",
  "View source",
  "Print this page",
  "Was this helpful?",
  "Back to top",
  "3 comments",
  "© 2024 Pump Ltd",
  "Related articles",
  "Categories",
  "Tags",
  "Home",
  "Next",
  "Up",
  "Top",
  "7",
  "en",
  "5 min read",
  "Log in to leave a comment",
  "Pump",
  "Ten litres",
];
const NAMES = ["", "", "", "rating", "share", "menu", "toc", "tags", "meta", "next", "sr-only", "comments"];

interface Part {
  readonly word: string;
  readonly html: string;
}

const part: fc.Arbitrary<Part> = fc
  .record({
    word: fc.constantFrom(...WORDS),
    name: fc.constantFrom(...NAMES),
    form: fc.constantFrom("plain", "link", "own", "p", "span", "linked p"),
  })
  .map(({ word, name, form }) => {
    const named = name === "" ? "" : ` class="${name}"`;
    const link = (href: string): string => `<a${form === "linked p" ? "" : named} href="${href}">${word}</a>`;
    const html = {
      plain: word,
      link: link("/x"),
      own: link("#x"),
      p: `<p${named}>${word}</p>`,
      span: `<span${named}>${word}</span>`,
      "linked p": `<p${named}>${link("/y")}</p>`,
    }[form];
    return { word, html: html ?? word };
  });

const TEXT =
  "The pump starts when the tank holds less than ten litres, and stops as soon as it holds forty litres again.";
const AROUND = ["", "<p>Updated 9 May 2024</p>", "<p><a href=/>Home</a> / <a href=/d>Docs</a></p>", `<p>${TEXT}</p>`];
const HOLDERS = [
  ["", ""],
  ["<main>", "</main>"],
  ["<article>", "</article>"],
  ['<div class="article-body">', "</div>"],
] as const;

const page = fc.record({
  holder: fc.constantFrom(...HOLDERS),
  before: fc.constantFrom(...AROUND),
  after: fc.constantFrom(...AROUND),
  isFirst: fc.boolean(),
});

function pageOf(
  one: { holder: readonly [string, string]; before: string; after: string; isFirst: boolean },
  inside: string,
) {
  const [open, close] = one.holder;
  const body = one.isFirst ? `${one.before}${inside}<p>${TEXT}</p>` : `<p>${TEXT}</p>${one.before}${inside}`;
  return `<title>Pump</title><body>${open}<h1>Pump</h1>${body}${one.after}${close}</body>`;
}

/** What is said, without the marks of links. */
function plain(md: string): string {
  return md.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

describe("a table or a list that stays", () => {
  test("has all its cells, each in its column", async () => {
    const table = fc
      .tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 2, max: 4 }))
      .chain(([columns, rows]) =>
        fc.array(fc.array(part, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
      );
    await fc.assert(
      fc.asyncProperty(page, table, async (around, rows) => {
        const html = rows
          .map((cells, row) => {
            const tag = row === 0 ? "th" : "td";
            return `<tr>${cells.map((cell) => `<${tag}>${cell.html}</${tag}>`).join("")}</tr>`;
          })
          .join("");
        const md = plain(await contentOf(pageOf(around, `<table>${html}</table>`)));
        const said = rows.map((cells) => `| ${cells.map(({ word }) => word).join(" | ")} |`);
        const lines = md.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
        if (lines.length > 0) expect(lines).toEqual(said);
      }),
      { numRuns: lawRuns(150) },
    );
  });

  test("has all its items", async () => {
    await fc.assert(
      fc.asyncProperty(page, fc.array(part, { minLength: 2, maxLength: 5 }), async (around, items) => {
        const html = items.map((item) => `<li>${item.html}</li>`).join("");
        const md = plain(await contentOf(pageOf(around, `<ul>${html}</ul>`)));
        const lines = md.split("\n").filter((line) => line.startsWith("- "));
        if (lines.length > 0) expect(lines).toEqual(items.map(({ word }) => `- ${word}`));
      }),
      { numRuns: lawRuns(150) },
    );
  });
});
