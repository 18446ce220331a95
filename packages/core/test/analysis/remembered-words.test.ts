import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { TermNumbering } from "../../src/analysis/analyzer.ts";
import { RememberedWords } from "../../src/analysis/remembered-words.ts";
import { words } from "../../src/analysis/words.ts";
import { seededRandom } from "../support/test-clock.ts";

class Numbering implements TermNumbering {
  readonly serial: number;
  readonly terms: string[] = [];

  constructor(serial: number) {
    this.serial = serial;
  }

  numberOf(term: string): number {
    const known = this.terms.indexOf(term);
    return known < 0 ? this.terms.push(term) - 1 : known;
  }
}

/** A word with a 1 has no term, one with a 2 two of them. */
function termsOfWord(word: string): string[] {
  return word.includes("1") ? [] : word.includes("2") ? [word.replaceAll("2", ""), "two"] : [word];
}

const signs = fc.constantFrom(..."+#.$=<>|&!:*/^~-…‗", "++ ", " .", "€", "🇩🇪", "™");
const unit = fc.oneof(fc.constantFrom(..."abAB12 'é’ \n\u00a0\u0301-", "word ", "Ｗide ", "\u{1f600}"), signs);
const plain = fc.array(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), { maxLength: 20 }).map((all) => all.join(" "));
const text = fc.oneof(fc.string({ unit, maxLength: 40 }), plain);

it("words that are remembered have their own terms and numbers, whichever index asks, and however many are forgotten", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean(), text), { maxLength: 30 }), fc.boolean(), (asked, forgets) => {
      const remembered = new RememberedWords({ words, termsOfWord }, seededRandom(1), forgets ? 8 : 1 << 12);
      const numberings = [new Numbering(1), new Numbering(2)] as const;
      for (const [each, isSecond, other] of asked) {
        // Read at once by Unicode's rules: those for plain words and for stretches between spaces must give the same.
        const wanted = words(each).flatMap((word) => termsOfWord(word.replaceAll("’", "'")));
        const numbering = numberings[isSecond ? 1 : 0];
        const numbers: number[] = [];
        remembered.number(each, numbering, numbers);
        expect(numbers.map((number) => numbering.terms[number])).toEqual(wanted);
        expect(remembered.terms(each)).toEqual(wanted);
        // Takes the places of some.
        remembered.terms(other);
      }
    }),
    { numRuns: lawRuns(1_000) },
  );
});
