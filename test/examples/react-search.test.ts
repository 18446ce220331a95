import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { highlighted } from "../../examples/react-search/src/highlight.ts";
import { filterOf } from "../../examples/react-search/src/knowledge.ts";

const marked = (text: string, question: string) =>
  highlighted(text, question)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join("");

describe("the words that the page of React marks", () => {
  test.each([
    ["A refund takes three days.", "how long do refunds take?", "A [refund] [takes] three days."],
    ["Ein Übergang, über Straßen", "ÜBER straßen", "Ein Übergang, [über] [Straßen]"],
    ["to do or not", "to", "[to] do or not"],
    ["nothing", "", "nothing"],
  ])("of %j for %j", (text, question, expected) => {
    expect(marked(text, question)).toBe(expected);
  });

  test("are pieces that joined are the text, for any text", () => {
    const someText = fc.string({ unit: fc.constantFrom("a", "Ü", "7", " ", "\n", "<", "😀", "\u0301", "\ud800") });
    fc.assert(
      fc.property(someText, someText, (text, question) => {
        const pieces = highlighted(text, question);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        expect(pieces.every((piece) => piece.text !== "")).toBe(true);
      }),
    );
  });
});

test("the filter has a condition for each field with values", () => {
  expect(filterOf({})).toEqual({});
  expect(filterOf({ type: [] })).toEqual({});
  expect(filterOf({ type: ["EXTERNAL"], "metaData.team": ["billing", "sales"], url: [] })).toEqual({
    and: [{ type: { in: ["EXTERNAL"] } }, { "metaData.team": { in: ["billing", "sales"] } }],
  });
});
