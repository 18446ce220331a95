import { describe, expect, test } from "vitest";
import { moreThanLinear } from "../../../../core/test/support/linear-time.ts";
import type { Conversion, RawFile } from "../../../src/convert/conversion.ts";
import { convertHtml } from "../../../src/convert/html/html.ts";

function converted(html: string | Uint8Array, more: Partial<RawFile> = {}): Promise<Conversion> {
  const bytes = typeof html === "string" ? new TextEncoder().encode(html) : html;
  return convertHtml({ bytes, name: "page.html", kind: "html", ...more });
}

async function contentOf(html: string): Promise<string | undefined> {
  return (await converted(html)).page?.content.map(({ md }) => md).join("\n");
}

const TEXT =
  "The pump starts when the tank holds less than ten litres, and stops as soon as it holds forty litres again.";
const MORE = "A lamp on its front says which of both is so, and blinks while somebody has switched it off by hand.";
const MENU = "<ul><li><a href=a>Products</a><li><a href=b>Prices</a><li><a href=c>About</a></ul>";

describe("what stands around the content does not survive", () => {
  test.each([
    ["nav", `<nav>${MENU}</nav>`],
    ["a footer", `<footer><p>© 2026 Pumps, all rights reserved. ${MENU}</footer>`],
    ["the site's header", `<header><a href=/>Pumps Ltd</a>${MENU}</header>`],
    ["a menu without a name", `<div>${MENU}</div>`],
    ["a menu in a table", "<table><tr><td><a href=a>Products</a><td><a href=b>Prices</a></table>"],
    ["breadcrumbs", "<div class='page-breadcrumbs'><a href=a>Products</a> &gt; <a href=b>Prices</a></div>"],
    ["a cookie banner by its name", "<div id='onetrust-banner'>Products use cookies.</div>"],
    [
      "a cookie banner by what it says",
      "<div><p>We use cookies for Products and Prices.</p><button>Accept all</button></div>",
    ],
    ["a side bar", `<div class='col sidebar'>${MENU}</div>`],
    ["an aside beside the content", `<aside>${MENU}</aside>`],
    [
      "what is hidden",
      "<p hidden>Products</p><p style='color:red; display: none'>Products</p><p aria-hidden=true>Products</p>",
    ],
    ["a dialogue", "<div role=dialog>Sign up for Products</div>"],
    ["a form", "<form><label>Products</label><input><button>Send</button></form>"],
    [
      "scripts, styles, comments",
      "<script>Products</script><style>Products</style><!-- Products --><noscript>Products</noscript>",
    ],
    [
      "links to the pages around",
      "<p>Next: <a href=n rel=next>Products</a>, Up: <a href=u rel=up>Prices</a> [<a href=i>Index</a>]</p>",
    ],
    [
      "arrows to the pages around",
      "<div><a href=p><img alt=Prev></a> <a href=u><img alt=Up></a> <a href=n><img alt=Next></a></div>",
    ],
    [
      "its own contents",
      "<div><p><b>Products</b></p><ul><li><a href=#a>Products</a><li><a href=#b>Prices</a><li><a href=#c>About</a></ul></div>",
    ],
    [
      "other languages",
      "<p><a href=de hreflang=de>Products</a> <a href=fr hreflang=fr>Prices</a> <a href=es hreflang=es>About</a></p>",
    ],
    [
      "sharing and feedback",
      "<div class=share-buttons>Products</div><div class=was-this-helpful>Was this helpful? Prices</div>",
    ],
    ["skip links", "<a class=skip-link href=#main>Skip to Products</a>"],
    ["pages by number", "<p>[<a href=1>1</a>] [<a href=2>2</a>] [<a href=3>3</a>]</p>"],
    ["an edit link", "<a class='edit-this-page' href=e>Products</a>"],
  ])("%s", async (_, around) => {
    const md = await contentOf(`<title>Pump</title><body>${around}<h1>Pump</h1><p>${TEXT}</p><p>${MORE}</p>`);
    expect(md).toBe(`# Pump\n\n${TEXT}\n\n${MORE}`);
  });

  test.each([
    ["main", "<main>", "</main>"],
    ["article", "<article>", "</article>"],
    ["role=main", "<div role=main>", "</div>"],
    ["MediaWiki", "<div id=mw-content-text><div class=mw-parser-output>", "</div></div>"],
    ["Sphinx", "<div class=documentwrapper><div class=bodywrapper>", "</div></div>"],
    ["Docusaurus", "<div class='theme-doc-markdown markdown'>", "</div>"],
    ["MkDocs", "<div class=md-content>", "</div>"],
    ["AsciiDoc", "<div id=content>", "</div>"],
    ["WordPress", "<div class=entry-content>", "</div>"],
  ])("only what stands in the container of %s", async (_, open, close) => {
    const beside = "<div>Something about our other products that is long enough to be taken for a text.</div>";
    const md = await contentOf(`<body>${beside}${open}<h1>Pump</h1><p>${TEXT}</p><p>${MORE}</p>${close}${beside}`);
    expect(md).toBe(`# Pump\n\n${TEXT}\n\n${MORE}`);
  });
});

