import { describe, expect, test } from "vitest";
import { convertHtml } from "../../../src/convert/html/html.ts";

async function contentOf(html: string): Promise<string | undefined> {
  const { page } = await convertHtml({ bytes: new TextEncoder().encode(html), name: "page.html", kind: "html" });
  return page?.content.map(({ md }) => md).join("\n");
}

const TEXT =
  "The pump starts when the tank holds less than ten litres, and stops as soon as it holds forty litres again.";
const MORE = "A lamp on its front says which of both is so, and blinks while somebody has switched it off by hand.";
const LINKS = "<ul><li><a href=/a>Hoses of all kinds</a><li><a href=/b>Valves</a></ul>";

describe("lines that stand around a text and are none of it", () => {
  test.each([
    ["a way back to the content", "<a href=#main>Skip to main content</a>", ""],
    ["the same as a line", "<p><a href=#c>Skip to content</a></p>", ""],
    ["breadcrumbs", "<div><a href=/>Home</a> / <a href=/d>Docs</a> / Pump</div>", ""],
    ["breadcrumbs in a list", "<ol><li><a href=/>Home</a><li><a href=/d>Docs</a><li>Pump</ol>", ""],
    ["breadcrumbs with signs", "<p><a href=/>Home</a> &gt; <a href=/d>Docs</a> &raquo; <span>Pump</span></p>", ""],
    ["an edit link", "", "<p><a href=https://github.com/a/b/edit/main/c.md>Edit this page on GitHub</a></p>"],
    ["an edit link above", "<div><a href=/edit/x>Edit this page</a></div>", ""],
    ["its date", "", "<p>Last updated on 3 March 2026 by <b>Ada</b></p>"],
    ["its date above", "<div>Last modified: 2026-03-03</div>", ""],
    ["a vote", "", "<div><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>"],
    ["a vote of links", "", "<div>Was this article helpful? <a href=#>Yes</a> <a href=#>No</a></div>"],
    ["how others voted", "", "<p>14 out of 17 found this helpful</p>"],
    ["related articles", "", `<h2>Related articles</h2>${LINKS}`],
    ["related articles without a heading", "", `<p><b>See more articles</b></p>${LINKS}`],
    ["recent articles", "", `<section><h3>Recently viewed articles</h3>${LINKS}</section>`],
    [
      "sharing",
      "",
      "<div>Share this article: <a href=https://x.com/s>X</a> <a href=https://f.example>Facebook</a></div>",
    ],
    ["sharing with a heading", "", "<h4>Share</h4><ul><li><a href=https://f.example>Facebook</a></ul>"],
    ["tags", "", "<p>Tags: <a href=/t/pump>pump</a>, <a href=/t/tank>tank</a></p>"],
    ["a tag cloud", "", "<h3>Tags</h3><p><a href=/t/pump>pump</a> <a href=/t/tank>tank</a></p>"],
    [
      "a form for comments",
      "",
      "<h3>Leave a Reply</h3><p>Your email address will not be published.</p><form><label>Comment</label><textarea></textarea><button>Post Comment</button></form>",
    ],
    [
      "who may comment",
      "",
      "<h2>Comments</h2><p>0 comments</p><p>Please <a href=/in>sign in</a> to leave a comment.</p>",
    ],
    ["more questions", "", "<p>Have more questions? <a href=/new>Submit a request</a></p>"],
    ["back to the top", "", "<p><a href=#>Return to top</a></p>"],
    ["several of them", "", `<p>Was this helpful?</p><h2>Related articles</h2>${LINKS}<p>Last updated: May 2026</p>`],
  ])("%s", async (_, before, after) => {
    for (const [open, close] of [
      ["", ""],
      ["<main>", "</main>"],
      ["<article>", "</article>"],
      ["<div class=article-body>", "</div>"],
    ] as const) {
      const html = `<title>Pump</title><body>${open}${before}<h1>Pump</h1><p>${TEXT}</p><p>${MORE}</p>${after}${close}`;
      expect(await contentOf(html)).toBe(`# Pump\n\n${TEXT}\n\n${MORE}`);
    }
  });
});

describe("a text that speaks of them keeps its words", () => {
  test.each([
    ["between its paragraphs", `<p>${TEXT}</p><p>Edit this page</p><p>${MORE}</p>`, "Edit this page"],
    ["as a heading with a text", `<p>${TEXT}</p><h2>Was this helpful?</h2><p>${MORE}</p>`, "## Was this helpful?"],
    ["related articles with words", `<p>${TEXT}</p><h2>Related articles</h2><p>${MORE}</p>`, MORE],
    ["see also", `<p>${TEXT}</p><h2>See also</h2>${LINKS}`, "[Valves](/b)"],
    ["sharing as what to do", `<p>${TEXT}</p><h2>Share a file</h2><p>Press Share.</p>`, "Press Share."],
    ["tags as what is told", `<p>${TEXT}</p><p>Tags: three of them hang on the hose.</p>`, "Tags: three of them"],
    ["a date in a sentence", `<p>${TEXT}</p><p>Last updated rows win over older ones.</p>`, "Last updated rows win"],
    [
      "an answer to the vote",
      `<p>Was this helpful to you? Then tell your neighbour about it.</p><p>${TEXT}</p>`,
      "neighbour",
    ],
    ["a menu that is the page", `<h1>Docs</h1>${LINKS}`, "[Valves](/b)"],
    ["a list of links before a text", `<h1>Docs</h1>${LINKS}<p>${TEXT}</p>`, "[Valves](/b)"],
    ["code that says so", `<p>${TEXT}</p><pre>Last updated: x</pre>`, "Last updated: x"],
  ])("%s", async (_, inside, expected) => {
    expect(await contentOf(`<body><main>${inside}</main>`)).toContain(expected);
  });
});

describe("a part of a text that is named as its heading is", () => {
  test.each(["Cookies", "Feedback", "Comments", "Navigation", "Footer", "Menu", "Share", "Session cookies", "Pop-up"])(
    "%s",
    async (heading) => {
      const id = heading.toLowerCase().replace(/ /g, "-");
      const part = (tag: string) =>
        `<${tag} id="${id}"><h2>${heading}<a class=headerlink href="#${id}">¶</a></h2><p>${MORE}</p></${tag}>`;
      for (const tag of ["section", "div"]) {
        const md = await contentOf(`<main><h1>Pump</h1><p>${TEXT}</p><p>${TEXT}</p><p>${TEXT}</p>${part(tag)}</main>`);
        expect(md).toContain(`## ${heading}\n\n${MORE}`);
      }
    },
  );
});

test("a heading loses the links to its source and to itself", async () => {
  const html = `<main><h1>Pump</h1><h2>Valve <a href=s.c>[src]</a></h2><p>${TEXT}</p><h2>Seat <span class=e>[<a href=?action=edit>edit</a>]</span></h2><p>${MORE}</p></main>`;
  expect(await contentOf(html)).toBe(`# Pump\n\n## Valve\n\n${TEXT}\n\n## Seat\n\n${MORE}`);
});
