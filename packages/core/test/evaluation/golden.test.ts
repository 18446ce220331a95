import { describe, expect, it } from "vitest";
import { parseGolden, parseGoldens } from "../../src/evaluation/golden.ts";
import { ValidationError } from "../../src/model/errors.ts";

const question = "When?";

function violationsOf(read: () => unknown): readonly { field: string; type: string }[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ValidationError) return error.violations.map(({ field, type }) => ({ field, type }));
    throw error;
  }
  return [];
}

describe("a golden question", () => {
  const whole = { id: "a", gain: 1, lines: [] };

  it.each([
    ["an id of its own", { question, id: "a" }, [whole]],
    ["an id with a line", { question, id: "a", lines: 3 }, [{ ...whole, lines: [[3, 3]] }]],
    ["an id as expected", { question, expected: "a" }, [whole]],
    ["an object", { question, expected: { id: "a", lines: [3, 5] } }, [{ ...whole, lines: [[3, 5]] }]],
    [
      "several ranges",
      {
        question,
        expected: {
          id: "a",
          lines: [
            [3, 5],
            [9, 9],
          ],
        },
      },
      [
        {
          ...whole,
          lines: [
            [3, 5],
            [9, 9],
          ],
        },
      ],
    ],
    ["no range", { question, expected: { id: "a", lines: [] } }, [whole]],
    [
      "several documents",
      { question, expected: ["a", { id: "b", gain: 3 }] },
      [whole, { id: "b", gain: 3, lines: [] }],
    ],
    [
      "the same document twice",
      { question, expected: [{ id: "a", lines: 1, gain: 2 }, "b", { id: "a", lines: [4, 5] }] },
      [
        {
          id: "a",
          gain: 2,
          lines: [
            [1, 1],
            [4, 5],
          ],
        },
        { id: "b", gain: 1, lines: [] },
      ],
    ],
  ])("may have %s, and what was read can be read again", (_, input, expected) => {
    const golden = parseGolden(input);
    expect(golden).toEqual({ question, expected });
    expect(parseGolden(golden)).toEqual(golden);
  });

  it.each([
    ["no object", 7, "a golden question", "object"],
    ["no question", { id: "a" }, "question", "required"],
    ["an empty question", { question: "", id: "a" }, "question", "minLength"],
    ["a question that is too long", { question: "x".repeat(4_097), id: "a" }, "question", "maxLength"],
    ["no answer", { question }, "expected", "required"],
    ["an empty list", { question, expected: [] }, "expected", "minItems"],
    ["both forms", { question, expected: "a", lines: 3 }, "expected", "exclusive"],
    ["a typo", { question, expect: "a", id: "a" }, "expect", "unknownField"],
    ["a typo in an answer", { question, expected: [{ id: "a", line: 3 }] }, "expected.0.line", "unknownField"],
    ["an answer of another kind", { question, expected: ["a", 7] }, "expected.1", "answer"],
    ["an empty id", { question, expected: "" }, "expected", "minLength"],
    ["an answer without id", { question, expected: [{ lines: 3 }] }, "expected.0.id", "required"],
    ["lines without id", { question, lines: 3 }, "id", "required"],
    ["a gain of 0", { question, id: "a", gain: 0 }, "gain", "range"],
    ["a gain of another kind", { question, id: "a", gain: "3" }, "gain", "range"],
    ["line 0", { question, id: "a", lines: 0 }, "lines", "lines"],
    ["half a line", { question, id: "a", lines: 1.5 }, "lines", "lines"],
    ["lines the wrong way round", { question, id: "a", lines: [5, 3] }, "lines", "lines"],
    ["three lines", { question, id: "a", lines: [3, 4, 5] }, "lines", "lines"],
    ["lines of another kind", { question, id: "a", lines: "3-5" }, "lines", "lines"],
    ["a range that is none", { question, id: "a", lines: [[3, 5], [6]] }, "lines", "lines"],
  ])("with %s is refused", (_, input, field, type) => {
    expect(violationsOf(() => parseGolden(input))).toEqual([{ field, type }]);
  });

  it("has all that is wrong with it named at once, with its place in a list", () => {
    const bad = { question: 7, expected: [{ id: "a", gain: -1, lines: {} }] };
    expect(violationsOf(() => parseGoldens([{ question, id: "a" }, bad]))).toEqual([
      { field: "golden.1.question", type: "string" },
      { field: "golden.1.expected.0.gain", type: "range" },
      { field: "golden.1.expected.0.lines", type: "lines" },
    ]);
    expect(violationsOf(() => parseGoldens([]))).toEqual([{ field: "golden", type: "minItems" }]);
    expect(violationsOf(() => parseGoldens([null]))).toEqual([{ field: "golden.0", type: "object" }]);
  });
});
