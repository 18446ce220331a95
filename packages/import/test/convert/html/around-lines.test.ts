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

describe("what a table or a list says is never taken out of it", () => {
  const PARTS = "<ul><li>Save</li><li>Edit this page</li><li>View source</li><li>Print this page</li></ul>";
  test.each([
    [
      "a column of contents",
      "<table><tr><th>Contents</th><th>Weight</th><th>Price</th></tr><tr><td>Pump</td><td>2 kg</td><td>9</td></tr></table>",
      ["| Contents | Weight | Price |"],
    ],
    [
      "a column of comments",
      "<table><tr><th>Part</th><th>Comments</th></tr><tr><td>Seat</td><td>0 comments</td></tr></table>",
      ["| Part | Comments |", "| Seat | 0 comments |"],
    ],
    [
      "a last cell with a date",
      "<table><tr><th>Way</th><th>Since</th></tr><tr><td>Chat</td><td>Updated 9 May 2024</td></tr></table>",
      ["| Chat | Updated 9 May 2024 |"],
    ],
    [
      "a last column of links",
      "<table><tr><th>Part</th><th>Manual</th></tr><tr><td>Seat</td><td><a href=/s.pdf>Seat manual</a></td></tr></table>",
      ["| Seat | [Seat manual](/s.pdf) |"],
    ],
    [
      "numbers that are links",
      "<table><tr><th>Part</th><th>Sheet</th></tr><tr><td>Seat</td><td><p><a href=/7>7</a></p></td></tr></table>",
      ["| Seat | [7](/7) |"],
    ],
    [
      "a cell that its maker calls a rating",
      "<table><tr><th>Part</th><th>Stars</th></tr><tr><td>Seat</td><td><span class=rating>4.5</span></td></tr></table>",
      ["| Seat | 4.5 |"],
    ],
    [
      "the name of a table",
      "<table><caption>Contents</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
      ["Contents"],
    ],
    ["a list with something else", PARTS, ["- Save", "- Edit this page", "- View source", "- Print this page"]],
    [
      "items of links",
      "<ul><li>Valve and seat, each with a sheet of its own, that says how large it is and what it costs today</li><li><a href=/h>Home</a></li><li><a href=/7>7</a></li></ul>",
      ["- Valve and", "- [Home](/h)", "- [7](/7)"],
    ],
    [
      "a term and its meaning",
      "<dl><dt>Lamp</dt><dd>Blinks</dd><dt>Comments</dt><dd>0 comments</dd></dl>",
      ["Comments", "0 comments"],
    ],
    [
      "a list that a line leads to",
      "<p>The menu has:</p><ul><li>Edit this page</li><li>View source</li></ul>",
      ["- Edit this page", "- View source"],
    ],
    [
      "a list that is its part",
      "<h2>Menu of a page</h2><ul><li>Edit this page</li><li>View source</li></ul>",
      ["- Edit this page", "- View source"],
    ],
    ["a list within a list", "<ul><li>Menu<ul><li>Edit this page</li></ul></li></ul>", ["Edit this page"]],
  ])("%s", async (_, inside, expected) => {
    for (const [open, close] of [
      ["", ""],
      ["<main>", "</main>"],
      ["<article>", "</article>"],
    ] as const) {
      for (const body of [`${inside}<p>${TEXT}</p>`, `<p>${TEXT}</p>${inside}`]) {
        const md = await contentOf(`<title>Pump</title><body>${open}<h1>Pump</h1>${body}${close}`);
        for (const line of expected) expect(md).toContain(line);
      }
    }
  });
});

test("cells that only lay out a page are lines as others are", async () => {
  const html = `<table><tr><td>Last updated 3 May 2024</td></tr><tr><td><h1>Pump</h1><p>${TEXT}</p></td></tr><tr><td>Print this page</td></tr></table>`;
  expect(await contentOf(html)).toBe(`# Pump\n\n${TEXT}`);
});

describe("a heading, and words in it", () => {
  test.each([
    ["named as what stands around, with its text", `<h2>Contents</h2><p>${MORE}</p><p>${TEXT}</p>`, "## Contents"],
    ["that tells how", `<h2>Print this page</h2><p>${MORE}</p><p>${TEXT}</p>`, "## Print this page"],
    [
      "a link of its words",
      `<h2>The <a href=/s>source</a> of water</h2><p>${TEXT}</p>`,
      "## The [source](/s) of water",
    ],
    [
      "a link that it begins with",
      `<h2><a href=/e>Edit</a> a list of parts</h2><p>${TEXT}</p>`,
      "## [Edit](/e) a list of parts",
    ],
    ["what is counted", `<p>${TEXT}</p><p>Created 12 pumps in 2024.</p>`, "Created 12 pumps"],
    ["what a year has", `<p>${TEXT}</p><p>Last updated rows of 2024 win.</p>`, "Last updated rows"],
    ["code", `<p>${TEXT}</p><p><code>View source</code></p>`, "`View source`"],
    ["what somebody said", `<p>${TEXT}</p><blockquote>Was this helpful?</blockquote>`, "> Was this helpful?"],
  ])("%s", async (_, inside, expected) => {
    expect(await contentOf(`<main><h1>Pump</h1>${inside}</main>`)).toContain(expected);
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
