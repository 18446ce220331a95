import { describe, expect, test } from "vitest";
import { readable } from "../../examples/shared/answers.mjs";

const part = { text: "One line.\nAnd another.", similarity: 0.5, start: 3, stop: 4 };
const answer = {
  resourceDocId: "file:docs/a.md",
  metaData: { title: "A page" },
  bestMatchScore: 0.5,
  similarTextParts: [part, { text: "Further down.", similarity: 0.25, start: 9, stop: 9 }],
};

describe("answers for a person", () => {
  test("have title, score, id, lines and text", () => {
    expect(readable([answer])).toBe(
      ["1. A page  (score 0.500)", "   file:docs/a.md", "   lines 3 to 4", "   | One line.", "   | And another."].join(
        "\n",
      ),
    );
  });

  test("show as many passages as asked for", () => {
    expect(readable([answer], { partsMax: 2 })).toContain("   line 9\n   | Further down.");
  });

  test("name the file's lines where front matter was cut off", () => {
    const metaData = { title: "A page", sourceLine: 6 };
    expect(readable([{ ...answer, metaData }])).toContain("lines 3 to 4, in the file lines 8 to 9");
  });

  test("take the id where there is no title, and say when there is nothing", () => {
    expect(readable([{ ...answer, metaData: {} }])).toMatch(/^1\. file:docs\/a\.md {2}\(score/);
    expect(readable([])).toBe("   (nothing found)");
  });

  test("break long lines and leave out what is too much", () => {
    const text = [`${"word ".repeat(50)}`, ..."abcdefgh"].join("\n");
    const lines = readable([{ ...answer, similarTextParts: [{ ...part, text }] }])
      .split("\n")
      .slice(3);
    expect(lines).toHaveLength(9);
    expect(lines.every((line) => line.length <= 105)).toBe(true);
    expect(lines.at(-1)).toBe("   | ...");
  });

  test("cannot move the cursor", () => {
    const text = "red \u001b[31m\rline";
    expect(readable([{ ...answer, similarTextParts: [{ ...part, text }] }])).toContain("red \ufffd[31m\ufffdline");
  });
});
