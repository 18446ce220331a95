import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnglishStems, loadEnglish } from "../../src/text/english-stems.ts";
import { plainStem, plainWordsBelow } from "../support/plain-stems.ts";

/** One of the judged sets; the slow test reads them all. */
const DATA = fileURLToPath(new URL("../../../../../shared/data/docs_plausible_en/", import.meta.url));

const letters = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), minLength: 1, maxLength: 40 });

describe("the stems of English words", () => {
  const stems = new EnglishStems();

  it("are those of the stemmer, whatever else wink-nlp sees in a word", () => {
    const inflected = fc.tuple(letters, fc.constantFrom("ing", "edly", "ations", "ies", "nt", "re", "ve", "ll"));
    const word = fc.oneof(
      letters,
      inflected.map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(word, (it) => {
        expect(stems.stem(it)).toBe(plainStem(it));
      }),
      { numRuns: 5_000 },
    );
    for (const word of "youre couldve howre theyll cannot iam dont gonna mr etc e pm constructor hasOwnProperty".split(
      " ",
    )) {
      expect(stems.stem(word.toLowerCase())).toBe(plainStem(word.toLowerCase()));
    }
  });

  it.skipIf(!existsSync(DATA))("are those of the stemmer for every word of a judged set", () => {
    const words = plainWordsBelow(DATA);
    expect(words.size).toBeGreaterThan(2_000);
    const other = [...words].filter((word) => stems.stem(word) !== plainStem(word));
    expect(other).toEqual([]);
  });

  it("come from a new instance before words that were never seen fill the heap", () => {
    let loads = 0;
    const bounded = new EnglishStems(16, () => {
      loads++;
      return loadEnglish();
    });
    const never = (i: number): string =>
      `qq${"abcdefghij".charAt(i % 10)}${"klmnopqrst".charAt(Math.floor(i / 10) % 10)}zings`;
    for (let i = 0; i < 80; i++) expect(bounded.stem(never(i % 40))).toBe(plainStem(never(i % 40)));
    // Forty words twice, sixteen an instance.
    expect(loads).toBe(6);
    for (const word of ["running", "keys", "policies", "youre"]) for (let i = 0; i < 100; i++) bounded.stem(word);
    expect(loads).toBe(6);
  });
});
