import fc from "fast-check";

const LINES = [
  "",
  " ",
  "\t",
  "# Heading",
  "## Deeper ##",
  "Setext",
  "===",
  "---",
  "- item",
  "  - nested item",
  "1. first",
  "> quote",
  ">> deeper",
  "```",
  "~~~js",
  "    indented code",
  "| a | b |",
  "|---|---|",
  "| 1 | 2 |",
  "  ```",
  "    ```",
  "``` `",
  "<div>",
  "<pre>",
  "</pre>",
  "  <script>",
  "**bold** words",
  "1986. was",
  "</div>",
  "<!-- open",
  "-->",
  '[ref]: http://example.org/ "t"',
  "[text](http://example.org) and `code`",
  "plain words on a line",
  "two  spaces  ",
  "\u0000",
  "a\rb",
  "\r",
  "😀 smile",
  "e\u0301 accent",
  "漢字かな",
  "\u2028",
  "&nbsp;&amp;&#x41;",
  "\\* escaped",
  "***",
  "* * *",
  "![alt](x.png)",
];

const line = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...LINES) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }).map((n) => "A sentence of words. ".repeat(n)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((n) => `${"> ".repeat(n)}${"- ".repeat(n)}deep`) },
);

/** Markdown of every sort: well-formed, broken, with all line ends. */
export const markdownArbitrary: fc.Arbitrary<string> = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n")), { maxLength: 25 })
  .map((lines) => lines.map(([text, end]) => text + end).join(""));
