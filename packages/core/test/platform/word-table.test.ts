import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RememberedWords } from "../../src/analysis/remembered-words.ts";
import { TextHash } from "../../src/platform/text-hash.ts";
import { TextUnits } from "../../src/platform/text-units.ts";
import { WordTable } from "../../src/platform/word-table.ts";
import { sameByFnv } from "../support/same-by-fnv.ts";
import { seededRandom } from "../support/test-clock.ts";

const UNITS = new TextUnits();
const unitsOf = (text: string): Uint16Array => UNITS.of(text);

/** How many of these words are not found again once all of them were met twice. */
function forgotten(table: WordTable<string>, words: readonly string[]): number {
  for (let round = 0; round < 2; round++) {
    for (const word of words) {
      if (table.find(unitsOf(word), 0, word.length) === undefined) table.remember(unitsOf(word), 0, word.length, word);
    }
  }
  return words.filter((word) => table.find(unitsOf(word), 0, word.length) === undefined).length;
}

describe("words that were chosen to collide", () => {
  const chosen = sameByFnv(8, 5);

  it("are 256 with one FNV hash", () => {
    const hashes = chosen.map((word) => {
      let hash = 0x811c9dc5;
      for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
      return hash;
    });
    expect([new Set(chosen).size, new Set(hashes).size]).toEqual([256, 1]);
  });

  it("are analysed once, as any others", () => {
    let analysed = 0;
    const termsOfWord = (word: string): string[] => {
      analysed++;
      return [word];
    };
    const words = new RememberedWords({ words: (text) => [text], termsOfWord }, seededRandom(1));
    for (let round = 0; round < 3; round++) for (const word of chosen) words.terms(word);
    expect(analysed).toBe(chosen.length);
  });

  it("by somebody who knows all but the keys are found again under other keys", () => {
    const places = 1 << 12;
    const hash = new TextHash(seededRandom(1));
    const aimed: string[] = [];
    for (let number = 0; aimed.length < 100; number++) {
      const word = `w${number}`;
      if ((hash.of(unitsOf(word), 0, word.length) & (places - 8)) === 0) aimed.push(word);
    }
    expect(forgotten(new WordTable(places, seededRandom(1)), aimed)).toBeGreaterThan(80);
    expect(forgotten(new WordTable(places, seededRandom(2)), aimed)).toBe(0);
  });

  it("are found again whatever they have in common", () => {
    // Two letters for each place: what is weakest about a hash that is an exclusive or of keys.
    const words = Array.from({ length: 1 << 10 }, (_, bits) =>
      Array.from({ length: 10 }, (_, at) => ((bits >> at) & 1 ? "b" : "a")).join(""),
    );
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const misses = seeds.map((seed) => forgotten(new WordTable(1 << 13, seededRandom(seed)), words));
    expect(misses.filter((count) => count > words.length / 20)).toEqual([]);
  });
});

describe("a table of words", () => {
  it("finds what was remembered last, in any case, or nothing", () => {
    const word = fc.oneof(
      fc.string({ maxLength: 45 }),
      fc.string({ unit: fc.constantFrom("a", "B", "’", "ß", "語"), maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.nat()), { maxLength: 60 }), fc.nat(), (entries, seed) => {
        const table = new WordTable<number>(64, seededRandom(seed));
        const last = new Map<string, number>();
        for (const [text, value] of entries) {
          const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
          const found = table.find(unitsOf(`(${text})`), 1, text.length + 1);
          expect([undefined, last.get(small)]).toContain(found);
          if (found !== undefined) continue;
          table.remember(unitsOf(text), 0, text.length, value);
          last.set(small, value);
          expect(table.find(unitsOf(small), 0, small.length)).toBe(small.length > 40 ? undefined : value);
        }
      }),
    );
  });

  it("holds no more than its maximum, and keeps the words that come again while others flood it", () => {
    const table = new WordTable<number>(1 << 10, seededRandom(3));
    const often = Array.from({ length: 100 }, (_, number) => `often${number}`);
    let missed = 0;
    for (let flood = 0; flood < 100_000; flood++) {
      const word = `flood${flood}`;
      table.remember(unitsOf(word), 0, word.length, flood);
      const again = often[flood % often.length] ?? "";
      if (table.find(unitsOf(again), 0, again.length) !== undefined) continue;
      table.remember(unitsOf(again), 0, again.length, 0);
      if (flood >= 10_000) missed++;
    }
    expect(table.size).toBeLessThanOrEqual(1 << 10);
    expect(missed).toBeLessThan(1_000);
  });
});
