import { describe, expect, test } from "vitest";
import { convertHtml } from "../../../src/convert/html/html.ts";

async function contentOf(html: string): Promise<string | undefined> {
  const { page } = await convertHtml({ bytes: new TextEncoder().encode(html), name: "page.html", kind: "html" });
  return page?.content.map(({ md }) => md).join("\n");
}

const SHORT = "The pump starts by itself.";
/** Much longer than what the page has to say. */
const LONG =
  "Pumps Ltd has made pumps since 1920, sells them in forty countries, and is glad of every visit. Call us on any day of the week, or write to us: we answer every letter within a day.";
const MENU = "<ul><li><a href=a>Products</a><li><a href=b>Prices</a><li><a href=c>About</a></ul>";

describe("around a page of one sentence, nothing longer than it comes back", () => {
  test.each([
    ["a footer", "", `<footer><p>${LONG}</p></footer>`],
    ["a footer by its name", "", `<div class=site-footer><p>${LONG}</p></div>`],
    ["a footer by its id", "", `<div id=footer><p>${LONG}</p></div>`],
    ["contentinfo", "", `<div role=contentinfo><p>${LONG}</p></div>`],
    ["a header", `<header><p>${LONG}</p>${MENU}</header>`, ""],
    ["a banner", `<div role=banner><p>${LONG}</p></div>`, ""],
    ["a header with the site's name", `<header><h1><a href=/>Pumps Ltd</a></h1><p>${LONG}</p></header>`, ""],
    ["a nav with words", `<nav><p>${LONG}</p>${MENU}</nav>`, ""],
    ["navigation", `<div role=navigation><p>${LONG}</p></div>`, ""],
    ["an aside", "", `<aside><h2>About us</h2><p>${LONG}</p></aside>`],
    ["complementary", "", `<div role=complementary><p>${LONG}</p></div>`],
    ["a search", `<div role=search><p>${LONG}</p></div>`, ""],
    ["a cookie box by its name", "", `<div class=cookie-banner><p>${LONG}</p></div>`],
    ["a cookie box by its maker", "", `<div id=CybotCookiebotDialog><p>${LONG}</p></div>`],
    [
      "a cookie box by what it says",
      "",
      `<div><div><p>We use cookies to make this site work. ${LONG}</p><button>Accept all</button></div></div>`,
    ],
    [
      "all of them",
      `<header><p>${LONG}</p></header><nav>${MENU}</nav>`,
      `<aside><p>${LONG}</p></aside><footer><p>${LONG}</p></footer><div id=onetrust-consent-sdk><p>${LONG}</p></div>`,
    ],
  ])("%s", async (_, before, after) => {
    const plain = `<title>Pump</title><body>${before}<div><h1>Pump</h1><p>${SHORT}</p></div>${after}`;
    expect(await contentOf(plain)).toBe(`# Pump\n\n${SHORT}`);
    const main = `<title>Pump</title><body>${before}<main><h1>Pump</h1><p>${SHORT}</p></main>${after}`;
    expect(await contentOf(main)).toBe(`# Pump\n\n${SHORT}`);
    // The wrapper of an application holds all of it.
    expect(await contentOf(`<body><div id=app>${before}<p>${SHORT}</p>${after}</div>`)).toBe(SHORT);
  });
});

describe("beside a container of the content, nothing comes back that is none", () => {
  const BODY = `<div class=article-body><p>${SHORT}</p><p>${LONG}</p></div>`;
  test.each([
    ["related articles", `<main>${BODY}<h2>Related articles</h2><p>Hoses are long and thin.</p></main>`],
    ["related articles in a part", `<main>${BODY}<div><h2>Related articles</h2><p>Hoses are long.</p></div></main>`],
    ["an aside", `<main>${BODY}<aside><p>We answer every letter.</p></aside></main>`],
    ["who wrote it, and when", `<main><div>Ada Muster</div><p>Updated on 2026-01-02</p>${BODY}</main>`],
    ["a menu", `<main><div>${MENU}</div>${BODY}</main>`],
    [
      "teasers",
      `<article>${BODY}</article><article><h3><a href=/h>Hoses</a></h3><p>They are long and thin.</p></article>`,
    ],
  ])("%s", async (_, body) => {
    expect(await contentOf(`<body>${body}`)).toBe(`${SHORT}\n\n${LONG}`);
  });
});

describe("what might be content comes back", () => {
  test.each([
    [
      "a header with the page's own heading",
      `<header><h1>Pump</h1></header><main><p>${SHORT}</p></main>`,
      `# Pump\n\n${SHORT}`,
    ],
    [
      "a header with the heading and what it begins with",
      `<header><nav>${MENU}</nav><h1>Pump</h1><p>${LONG}</p></header><p>${SHORT}</p>`,
      `# Pump\n\n${LONG}\n\n${SHORT}`,
    ],
    [
      "a header with the page's text",
      `<header><nav>${MENU}</nav><div><h2>Pump</h2><p>${LONG}</p><a href=/buy>Buy</a></div></header><main><p>${SHORT}</p><p>${LONG} ${LONG}</p></main>`,
      `## Pump\n\n${LONG}\n\n${SHORT}`,
    ],
    [
      "a header below the page's heading, with what it begins with",
      `<div><h1>Pump</h1></div><header><p>${LONG}</p></header><main><p>${SHORT}</p></main>`,
      `# Pump\n\n${LONG}\n\n${SHORT}`,
    ],
    [
      "the second header, with the page's heading",
      `<header><h1>Pumps Ltd</h1>${MENU}</header><header><h1>Pump</h1><p>${LONG}</p></header><article><p>${SHORT}</p></article>`,
      `# Pump\n\n${LONG}\n\n${SHORT}`,
    ],
    [
      "a text before a narrower container",
      `<main><h1>Pump</h1><p>${SHORT}</p><div class=article-body><p>${LONG}</p></div></main>`,
      `# Pump\n\n${SHORT}\n\n${LONG}`,
    ],
    [
      "a second article",
      `<article><h2>Pump</h2><p>${LONG}</p></article><article><h2>Valve</h2><p>${SHORT}</p></article>`,
      `## Pump\n\n${LONG}\n\n## Valve\n\n${SHORT}`,
    ],
    ["all of it in a header", `<header><h2>Pump</h2><p>${LONG}</p></header>`, `## Pump\n\n${LONG}`],
    ["all of it in an aside", `<aside><p>${LONG}</p></aside><footer>Pumps</footer>`, LONG],
    ["all of it in what is named a footer", `<div class=footer><p>${LONG}</p></div>`, LONG],
    ["a page on cookies", `<div class=cookie-policy><h1>Cookies</h1><p>We use cookies. ${LONG}</p></div>`, LONG],
    ["a note", `<main><p>${SHORT}</p><aside class=note><p>${LONG}</p></aside></main>`, LONG],
    ["a quote's source", `<main><blockquote><p>${SHORT}</p><footer>Ada</footer></blockquote></main>`, "Ada"],
  ])("%s", async (_, body, expected) => {
    expect(await contentOf(`<body>${body}`)).toContain(expected);
  });
});
