import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { convertHtml } from "../../../src/convert/html/html.ts";

async function contentOf(html: string): Promise<string> {
  const { page } = await convertHtml({ bytes: new TextEncoder().encode(html), name: "page.html", kind: "html" });
  return page?.content.map(({ md }) => md).join("\n") ?? "";
}

const LINKS = "<ul><li><a href=a>Zmenu one</a><li><a href=b>Zmenu two</a><li><a href=c>Zmenu three</a></ul>";
const LONG =
  "Zpumps Ltd has made pumps since 1920, sells them in forty countries, and is glad of every visit to its site.";
/** What is no content wherever it stands, outside of the element that says it is the content. */
const OUTSIDE = [
  `<nav>${LINKS}</nav>`,
  `<div role=navigation><p>${LONG}</p>${LINKS}</div>`,
  `<footer><p>${LONG}</p>${LINKS}</footer>`,
  `<div role=contentinfo><p>${LONG}</p></div>`,
  `<aside><h2>Zabout</h2><p>${LONG}</p></aside>`,
  `<div class=site-footer><p>${LONG}</p></div>`,
  `<div class=cookie-banner><p>${LONG}</p><button>Accept</button></div>`,
  `<div class=sidebar>${LINKS}</div>`,
  `<header class=site-header><a href=/>Zpumps</a><p>${LONG}</p>${LINKS}</header>`,
  `<div role=search><form><label>Zsearch</label><input><button>Go</button></form></div>`,
  "<a class=skip-link href=#main>Skip to Zcontent</a>",
  "<script>Zscript()</script><style>Zstyle{}</style>",
  `<div hidden><p>${LONG}</p></div>`,
];
/** And within it. */
const INSIDE = [
  `<nav>${LINKS}</nav>`,
  "<div class=breadcrumbs><a href=a>Zmenu</a> &gt; <a href=b>Zmenu two</a></div>",
  "<div class=share-buttons><a href=x>Zshare</a></div>",
  "<div class='toc'><ul><li><a href=#a>Zone</a><li><a href=#b>Ztwo</a><li><a href=#c>Zthree</a></ul></div>",
  "<p hidden>Zhidden.</p>",
];

const WORDS = "pump valve tank water lamp hose meter litre press switch clean open close over under long short".split(
  " ",
);
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 4, maxLength: 40 });
const several = (minLength: number, maxLength: number) => fc.array(sentence, { minLength, maxLength });
/** Longer than all links that may stand within the content: a page that is mostly links is a page of links. */
const paragraph = fc.array(fc.constantFrom(...WORDS), { minLength: 30, maxLength: 40 });
const around = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 3 }).map((all) => all.join(""));

/** Where text may stand: in what says that it is the content, outside of a narrower container or within. */
const page = fc.record({
  holder: fc.constantFrom("main", "article", "div role=main", "div", "section"),
  body: fc.constantFrom("", "article-body", "entry-content", "markdown-body", "page-content", "content"),
  heading: fc.constantFrom("", "h1", "h2"),
  wrapped: fc.constantFrom("", "div", "section", "header"),
  leads: several(0, 3),
  texts: fc.tuple(paragraph, several(0, 5)).map(([first, more]) => [first, ...more]),
  tails: several(0, 3),
  outside: fc.tuple(around(OUTSIDE), around(OUTSIDE)),
  inside: fc.tuple(around(INSIDE), around(INSIDE)),
});
type Page = typeof page extends fc.Arbitrary<infer Value> ? Value : never;

/** The page, and its paragraphs in their order: each has words of its own. */
function written(of: Page): { readonly html: string; readonly paragraphs: readonly string[] } {
  const isNamed = !/^(?:div|section)$/.test(of.holder);
  // Without such an element, only what stands below the heading is told from what stands beside the content.
  const isNarrowed = of.body !== "" && (isNamed || of.heading === "h1");
  const paragraphs: string[] = [];
  const write = (texts: readonly (readonly string[])[]): string =>
    texts
      .map((words) => {
        const text = `P${paragraphs.length} ${words.join(" ")}.`;
        paragraphs.push(text);
        return `<p>${text}</p>`;
      })
      .join("");
  const title = of.heading === "" ? "" : `<${of.heading}>Title</${of.heading}>`;
  const leads = write(of.leads);
  const isHead = of.wrapped !== "" && (of.wrapped !== "header" || isNamed || title !== "");
  const head = isHead ? `<${of.wrapped}>${title}${leads}</${of.wrapped}>` : `${title}${leads}`;
  const texts = write(of.texts);
  const tails = isNamed || !isNarrowed ? write(of.tails) : "";
  const body = isNarrowed ? `<div class=${of.body}>${texts}</div>` : texts;
  const content = `<${of.holder}>${of.inside[0]}${head}${body}${tails}${of.inside[1]}</${of.holder.split(" ")[0]}>`;
  return { html: `<title>Title</title><body>${of.outside[0]}${content}${of.outside[1]}`, paragraphs };
}

describe("paragraphs of the content", () => {
  test("come back in their order, whatever stands around them", async () => {
    await fc.assert(
      fc.asyncProperty(page, async (of) => {
        const { html, paragraphs } = written(of);
        const md = await contentOf(html);
        const found = md.split(/\n+/).filter((line) => /^P\d/.test(line));
        expect(found, html).toEqual(paragraphs);
        expect(md, html).not.toMatch(/Z[a-z]/);
      }),
      { numRuns: lawRuns(400) },
    );
  });
});
