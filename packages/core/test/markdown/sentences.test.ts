import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutIntoSentences, type Stretch } from "../../src/markdown/sentences.ts";
import { partsOf } from "../../src/query/parts.ts";
import { moreThanLinear } from "../support/linear-time.ts";

/** What the end of a sentence is, said in one expression: fit for short texts only, since it takes quadratic time on a run of marks. */
const SENTENCE_END = /[.!?…]+["'”’)\]]*(?=\s)|[。！？｡]+[”’」』）]*/gu;

/** The same cut, from all ends at once. */
function plainCut(text: string, charactersMax: number): Stretch[] {
  const pieces: Stretch[] = [];
  const add = (from: number, to: number): void => {
    const inner = text.slice(from, to).replace(/^[\t-\r \u00a0\u3000\u2028]+/, "");
    const start = to - inner.length;
    const end = start + inner.replace(/[\t-\r \u00a0\u3000\u2028]+$/, "").length;
    if (start < end) pieces.push({ start, end });
  };
  const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  let start = 0;
  let whole = 0;
  for (const end of [...ends, text.length]) {
    if (end - start > charactersMax && whole > start) {
      add(start, whole);
      start = whole;
    }
    while (end - start > charactersMax) {
      const word = /^.+(?=[\t-\r \u00a0\u3000\u2028])/s.exec(text.slice(start, start + charactersMax + 1))?.[0];
      const splitsPair = /[\ud800-\udbff]/.test(text.charAt(start + charactersMax - 1)) && charactersMax > 1;
      const cut = start + (word?.length ?? (splitsPair ? charactersMax - 1 : charactersMax));
      add(start, cut);
      start = cut;
    }
    whole = end;
    if (end - start >= charactersMax / 2) {
      add(start, end);
      start = end;
    }
  }
  add(start, text.length);
  return pieces;
}

const unit = fc.constantFrom(
  ..."ab .!?…\"'”’)]。！？｡」』）\t\u00a0\u2003\u3000\u2028\ufeff",
  "\u{1f600}",
  "\ud83d",
  "word ",
  "end. ",
);
const RUNS = [" ", ".", "”", "。", "」", ".!?", ". ", "。 ", '."', ". . .\t", "word", "word ", "\u{1f600}"];
const text = fc.string({ unit, maxLength: 80 });

describe("the sentences of a text", () => {
  it("are what the marks and the white space after them say", () => {
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 30 }), (before, inner, after, charactersMax) => {
        const all = before + inner + after;
        const end = before.length + inner.length;
        const found = [...cutIntoSentences(all, before.length, end, charactersMax)];
        expect(found.map((piece) => ({ start: piece.start - before.length, end: piece.end - before.length }))).toEqual(
          plainCut(inner, charactersMax),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("are cut when they are asked for", () => {
    const pieces = cutIntoSentences("One word. ".repeat(1_000), 0, 10_000, 20);
    expect(pieces.next().value).toEqual({ start: 0, end: 19 });
    expect(pieces.next().value).toEqual({ start: 20, end: 29 });
  });

  it.each(RUNS)("take twice the work for twice as many of %j", (run) => {
    const work = (n: number) => {
      const line = `word ${run.repeat(n)}x`;
      return (): void => {
        for (const _ of cutIntoSentences(line, 0, line.length, 600));
        partsOf([line]);
      };
    };
    expect(moreThanLinear(work, 1_000, 64_000)).toBeUndefined();
  });
});
