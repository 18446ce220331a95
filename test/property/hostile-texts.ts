/** Texts that somebody makes to keep a machine busy. Each is given by how many UTF-16 units it has, more or less. */

export interface HostileText {
  readonly name: string;
  readonly of: (units: number) => string;
}

const PUNCTUATION = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];
const WHITE_SPACE = [" ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u2028", "\u3000"];
const OTHERS = [
  "a",
  "1",
  "é",
  "e\u0301",
  "\u0301",
  "\u0323",
  "’",
  "”",
  "…",
  "。",
  "」",
  "😀",
  "\ud800",
  "\u200b",
  "\u00ad",
  "\0",
  "İ",
  "ﷺ",
];

export const CHARACTERS: readonly string[] = [...PUNCTUATION, ...WHITE_SPACE, ...OTHERS];

/** Things that open and never close, close and never opened, or stand in each other; and things of many parts. */
const CONSTRUCTS: readonly (readonly [before: string, repeated: string, after: string])[] = [
  ["", "[", "](a)"],
  ["", "[a](", ""],
  ["", "[a](<", ""],
  ["", '[a](b "', ""],
  ["", "[a](b (", ""],
  ["", "![", "](a)"],
  ["", "[![a](b)](c) ", ""],
  ["", "[a][", ""],
  ["", "[a][b] ", ""],
  ["", "[a `]` ", ""],
  ["", "[a]: b\n", ""],
  ["", "[a]: <b\n", ""],
  ["", "[", "[a]".repeat(100)],
  ["", "*a **b ", ""],
  ["", "*a_ ", ""],
  ["", "**a *b", "**"],
  ["", "a**b", ""],
  ["", "~~a ", ""],
  ["", "__a_b", ""],
  ["", "`a ``b ", ""],
  ["", "` `` ``` ", ""],
  ["", "```\n", ""],
  ["```\n", "a\n", ""],
  ["", "~~~ ```\n", ""],
  ["", "<a ", ""],
  ["", "<a b='", ""],
  ["", '<a b="c" ', ""],
  ["", "</a ", ""],
  ["", "<!--", ""],
  ["", "<!-- a -->", ""],
  ["", "<!A ", ""],
  ["", "<?", ""],
  ["", "<![CDATA[", ""],
  ["", "<script>", ""],
  ["", "<div>\n", ""],
  ["<div>\n", "<a b='\n", ""],
  ["<div>\n", "&amp", ""],
  ["", "<a@b", ""],
  ["", "<http:", ""],
  ["", "http://", ""],
  ["", "a@b.", ""],
  ["", "&#", ""],
  ["", "&#x1", ""],
  ["", "&amp;", ""],
  ["", "&ampersand", ""],
  ["", "> ", "a"],
  ["", "> - ", "a"],
  ["", "- ", "a"],
  ["", "- a\n  ", ""],
  ["", "1. ", "a"],
  ["", "1) a\n", ""],
  ["", ">\n", "a"],
  ["", "> > a\n", ""],
  ["", "# a\n", ""],
  ["", "# a #", ""],
  ["", "#", " a"],
  ["", "a\n===\n", ""],
  ["", "a\n-\n", ""],
  ["", "* * *\n", ""],
  ["", "|a", "|"],
  ["|a|b|\n|-|-|\n", "|c|d|\n", ""],
  ["a|b\n-|-\n", "|", "\n"],
  ["", "|-", "|"],
  [`${"|a".repeat(64)}\n${"|-".repeat(64)}\n`, "|\n", ""],
  ["", `${"|a".repeat(16)}\n${"|-".repeat(16)}\n${"|\n".repeat(32)}\n`, ""],
  [" ".repeat(1_360), "-", "x refund"],
  ["", "    a\n\n", ""],
  ["", "\\", "a"],
  ["", "\\\n", "a"],
  ["", ". ", "a"],
  ["", ".)", " a"],
  ["", "a. ", ""],
  ["", "don't", ""],
  ["", "a'", ""],
  ["", "n't ", ""],
  ["", "1.1", ""],
  ["", "a\u0301", ""],
  ["a", "\u0301\u0323", ""],
  ["", "{", "}"],
  ["", "{a: ", ""],
  ["", "a: b\n", ""],
  ["", "- - ", "a"],
  ["", "? ", "a"],
  ["", "&a ", "b"],
  ["", "!a ", "b"],
  ["", "'", ""],
  ["", "a: |\n ", "b"],
  ["", "# a", "\n"],
  ["", "---\n", ""],
  ["---\n", "- ", "\n---\n"],
];

/** A run of each, alone and beside a word. */
export function runsOf(texts: readonly string[]): HostileText[] {
  return texts.flatMap((text) => [
    { name: JSON.stringify(text), of: (units: number) => run(text, units) },
    { name: `${JSON.stringify(text)} before a word`, of: (units: number) => `${run(text, units)}refund` },
    { name: `${JSON.stringify(text)} after a word`, of: (units: number) => `refund${run(text, units)}` },
  ]);
}

/** Each two of them, one after the other. */
export function pairsOf(texts: readonly string[]): string[] {
  return texts.flatMap((first) => texts.filter((second) => second !== first).map((second) => first + second));
}

/** A run of one, then a run of another, then a word: what takes one for the beginning of the other begins again at each. */
export function runsAfterRuns(texts: readonly string[]): HostileText[] {
  return texts.flatMap((first) =>
    texts.map((second) => ({
      name: `${JSON.stringify(first)} then ${JSON.stringify(second)}`,
      of: (units: number) => `${run(first, units / 2)}${run(second, units / 2)}x refund`,
    })),
  );
}

export function constructs(): HostileText[] {
  const marks = runsAfterRuns(["\u0301", "\u0323"]);
  const others = CONSTRUCTS.map(([before, repeated, after]) => ({
    name: JSON.stringify([before.slice(0, 20), repeated.slice(0, 20), after.slice(0, 20)]),
    of: (units: number) => before + run(repeated, units) + after,
  }));
  return [...marks, ...others];
}

function run(text: string, units: number): string {
  return text.repeat(Math.ceil(units / text.length));
}
