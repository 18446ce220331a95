/** Markdown as people, programs and accidents write it. */

import fc from "fast-check";

const WORDS = [
  "harbour",
  "Ferry",
  "leaves",
  "at",
  "noon",
  "the",
  "naïve",
  "über",
  "漢字",
  "поезд",
  "42",
  "e-mail",
  "don't",
  "😀",
  "𝒳",
  "👩‍👩‍👧",
];
const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 8 }) },
);
const words = fc
  .array(
    fc.tuple(
      word,
      fc.constantFrom(" ", " ", " ", "  ", ". ", "? ", ", ", "\t", "\r", "\u0000", "\u2028", "\u00a0", "**", "`", "]("),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((windows) => windows.map(([text, gap]) => text + gap).join(""));

const nesting = fc
  .tuple(fc.array(fc.constantFrom("> ", "- ", "1. ", ">", "* ", "   ", "\t"), { minLength: 1, maxLength: 80 }), words)
  .map(([marks, text]) => marks.join("") + text);

const table = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.array(words, { maxLength: 5 }), { maxLength: 6 }), fc.boolean())
  .map(([columns, rows, proper]) => {
    const head = proper ? [`|${" h |".repeat(columns)}`, `|${"---|".repeat(columns)}`] : ["| h |", "|--"];
    return [...head, ...rows.map((cells) => `| ${cells.join(" | ")}`)].join("\n");
  });

const line = fc.oneof(
  { weight: 8, arbitrary: words },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 7 }), words).map(([level, text]) => `${"#".repeat(level)} ${text}`),
  },
  { weight: 3, arbitrary: nesting },
  { weight: 2, arbitrary: table },
  { weight: 2, arbitrary: words.map((text) => `- ${text}`) },
  { weight: 2, arbitrary: words.map((text) => `    ${text}`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "\t",
      "```",
      "````js",
      "~~~",
      "---",
      "===",
      "***",
      "<div>",
      "</div>",
      "<!--",
      "-->",
      "<script>",
      "<?php",
      "<![CDATA[",
      "[ref]: http://example.org/ 'title",
      "[ref]",
      "![image](x.png)",
      "|",
      "|---|",
      "\\",
      "&amp;",
      "&#0;",
      "* * *",
      "[^1]: note",
      ":::",
      "$$",
      "\ufeff",
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(words, fc.integer({ min: 50, max: 400 }))
      .map(([text, times]) => text.repeat(times).slice(0, 20_000)),
  },
);

const lineEnd = fc.constantFrom("\n", "\n", "\n", "\n\n", "\n\n", "\r\n", "\r\n\r\n", "\r\r\n", "\r", "\n\r", "");

/** At least one character; never a lone surrogate, which no article can hold. */
export const markdown: fc.Arbitrary<string> = fc
  .array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 30 })
  .map((lines) =>
    lines
      .map(([text, end]) => text + end)
      .join("")
      .toWellFormed(),
  )
  .map((text) => (text === "" ? "\n" : text));

/** A markdown with a question about it: some of its words, one of its lines, or anything. */
export const markdownWithQuery: fc.Arbitrary<readonly [string, string]> = markdown.chain((text) => {
  const found = text.split(/[\s|#>*`\]()[]+/).filter((window) => /[\p{L}\p{N}]/u.test(window));
  const lines = text.split("\n").filter((window) => /[\p{L}\p{N}]/u.test(window));
  const some =
    found.length === 0
      ? fc.constant("harbour")
      : fc.array(fc.constantFrom(...found), { minLength: 1, maxLength: 5 }).map((windows) => windows.join(" "));
  const whole = lines.length === 0 ? fc.constant("harbour") : fc.constantFrom(...lines);
  const anything = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
  const query = fc.oneof(
    { weight: 4, arbitrary: some },
    { weight: 3, arbitrary: whole },
    { weight: 1, arbitrary: anything },
  );
  return fc.tuple(
    fc.constant(text),
    query.map((asked) => [...asked].slice(0, 4_096).join("").toWellFormed()),
  );
});
