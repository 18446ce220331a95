import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { bertWords } from "../../src/embedding/piece-reader.ts";
import { normalFormOfPlain } from "../../src/markdown/normal-form.ts";
import { unicodeForm } from "../../src/platform/unicode-form.ts";

const [english, any] = [await analyzerOf("en"), await analyzerOf("multi")];

const FORMS = ["NFC", "NFD", "NFKC"] as const;

/** Marks above and below, of every sort that Unicode puts in order, and what becomes one. */
const MARKS = ["\u0301", "\u0323", "\u0344", "\u0345", "\u0334", "\u302e", "\u{1d165}", "\u20dd", "\uff9e", "\u09be"];

const LONG_RUN = /[\p{M}\uff9e\uff9f]{31}/u;

const unit = fc.oneof(
  fc.constantFrom(...MARKS, "a", "e", "\u1e69", "\u09c7", "가", "\u1100", "\u1161", "ﬁ", "ﷺ", "\u212b", " "),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
/** Rows of marks of every length around those that are cut. */
const text = fc
  .array(
    fc.oneof(
      unit,
      fc.array(fc.constantFrom(...MARKS), { maxLength: 31 }).map((all) => all.join("")),
    ),
  )
  .map((all) => all.join(""));

/** Two rows of marks, of which every one of the second belongs before every one of the first. */
function unordered(count: number): string {
  return `a${"\u0301".repeat(count)}${"\u0323".repeat(count)}`;
}

/** The texts that are handed to the machine's own normalisation. */
function handedOver(work: () => void): string[] {
  const all: string[] = [];
  const { normalize } = String.prototype;
  vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
    all.push(String(this));
    return normalize.call(this, form);
  });
  work();
  vi.restoreAllMocks();
  return all;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Unicode's normal forms", () => {
  it.each(FORMS)("are those of the machine wherever marks are not without end: %s", (form) => {
    fc.assert(
      fc.property(text, (sample) => {
        fc.pre(!LONG_RUN.test(sample));
        expect(unicodeForm(sample, form)).toBe(sample.normalize(form));
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it.each(FORMS)("lose no mark of a long row: %s", (form) => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 99 }), (sample, count) => {
        const formed = unicodeForm(sample + unordered(count) + sample, form);
        expect(formed.normalize("NFKD")).toBe((sample + unordered(count) + sample).normalize("NFKD"));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  it.each(
    Object.entries({
      "a text that is compared": normalFormOfPlain,
      "a text in English": (sample: string) => english?.terms(sample),
      "a text in any language": (sample: string) => any?.terms(sample),
      "a text that is embedded": bertWords,
    }),
  )("are made of a few marks at a time for %s", (_, read) => {
    for (const count of [1_000, 2_000]) {
      const pieces = handedOver(() => read(unordered(count)));
      expect(pieces.length).toBeGreaterThan(0);
      expect(pieces.filter((piece) => LONG_RUN.test(piece))).toEqual([]);
    }
  });

  it("are made of each character once", () => {
    for (const count of [1_000, 2_000]) {
      const pieces = handedOver(() => unicodeForm(unordered(count), "NFC"));
      expect(pieces.join("")).toBe(unordered(count));
    }
  });
});
