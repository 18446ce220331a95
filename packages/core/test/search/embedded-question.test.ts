import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embeddedQuestion, textsInSlices } from "../../src/index/embedded-texts.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcdefgXYZ0123"), minLength: 1, maxLength: 8 });
/** ASCII without a mark of markdown. */
const plain = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const raised = (text: string, first: number): string =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97));

describe("what an encoder is given of a question", () => {
  it("is the question itself where it is plain", () => {
    fc.assert(
      fc.property(plain, fc.constantFrom("", "?", "!", ".", "..."), (text, end) => {
        // A number and a full stop begin an item of a list.
        fc.pre(!/^\d+$/.test(text));
        expect(embeddedQuestion(text + end)).toBe(text + end);
      }),
    );
  });

  it("is the same whatever it is set in", () => {
    fc.assert(
      fc.property(plain, (text) => {
        fc.pre(!/^\d+$/.test(text));
        for (const as of [`**${text}**`, `*${text}*`, `# ${text}`, ` ${text}\n`, `${text}!!`, `${text}!!!!`])
          expect(embeddedQuestion(as)).toBe(text);
        expect(embeddedQuestion(`${text}?!?`)).toBe(`${text}?`);
        // Bold and script letters of mathematics, letters of full width.
        for (const first of [0x1d41a, 0x1d4ea, 0xff41]) expect(embeddedQuestion(raised(text, first))).toBe(text);
      }),
    );
  });

  it.each([
    ["ﬁnd the ﬂag", "find the flag"],
    ["Ｈｏｗ！", "How!"],
    ["it’s 5 € … “so” — ½ x²", "it’s 5 € … “so” — 1⁄2 x2"],
    ["**", "**"],
    ["!!!", "!!!"],
  ])("of %j is %j", (question, text) => {
    expect(embeddedQuestion(question)).toBe(text);
  });

  it("is read in linear time", () => {
    for (const window of ["!?", "! ", "𝐚", "*", "é\u0301"])
      expect(embeddedQuestion(window.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

it("texts of documents are given in plain letters too", () => {
  const texts = finished(
    textsInSlices({
      ...{ id: "d", type: "DOCUMENT", status: "active", metaData: {}, titles: ["𝐓𝐢𝐭𝐥𝐞"] },
      content: [{ md: "# Ｈｅａｄ\n\nSome **𝐛𝐨𝐥𝐝** text." }],
    }),
  );
  expect(texts).toEqual(["Title", "Title\nHead\nSome bold text."]);
});
