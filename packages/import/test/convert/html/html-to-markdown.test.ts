import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { htmlToMarkdown } from "../../../src/convert/html/html-to-markdown.ts";

function md(html: string, baseUrl?: string): string {
  return htmlToMarkdown(html, baseUrl === undefined ? {} : { baseUrl });
}

describe("blocks", () => {
  test.each([
    ["<h1>One <small>two</small></h1><p>Text\n goes   on.</p>", "# One two\n\nText goes on."],
    ["<p>One<p>Two", "One\n\nTwo"],
    ["<h2></h2><h3><b>Bold</b> <code>x_y</code><a href='#s'>¶</a></h3>", "### Bold `x_y`"],
    ["a<br>b<br><br>c", "a  \nb\n\nc"],
    ["<blockquote><p>One</p><p>Two</p></blockquote>", "> One\n>\n> Two"],
    ["<div role=heading aria-level=3>Deep</div>text", "### Deep\n\ntext"],
    ["<span>in<div>block</div>after</span>", "in\n\nblock\n\nafter"],
    ["<details><summary>More</summary><p>Inside</p></details>", "**More**\n\nInside"],
    [
      "<p>1. not a list<br># nor a heading<br>- nor this<br>>x",
      "1\\. not a list  \n\\# nor a heading  \n\\- nor this  \n\\>x",
    ],
    ["<figure><img alt='A tree'><figcaption>Trees</figcaption></figure>", "A tree\n\nTrees"],
    ["<script>x()</script><style>p{}</style><template><p>no</p></template><noscript>off</noscript>yes", "yes"],
    ["<h4><button>Opens?</button></h4><button>Copy</button>", "#### Opens?"],
    ["", ""],
  ])("%s", (html, expected) => expect(md(html)).toBe(expected));
});

describe("within a line", () => {
  test.each([
    ["<b>bold</b> and <i>slanted</i>", "**bold** and *slanted*"],
    ["<b> spaced </b>out", "**spaced** out"],
    ["<b>F</b>ile <b>T</b>ransfer, un<i>believ</i>able", "File Transfer, unbelievable"],
    ["<b><strong>twice</strong></b> <b></b><i>,</i>", "**twice** ,"],
    ["<code>a  b</code> <code>`</code> <kbd>Ctrl</kbd>", "`a b` `` ` `` `Ctrl`"],
    ["<code>a</code><code>b</code>", "`ab`"],
    ["H<sub>2</sub>O, 10<sup>6</sup>, x<sup>-n</sup>, 1<sup>st</sup>", "H2O, 10^6, x^-n, 1st"],
    ["text<sup><a href='#fn1'>[1]</a></sup> on", "text[^1] on"],
    [
      "snake_case *star* __init__ 2 * 3 a&amp;lt; &lt;b&gt; x[0](1) ~~no~~",
      "snake_case \\*star\\* \\_\\_init\\_\\_ 2 * 3 a\\&lt; \\<b> x[0\\](1) \\~\\~no\\~\\~",
    ],
    ["C:\\dir\\new \\* `tick`", "C:\\dir\\new \\\\\\* \\`tick\\`"],
    ["soft&shy;ly a<wbr>b one&nbsp;two", "softly ab one two"],
    ["<img alt=logo.png><img alt=Tree><img>", "Tree"],
    ["<math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math>", "$x^2$"],
    ["<q>said</q> <del>old</del>", "“said” ~~old~~"],
  ])("%s", (html, expected) => expect(md(html)).toBe(expected));
});

describe("links", () => {
  test.each([
    ["<a href='b.html'>B</a>", undefined, "[B](b.html)"],
    ["<a href='../b.html#x'>B</a>", "https://a.example/d/e/f.html", "[B](https://a.example/d/b.html#x)"],
    ["<a href='#x'>B</a> <a name=y>C</a> <a href='javascript:x()'>D</a> <a href='b'></a>", undefined, "B C D"],
    ["<a href='https://a.example/'>https://a.example/</a>", undefined, "<https://a.example/>"],
    ["<a href='a b(c).html'><code>f()</code></a>", undefined, "[`f()`](a%20b%28c%29.html)"],
    ["<code><a href='f.html'>f()</a></code>", undefined, "[`f()`](f.html)"],
    ["<a href='/p'><h3>Card</h3><p>About it</p></a>", undefined, "### [Card](/p)\n\nAbout it"],
    ["see<a href='x'> this </a>one", undefined, "see [this](x) one"],
  ])("%s", (html, base, expected) => expect(md(html, base)).toBe(expected));
});