describe("content survives", () => {
  test.each([
    [
      "a container that holds but a part",
      `<main><p>Short.</p></main><div><p>${TEXT}</p><p>${MORE}</p></div>`,
      [TEXT, MORE],
    ],
    [
      "a frame's name on all of it",
      `<div class='page-with-sidebar'><div class=sidebar><p>${TEXT}</p><p>${MORE}</p></div></div>`,
      [TEXT, MORE],
    ],
    ["a form around all of it", `<form><p>${TEXT}</p><p>${MORE}</p></form>`, [TEXT, MORE]],
    [
      "a heading beside the content",
      `<div id=header><h1>pump(1)</h1></div><div id=content><p>${TEXT}</p></div>`,
      ["# pump(1)", TEXT],
    ],
    ["a list of links in a text", `<main><h1>Links</h1><p>${TEXT}</p>${MENU}</main>`, ["[Products](a)", "[Prices](b)"]],
    ["a page of few links", `<title>Links</title>${MENU}`, ["[Products](a)"]],
    ["a note in the content", `<main><p>${TEXT}</p><aside class=note><p>${MORE}</p></aside></main>`, [MORE]],
    ["a tab that is not open", `<main><p>${TEXT}</p><div role=tabpanel hidden>${MORE}</div></main>`, [MORE]],
    [
      "what a button opens",
      `<main><p>${TEXT}</p><button aria-controls=x>More</button><div id=x style='display:none'>${MORE}</div></main>`,
      [MORE],
    ],
    [
      "details that ask nothing",
      `<main><p>${TEXT}</p><details><summary>Data</summary>${MORE}</details></main>`,
      ["**Data**", MORE],
    ],
    [
      "a heading that is a link",
      `<main><h2><a class=toc-backref href=#x>Valve</a></h2><h3><a class=header href=#y>Seat</a></h3><p>${TEXT}</main>`,
      ["## Valve", "### Seat"],
    ],
    [
      "a list of links within a list",
      `<h1>A</h1><p>${TEXT}</p><ul><li>Papers on it:<ul><li><a href=a>First</a></ul></ul>`,
      ["- [First](a)"],
    ],
    [
      "what terms mean, in links alone",
      `<h2>Terms</h2><p>${TEXT}</p><dl><dt>ISO<dd><p><a href=i>Standards of the world</a></p><dt>DIN<dd><a href=d>Standards of Germany</a></dl>`,
      ["[Standards of the world](i)", "[Standards of Germany](d)"],
    ],
    [
      "a note in a table",
      "<main><table><tr><td rowspan=2><img alt=[Note]><th>Note<tr><td>Mind the lid.</table></main>",
      ["Note\n\nMind the lid."],
    ],
    [
      "code and tables",
      "<main><pre>run</pre><table><tr><th>A<th>B<tr><td>1<td>2</table></main>",
      ["```\nrun\n```", "| 1 | 2 |"],
    ],
  ])("%s", async (_, body, expected) => {
    const md = await contentOf(`<body><nav>${MENU}</nav>${body}`);
    for (const text of expected) expect(md).toContain(text);
  });

  test("an index of links is left out, and says so", async () => {
    const items = Array.from({ length: 300 }, (_, at) => `<li><a href=p${at}>entry ${at}</a>`).join("");
    const { page, notes, links } = await converted(`<h1>Index</h1><ul>${items}</ul>`, { url: "https://a.example/" });
    expect(page).toBeUndefined();
    expect(notes).toEqual(["it is an index of 300 links, which answers no question; it is left out"]);
    expect(links).toHaveLength(300);
  });

  test.each(["", "<body><script>draw()</script>", "<frameset><frame src=a></frameset>"])(
    "nothing written: %j",
    async (html) => {
      const { page, notes } = await converted(html);
      expect(page).toBeUndefined();
      expect(notes.join()).toContain("nothing is written on it");
    },
  );
});

