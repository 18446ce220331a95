import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { englishStem } from "../../src/analysis/english-stems.ts";
import { plainWordsBelow, winkStem } from "../support/wink-stems.ts";

/** One of the judged sets; the slow test reads them all. */
const DATA = fileURLToPath(new URL("../../../../../shared/data/docs_plausible_en/", import.meta.url));

const letters = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), minLength: 1, maxLength: 40 });

describe("the stems of English words", () => {
  it("are those that wink-nlp gives for a document of the word alone", () => {
    const parts =
      "gener commun arsen skis proceed inning ing ed eed edly eedly ingly s es ies ied sses us y ly li at bl iz ational ization fulness ousness iveness tional " +
      "biliti lessli entli ation alism aliti ousli iviti fulli enci anci abli izer ator alli bli logi alize icate iciti ative ical ness ful ement ance ence " +
      "able ible ment ant ent ism ate iti ous ive ize ion al er ic e ll bb tt st ab o re x w t ay oy uy yy ay ey eying ayed oyal nt ve";
    const made = fc.array(fc.constantFrom(...parts.split(" ")), { minLength: 1, maxLength: 5 });
    const word = fc.oneof(
      made.map((all) => all.join("").slice(0, 40)),
      letters,
    );
    fc.assert(
      fc.property(word, (it) => {
        expect(englishStem(it)).toBe(winkStem(it));
      }),
      { numRuns: lawRuns(20_000) },
    );
  });

  it.each(
    (
      "communed generous generated arsenals innings exceeded skies skis dying lying tying idly gently ugly early only singly sky news atlas cosmos bias andes " +
      "outings canning herrings proceeds succeeded earrings yes year boy boys say says sayings enjoyed joyous boyboy toyotayoyo yyy eyes by cry cried " +
      "youre couldve howre theyll cannot iam dont gonna mr etc e pm constructor hasownproperty"
    ).split(" "),
  )("are so for %s", (word) => {
    expect(englishStem(word)).toBe(winkStem(word));
  });

  it.skipIf(!existsSync(DATA))("are those of wink-nlp for every word of a judged set", () => {
    const words = plainWordsBelow(DATA);
    expect(words.size).toBeGreaterThan(2_000);
    const other = [...words].filter((word) => englishStem(word) !== winkStem(word));
    expect(other).toEqual([]);
  });
});
