import fc from "fast-check";
import { expect, it } from "vitest";
import { inflected } from "../../../src/analysis/english-endings.ts";
import { Guesses } from "../../../src/index/postings/guesses.ts";
import { isBegun, isTyped } from "../../../src/index/postings/mistakes.ts";
import { Vocabulary } from "../../../src/index/postings/vocabulary.ts";
import { bitCount, letterBits } from "../../../src/platform/letter-bits.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const letter = fc.constantFrom("a", "b", "a", "b", "l", "é");
const text = fc.array(letter, { minLength: 2, maxLength: 6 }).map((letters) => letters.join(""));

it("visits every term that is like a word, each once, whenever it came", () => {
  let visitedAtAll = 0;
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 120 }), text, fc.nat(2), (terms, word, mistakes) => {
      const vocabulary = new Vocabulary();
      for (const [i, term] of terms.entries()) {
        vocabulary.enter(term);
        if (i % 50 === 0) vocabulary.outline();
      }
      const visited: string[] = [];
      finished(vocabulary.forEachLike(word, mistakes, new Guesses(), (_, term) => visited.push(term)));
      const expected = terms.filter((term) => {
        const begun = term.charAt(0) === word.charAt(0);
        const isFirstWrong =
          [term.charAt(0), term.charAt(1)].includes(word.charAt(1)) || term.charAt(1) === word.charAt(0);
        return (
          term.length >= Math.max(3, word.length - 7 - mistakes) &&
          term.length <= word.length + mistakes + 1 &&
          (begun || (mistakes === 1 && isFirstWrong)) &&
          isBegun(term, term.length - 1, word, Math.min(mistakes, term.length - 3))
        );
      });
      visitedAtAll += visited.length;
      expect(visited.sort()).toEqual(expected.sort());
      const begun: string[] = [];
      finished(vocabulary.forEachBegunWith(word.slice(0, 3), new Guesses(), (_, term) => begun.push(term)));
      expect(begun.sort()).toEqual(terms.filter((term) => term.startsWith(word.slice(0, 3))).sort());
    }),
  );
  expect(visitedAtAll).toBeGreaterThan(3);
});

it("leaves no word of a stem out that would pass the test", () => {
  let passed = 0;
  const stem = fc.stringMatching(/^[a-eil]{3,7}$/);
  const mistake = fc.record({ at: fc.nat(9), put: fc.constantFrom("", "a", "e", "s"), take: fc.nat(1) });
  fc.assert(
    fc.property(stem, fc.nat(70), fc.array(mistake, { maxLength: 2 }), (term, form, mistakes) => {
      const forms = inflected(term, 1, 30);
      let word = forms[form % forms.length] ?? "";
      for (const { at, put, take } of mistakes) word = word.slice(0, at) + put + word.slice(at + take);
      for (const most of [1, 2]) {
        const typed = letterBits(word);
        const mayHold = (held: number): boolean => bitCount(held & ~typed) <= most && bitCount(typed & ~held) <= most;
        const all = inflected(term, word.length - most, word.length + most).filter((each) => isTyped(each, word, most));
        const some = inflected(term, word.length - most, word.length + most, mayHold);
        expect(some.filter((each) => isTyped(each, word, most))).toEqual(all);
        passed += all.length;
      }
    }),
  );
  expect(passed).toBeGreaterThan(50);
});