describe("what a page says about itself", () => {
  test.each([
    ["<title>Pump - Pumps Ltd</title><h1>Pump</h1>", "Pump"],
    ["<title>Pumps Ltd | Pump</title><meta property=og:site_name content='Pumps Ltd'><p>x", "Pump"],
    ["<title>Read - write locks</title><p>x", "Read - write locks"],
    ["<title>How it works | Pumps Ltd</title><p>x", "How it works"],
    ["<title>Pump — Pumps 2.2 Documentation</title><h1>Pump<a href=#pump>¶</a></h1>", "Pump"],
    ["<title> </title><h1>Heading</h1>", "Heading"],
    [
      "<title>Hoses - The Pump Book</title><div><button>≡</button><h1>The Pump Book</h1></div><main><h2>Hoses</h2></main>",
      "Hoses",
    ],
    ["<meta property=og:title content=Social><p>x", "Social"],
    ["<p>x", "page"],
  ])("title: %s", async (html, title) => {
    const end = html.endsWith("</main>") ? `${html.slice(0, -7)}<p>${TEXT}</main>` : `${html}<p>${TEXT}`;
    expect((await converted(end)).page?.metaData.title).toBe(title);
  });

  test("flat, as front matter would", async () => {
    const head =
      "<html lang=de><title>T</title><meta name=Description content='What it is'><meta name=author content='A. Muster'>" +
      "<meta property='article:published_time' content='2026-01-02'><link rel=canonical href='https://a.example/t'>";
    expect((await converted(`${head}<p>${TEXT}`)).page?.metaData).toEqual({
      title: "T",
      language: "de",
      description: "What it is",
      author: "A. Muster",
      date: "2026-01-02",
      canonical: "https://a.example/t",
    });
  });

  test("author and date from its JSON-LD", async () => {
    const told = {
      "@graph": [{ "@type": "BlogPosting", author: [{ name: "A" }, { name: "B" }], datePublished: "2026-02-03" }],
    };
    const html = `<title>T</title><script type='application/ld+json'>${JSON.stringify(told)}</script><p>${TEXT}`;
    expect((await converted(html)).page?.metaData).toEqual({ title: "T", author: "A, B", date: "2026-02-03" });
  });

  test.each([
    ["<meta charset=iso-8859-1><p>caf\xe9", undefined, "café"],
    [
      "<meta http-equiv=content-type content='text/html; charset=windows-1251'><p>\xcf\xf0\xe8\xe2\xe5\xf2",
      undefined,
      "Привет",
    ],
    ["<?xml version='1.0' encoding='iso-8859-2'?><html><body><p>\xb1", undefined, "ą"],
    ["<meta charset=utf-8><p>\xa4", "iso-8859-15", "€"],
  ])("letters as it says: %s", async (html, charset, expected) => {
    const { page } = await converted(Buffer.from(html, "latin1"), charset === undefined ? {} : { charset });
    expect(page?.content).toEqual([{ md: expected }]);
  });
});

