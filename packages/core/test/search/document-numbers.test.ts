import { expect, it } from "vitest";
import { type DocumentNumbers, numbersInSlices } from "../../src/index/document-fields.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import {
  fragmentAt,
  fragmentCountOf,
  fragmentsOfPassage,
  NO_FRAGMENT,
  numberCount,
  windowFragmentOf,
  windowOrdinalOf,
} from "../../src/index/indexed-document.ts";
import type { Passage } from "../../src/markdown/passages.ts";
import type { DocumentType } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

const numbersOf = (titles: readonly string[], md: string, type: DocumentType) =>
  finished(numbersInSlices(cutDocument({ id: "a", type, status: "active", metaData: {}, content: [{ md }], titles })));

const windowsOf = (numbers: DocumentNumbers, count: number) =>
  Array.from({ length: count }, (_, i) => [windowOrdinalOf(numbers, i), windowFragmentOf(numbers, i)]);

it("keeps all numbers of a document in one piece of memory, and no more arrays than two", () => {
  const numbers = numbersOf(["Harbour"], "# Boats\n\nOne boat.\n\n# Nets\n\nTwo nets.", "DOCUMENT");
  const arrays = Object.values(numbers).filter((value) => typeof value !== "number");
  expect(arrays).toHaveLength(2);
  expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(1);
  expect(numbers.hashes).toHaveLength(1 + fragmentCountOf(numbers));
  expect(numbers.numbers).toHaveLength(numberCount(2, fragmentCountOf(numbers), 3));
});

it("tells the pieces of each passage, and where each stands", () => {
  const markdown = "# Boats\n\nOne boat.\n\nIt sails.\n\n# Nets\n\n```\nTwo nets.\n```";
  const cut = cutDocument({
    id: "a",
    type: "DOCUMENT",
    status: "active",
    metaData: {},
    content: [{ md: markdown }],
    titles: [],
  });
  const numbers = finished(numbersInSlices(cut));
  expect(numbers.passageCount).toBe(cut.cut.passages.length);
  for (const [i, { fragments }] of cut.cut.passages.entries()) {
    const [first, last] = fragmentsOfPassage(numbers, i);
    expect(Array.from({ length: last - first }, (_, fragment) => fragmentAt(numbers, first + fragment))).toEqual(
      fragments,
    );
  }
  expect(fragmentCountOf(numbers)).toBe(cut.cut.passages.flatMap(({ fragments }) => fragments).length);
});

it("numbers the title first, then the parts of passages", () => {
  const numbers = numbersOf(["Harbour"], "# Boats\n\nOne boat.\n\n# Nets\n\nTwo nets.", "DOCUMENT");
  expect(windowsOf(numbers, 3)).toEqual([
    [0, NO_FRAGMENT],
    [0, fragmentsOfPassage(numbers, 0)[0]],
    [1, fragmentsOfPassage(numbers, 1)[0]],
  ]);
});

it("numbers each wording of a question before the parts of its answer", () => {
  const numbers = numbersOf(["When?", "At what time?"], "At noon.", "QNA");
  expect(windowsOf(numbers, 3)).toEqual([
    [0, NO_FRAGMENT],
    [1, NO_FRAGMENT],
    [2, 0],
  ]);
});

it("counts the passages of a document of tens of thousands in steps", () => {
  const whole = cutDocument({
    id: "a",
    type: "DOCUMENT",
    status: "active",
    metaData: {},
    content: [{ md: "# a\n".repeat(50_000) }],
    titles: [],
  });
  let reads = 0;
  const get = (passages: readonly Passage[], name: string | symbol): unknown => {
    if (typeof name === "string" && /^\d+$/.test(name)) reads++;
    return Reflect.get(passages, name);
  };
  const cut = { ...whole, cut: { ...whole.cut, passages: new Proxy(whole.cut.passages, { get }) } };
  const between: number[] = [];
  for (const steps = numbersInSlices(cut); steps.next().done !== true; reads = 0) between.push(reads);
  expect(between.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(50_000);
  expect(Math.max(...between)).toBeLessThanOrEqual(16_384);
});
