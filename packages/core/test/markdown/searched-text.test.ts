import { describe, expect, it } from "vitest";
import { plainText } from "../../src/markdown/plain-text.ts";
import { searchedText } from "../../src/markdown/searched-text.ts";

describe("the text that is searched", () => {
  it.each([
    ["Use || or ~ here, not ~~this~~ and a|b.", "|| ~ Use    or  here, not this and a b."],
    ["| a | b |", "  a   b  "],
    ["`a || b` is code", "a || b is code"],
    [">= 5 items", ">= = 5 items"],
    [">> quoted", "quoted"],
    ["pipe |> to <| it", "|> <| pipe  > to <  it"],
    ["a ` alone", "` a  alone"],
  ])("of %j has symbols that stand as words of their own: %j", (markdown, text) => {
    expect(searchedText(markdown, "text")).toBe(text);
  });

  it.each(["==", "===", "||", "|", "~", "~~~", ">", ">>", ">=", "+", "> = |"])(
    "is a question of symbols alone as it stands: %j",
    (question) => {
      expect(searchedText(question, "question")).toBe(question);
    },
  );

  it("is the plain text of all else", () => {
    for (const text of ["> quoted", "**bold** words", "a ~~gone~~ word", "| 1 | 2 |", "-> a != b", "&gt;"])
      expect(searchedText(text, "question")).toBe(plainText(text, "question"));
    expect(searchedText("a || b", "code")).toBe("a || b");
  });

  it("is read in linear time, whatever stands in it", () => {
    for (const text of ["|", "~", "=|", ">=", "| ", "~ ", "|~x"])
      expect(searchedText(`a${text.repeat(200_000)}`, "text").length).toBeGreaterThan(0);
  });
});