describe("links", () => {
  const PAGE =
    "<nav><a href='/menu'>M</a></nav><a href='b.html#x'>B</a><a href='b.html'>B</a><a rel=nofollow href=c>C</a><a href='mailto:x@y.z'>D</a>" +
    "<a href='#top'>E</a><a href='https://other.example/?q=1#f'>F</a>";

  test("absolute, each once, those of the navigation too", async () => {
    const { links } = await converted(PAGE, { url: "https://a.example/docs/a.html" });
    expect(links).toEqual(["https://a.example/menu", "https://a.example/docs/b.html", "https://other.example/?q=1"]);
  });

  test("by its base, and none where it says so", async () => {
    const base = await converted(`<base href='/v2/'>${PAGE}`, { url: "https://a.example/docs/a.html" });
    expect(base.links).toContain("https://a.example/v2/b.html");
    const none = await converted(`<meta name=robots content=nofollow>${PAGE}`, {
      url: "https://a.example/docs/a.html",
    });
    expect(none.links).toEqual([]);
  });

  test("of a file stay relative", async () => {
    const { links, page } = await converted(`<p>${TEXT} <a href='b.html#x'>B</a>`);
    expect(links).toBeUndefined();
    expect(page?.content[0]?.md).toContain("[B](b.html#x)");
  });
});

describe("questions with answers", () => {
  const ONE = { question: "Does it leak?", answer: "No, **never**.\n\n- Not here\n- Not there" };
  const ANSWER = "<p>No, <b>never</b>.<ul><li>Not here<li>Not there</ul>";
  const TOLD = JSON.stringify({
    "@type": "FAQPage",
    mainEntity: [
      {
        "@type": "Question",
        name: "Does it leak?",
        acceptedAnswer: { "@type": "Answer", text: "No, never. Not here. Not there." },
      },
    ],
  });

  test.each([
    ["details", `<details><summary>Does it leak?</summary>${ANSWER}</details>`],
    ["details below a heading", `<h2>FAQ</h2><details><summary>Does it leak?</summary>${ANSWER}</details>`],
    [
      "microdata",
      `<div itemscope itemtype='https://schema.org/FAQPage'><div itemscope itemprop=mainEntity itemtype='https://schema.org/Question'><h3 itemprop=name>Does it leak?</h3><div itemprop=acceptedAnswer itemscope><div itemprop=text>${ANSWER}</div></div></div></div>`,
    ],
    ["a definition list", `<h1>Frequently asked questions</h1><dl><dt>Does it leak?<dd>${ANSWER}</dl>`],
    ["JSON-LD beside headings", `<script type='application/ld+json'>${TOLD}</script><h3>Does it leak?</h3>${ANSWER}`],
    [
      "JSON-LD beside an accordion",
      `<script type='application/ld+json'>${TOLD}</script><div><div><button aria-controls=a><span>Does it leak?</span></button></div><div id=a hidden>${ANSWER}</div></div>`,
    ],
    [
      "JSON-LD and details",
      `<script type='application/ld+json'>${TOLD}</script><details><summary>Does it leak?</summary>${ANSWER}</details>`,
    ],
  ])("%s: they leave the page, and nothing is left of it", async (_, body) => {
    const { page, faqs, notes } = await converted(`<title>Pump</title><body><nav>${MENU}</nav>${body}`);
    expect(faqs).toEqual([ONE]);
    expect(page).toBeUndefined();
    expect(notes).toEqual([]);
  });

  test("JSON-LD alone", async () => {
    const { page, faqs } = await converted(
      `<script type='application/ld+json'>${TOLD}</script><main><p>${TEXT}</main>`,
    );
    expect(faqs).toEqual([{ question: "Does it leak?", answer: "No, never. Not here. Not there." }]);
    expect(page?.content).toEqual([{ md: TEXT }]);
  });

  test("several details in a row below such a heading need no question mark; elsewhere they are content", async () => {
    const rows = "<details><summary>Leaks</summary>None.</details><details><summary>Noise</summary>Little.</details>";
    expect((await converted(`<h2>FAQ</h2>${rows}`)).faqs.map(({ question }) => question)).toEqual(["Leaks", "Noise"]);
    expect((await converted(`<h2>Data</h2>${rows}`)).faqs).toEqual([]);
  });

  test("what is told otherwise than it is shown stays on the page", async () => {
    const { page, faqs } = await converted(
      `<script type='application/ld+json'>${TOLD}</script><h3>Does it leak?</h3><p>${TEXT}</p>`,
    );
    expect(faqs[0]?.answer).toBe("No, never. Not here. Not there.");
    expect(page?.content[0]?.md).toContain(TEXT);
  });

  test.each([
    ["cut off", "{"],
    ["nested", "[".repeat(100_000)],
    ["empty", '{"@type":"FAQPage","mainEntity":[null,7,{"@type":"Question"}]}'],
  ])("broken JSON-LD harms nothing: %s", async (_, text) => {
    const { page, faqs } = await converted(`<script type='application/ld+json'>${text}</script><p>${TEXT}`);
    expect(faqs).toEqual([]);
    expect(page?.content).toEqual([{ md: TEXT }]);
  });
});