describe("code", () => {
  test.each([
    ["<pre>\n  a\n\n    b  \n\n</pre>", "```\n  a\n\n    b\n```"],
    ["<pre><code class='hljs language-ts'>let a = `b`;</code></pre>", "```ts\nlet a = `b`;\n```"],
    [
      "<div class='highlight-python3 notranslate'><div class=highlight><pre><span>x</span>&nbsp;= 1</pre></div></div>",
      "```python3\nx = 1\n```",
    ],
    ["<pre class='src src-emacs-lisp'>(a)<br>(b)</pre>", "```emacs-lisp\n(a)\n(b)\n```"],
    ["<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
  ])("%s", (html, expected) => expect(md(html)).toBe(expected));
});

describe("lists", () => {
  test.each([
    ["<ul><li>a<li>b<ul><li>c</ul><li></ul>", "- a\n- b\n  - c"],
    ["<ol start=9><li>a</li><li>b<p>c</p></li><li value=20>d</ol>", "9. a\n\n10. b\n\n    c\n\n20. d"],
    ["<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"],
    ["<ul><li><p>a</p><pre>x\n\ny</pre></li></ul>", "- a\n\n  ```\n  x\n\n  y\n  ```"],
    ["<dl><dt>Term<dd>Meaning<dt>A<dt>B<dd>Both</dl>", "- **Term**: Meaning\n- **A**, **B**: Both"],
    ["<dl><dt><code>-v</code></dt><dd><p>Says more.</p><p>Really.</p></dd></dl>", "`-v`: Says more.\n\nReally."],
    ["<dl><div><dt>Key:</dt><dd>Value</dd></div></dl>", "- **Key:** Value"],
  ])("%s", (html, expected) => expect(md(html)).toBe(expected));

  test("nesting deeper than anyone reads goes on beside", () => {
    const text = md("<ul><li>a".repeat(300));
    expect(text.match(/a/g)).toHaveLength(300);
    expect(text).not.toMatch(/^ {30}/m);
  });
});

describe("tables", () => {
  test.each([
    ["<table><tr><th>A<th>B<tr><td>1<td>x|y<br>z</table>", "| A | B |\n| --- | --- |\n| 1 | x\\|y<br>z |"],
    ["<table><tr><td>1<td>2<tr><td>3<td>4</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"],
    ["<table><tr><td><b>A</b><td><b>B</b><tr><td>3<td>4</table>", "| **A** | **B** |\n| --- | --- |\n| 3 | 4 |"],
    [
      "<table><caption>Cap</caption><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>x<th>y<tbody><tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
      "Cap\n\n| A | B x | B y |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |",
    ],
    ["<table><tr><th>A<th>B<tr><td colspan=2>all<tr><td>1</table>", "| A | B |\n| --- | --- |\n| all |  |\n| 1 |  |"],
    [
      "<table><tr><th>k</th><td>v</td></tr><tr><th>l</th><td>w</td></tr></table>",
      "|  |  |\n| --- | --- |\n| k | v |\n| l | w |",
    ],
    ["<table role=presentation><tr><td>Menu<td><h2>Title</h2><p>Text</table>", "Menu\n\n## Title\n\nText"],
    ["<table><tr><td>left<td>right</table>", "left right"],
    [
      "<table><tr><td><table><tr><th>A<th>B<tr><td>1<td>2</table><td>x</table>",
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nx",
    ],
    ["<table><tr><td class=linenos><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```"],
    [
      "<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><pre>p\n q</pre></table>",
      "| A | B |\n| --- | --- |\n| - x<br>- y | `p`<br>`q` |",
    ],
    [
      "<table><tr><th>A<th><th>B<th>C<tr><td>1<td><img><td>2</table>",
      "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 |  |",
    ],
  ])("%s", (html, expected) => expect(md(html)).toBe(expected));

  test("spans that are not there make no cells", () => {
    const text = md("<table><tr><th>A<th>B<tr><td colspan=9999999 rowspan=65534>x<td>y</table>");
    expect(text.length).toBeLessThan(3_000);
  });
});

describe("hostile pages", () => {
  const COUNT = 100_000;
  test.each([
    ["divs", "<div>".repeat(COUNT)],
    ["lists", "<ul><li>".repeat(COUNT)],
    ["tables", "<table><tr><td>".repeat(COUNT)],
    ["bold", "<b>".repeat(COUNT)],
    ["bold that differs", Array.from({ length: COUNT }, (_, at) => `<p><b id=${at}>`).join("")],
    ["paragraphs in links", "<a href=x><p>".repeat(COUNT)],
    ["quotes", "<blockquote>".repeat(COUNT)],
    ["spans", "<span><i>".repeat(COUNT)],
    ["definitions", "<dl><dd>".repeat(COUNT)],
    ["ends", "</p></div>".repeat(COUNT)],
    ["brackets", "[](<`*_&".repeat(COUNT)],
    ["lines", "<br>".repeat(COUNT)],
    ["code", "<code>a</code>".repeat(COUNT)],
  ])("100,000 nested %s end in text", (_, tags) => {
    expect(md(`<p>before</p>${tags}<p>within`)).toMatch(/before[\s\S]*within/);
  });
});

test("whatever is written, every word survives once and in order", () => {
  const tag = fc.constantFrom(
    "p",
    "div",
    "b",
    "i",
    "code",
    "ul",
    "li",
    "td",
    "tr",
    "table",
    "h2",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "br",
    "a href=x",
  );
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name.split(" ")[0]}>`),
    fc.constant("WORD"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      let words = 0;
      const html = pieces.map((text) => (text === "WORD" ? ` w${words++}w ` : text)).join("");
      const found = md(html).match(/w\d+w/g) ?? [];
      expect([...found].sort()).toEqual(Array.from({ length: words }, (_, at) => `w${at}w`).sort());
    }),
    { numRuns: lawRuns(300) },
  );
});
