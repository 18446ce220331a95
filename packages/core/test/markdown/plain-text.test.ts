import { describe, expect, it } from "vitest";
import { normalForm, normalFormHash } from "../../src/markdown/normal-form.ts";
import { plainText } from "../../src/markdown/plain-text.ts";

describe("plain text", () => {
  it.each([
    ["# Heading #", "Heading"],
    ["- **bold** and _stressed_ `code`", "bold and stressed code"],
    ["1. first", "first"],
    ["> > quoted", "quoted"],
    ['[text](http://a.b/c_(d) "title")', "text"],
    ["![alt](x.png) ![](y.png)", "alt "],
    ["[![badge](b.svg)](http://a.b)", "badge"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["<b>tag</b> <https://a.b/c>", " tag  https://a.b/c"],
    ["a &amp; b&nbsp;c &#65; &unknown;", "a & b c A &unknown;"],
    ["> [!NOTE]", "NOTE"],
    ["\\*not bold\\*", "*not bold*"],
    ["2024 was fine", "2024 was fine"],
    ["-5 degrees", "-5 degrees"],
  ])("of %j is %j", (markdown, text) => {
    expect(plainText(markdown).trimEnd()).toBe(text.trimEnd());
  });

  it("drops fences and table rules and keeps what is between", () => {
    expect(plainText("```js\ncode();\n```").trim()).toBe("code();");
    expect(plainText("| a | b |\n|---|:-:|\n| 1 | 2 |").replace(/\s+/g, " ").trim()).toBe("a b 1 2");
  });

  it.each(["[", "](", "<a", "<!--", "*_", "&#", "\\", "[![", "> ", "- ", "|-", "`", "_a", "<a@"])(
    "of a long run of %j comes in linear time",
    (run) => {
      expect(typeof plainText(run.repeat(200_000))).toBe("string");
    },
  );
});

describe("the normal form", () => {
  it("is equal for texts that differ in case, white space, composition and marks only", () => {
    const form = normalForm("How do I  **change** the café's key?");
    expect(normalForm(" how do i change\nthe CAFE\u0301's KEY? ")).toBe(form);
    expect(normalForm("# How do I change the café's key?")).toBe(form);
    expect(normalForm("How do I change the cafe's key?")).not.toBe(form);
  });

  it("has a hash that is a safe integer and tells texts apart", () => {
    const hashes = new Set<number>();
    for (let i = 0; i < 50_000; i++) hashes.add(normalFormHash(`question ${i}`));
    expect(hashes.size).toBe(50_000);
    for (const hash of hashes) expect(Number.isSafeInteger(hash)).toBe(true);
  });
});