describe("hostile pages", () => {
  const TOLD =
    '<script type="application/ld+json">{"@type":"FAQPage","mainEntity":{"@type":"Question","name":"Does it leak?","acceptedAnswer":"no"}}</script>';

  /** A page with this in its midst ends in its text, or is passed over. */
  async function expectPage(tags: string): Promise<void> {
    const { page } = await converted(`${TOLD}<p>${TEXT}</p>${tags}<p>${MORE}</p>`);
    expect(page === undefined ? "" : page.content[0]?.md).toContain(page === undefined ? "" : TEXT);
  }

  test.each([
    ["divs", "<div>"],
    ["tables", "<table><tr><td>"],
  ])("%s 100,000 deep end in a page", async (_, tag) => {
    await expectPage(tag.repeat(100_000));
  });

  test.each<[string, (count: number) => string]>([
    ["divs", (count) => "<div>".repeat(count)],
    ["tables", (count) => "<table><tr><td>".repeat(count)],
    ["hidden elements", (count) => "<p hidden>x</p>".repeat(count)],
    ["links", (count) => "<a href=x>x</a> ".repeat(count)],
    ["link lines", (count) => "<p><a href=x rel=next>x</a></p>".repeat(count)],
    [
      "buttons that accept",
      (count) => `<div>${"<div><button>Accept</button> a".repeat(300)}${"<button>Accept</button>".repeat(count)}`,
    ],
    ["links of a heading", (count) => `<h2>Pump <span>${"[<a href=x>edit</a>]".repeat(count)}</span></h2>`],
    [
      "parts named as their headings",
      (count) => "<section id=cookies><h2>Cookies</h2><p>x</p></section>".repeat(count / 4),
    ],
    ["details", (count) => "<details><summary>a?</summary>b</details>".repeat(count / 4)],
    ["headers", (count) => "<header><h2>a</h2><p>It is what it is.</p>".repeat(count / 4)],
    ["articles", (count) => "<article><p>It is what it is.</p></article>".repeat(count / 4)],
    ["questions", (count) => "<h3>Does it leak?</h3><p>x</p>".repeat(count / 4)],
    [
      "buttons",
      (count) => `<h1>FAQ</h1>${"<button aria-expanded=false>Does it leak?</button><p>x</p>".repeat(count / 4)}`,
    ],
    [
      "buttons of one panel",
      (count) =>
        `<h1>FAQ</h1>${Array.from({ length: count / 4 }, (_, at) => `<button aria-expanded=false aria-controls=x>a${at}</button>`).join("")}<div id=x>${"<p>x</p>".repeat(count / 4)}</div>`,
    ],
    ["class names", (count) => `<div class="${"sidebar-".repeat(count)}">`],
    ["attributes", (count) => `<div ${Array.from({ length: count / 4 }, (_, at) => `a${at}=1`).join(" ")}>`],
    ["scripts of JSON", (count) => "<script type='application/ld+json'>{}</script>".repeat(count / 4)],
  ])("%s without end end in a page, in linear time", async (_, tags) => {
    const work = (count: number) => {
      const html = tags(count);
      return () => expectPage(html);
    };
    expect(await moreThanLinear(work, 2_000, 8_000)).toBeUndefined();
  });
});
