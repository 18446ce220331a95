import { must } from "../../model/must.ts";
import { GrowingUint32 } from "../../platform/growing-array.ts";
import { hasMoreBits, letterBits } from "../../platform/letter-bits.ts";
import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { isBegun } from "../postings/mistakes.ts";
import { formsOf } from "./tokens.ts";
import type { TypedToken } from "./typed-text.ts";

/** Forms that are compared between two yields with a word of {@link USUAL_LETTERS} letters at most. */
const SLICE_FORMS = 4_096;
const USUAL_LETTERS = 8;

/** Bytes of a token: its text, its entry in the map and its places in the arrays. Measured. */
const TOKEN_BYTES = 160;

/** By token of the table, which tokens of the typed text it fits: bit n for the typed token n. Kept between calls, so that a call allocates little. */
export class FittingTokens {
  /** Begins with the typed token. */
  begun = new Uint32Array(0);
  /** Is the typed token. */
  whole = new Uint32Array(0);
  /** Begins with it after one typing mistake at most; below, after as many as are tolerated. */
  one = new Uint32Array(0);
  close = new Uint32Array(0);

  get bytes(): number {
    return this.begun.buffer.byteLength;
  }

  /** Begins with no fitting token among `count`. */
  begin(count: number): void {
    if (count > this.begun.length) {
      const length = Math.ceil(count * GROWTH);
      const numbers = new Uint32Array(4 * length);
      this.begun = numbers.subarray(0, length);
      this.whole = numbers.subarray(length, 2 * length);
      this.one = numbers.subarray(2 * length, 3 * length);
      this.close = numbers.subarray(3 * length);
    }
    this.begun.fill(0, 0, count);
    this.whole.fill(0, 0, count);
  }
}

/** Places for further tokens when the arrays of {@link FittingTokens} grow. */
const GROWTH = 1.25;

/** The distinct tokens of all suggested texts, by number, with the forms in which each may be typed. */
export class TokenTable {
  readonly #numbers = new Map<string, number>();
  readonly #tokens: string[] = [];
  readonly #forms: string[] = [];
  /** By form: the number of its token, and its letters. */
  readonly #tokenOfForm = new GrowingUint32();
  readonly #letters = new GrowingUint32();

  get count(): number {
    return this.#tokens.length;
  }
  get bytes(): number {
    return this.#forms.length * TOKEN_BYTES;
  }

  /** The number of a token; adds it if it is new. */
  numberOf(token: string): number {
    const known = this.#numbers.get(token);
    if (known !== undefined) return known;
    const number = this.#tokens.push(token) - 1;
    this.#numbers.set(token, number);
    for (const form of formsOf(token)) {
      this.#forms.push(form);
      this.#tokenOfForm.push(number);
      this.#letters.push(letterBits(form));
    }
    return number;
  }

  /** The token with a number that {@link numberOf} gave. */
  at(number: number): string {
    return must(this.#tokens[number], "a numbered token");
  }

  /** Notes the tokens that begin with the typed ones. Returns the bits of the typed tokens that any begins with. O(forms × typed tokens). */
  *findBegun(typed: readonly TypedToken[], fitting: FittingTokens): Sliced<number> {
    let found = 0;
    const [letters, tokenOf] = [this.#letters.view(), this.#tokenOfForm.view()];
    for (const [i, { form: wanted, isBeginning }] of typed.entries()) {
      const [bit, wantedLetters] = [1 << i, letterBits(wanted)];
      yield* inPortions(this.#forms.length, SLICE_FORMS, (from, to) => {
        for (let at = from; at < to; at++) {
          if ((wantedLetters & ~(letters[at] as number)) !== 0) continue;
          const form = this.#forms[at] as string;
          const isWhole = form === wanted;
          if (!isWhole && !(isBeginning && form.startsWith(wanted))) continue;
          const token = tokenOf[at] as number;
          found |= bit;
          fitting.begun[token] = (fitting.begun[token] as number) | bit;
          if (isWhole) fitting.whole[token] = (fitting.whole[token] as number) | bit;
        }
      });
      yield;
    }
    return found;
  }

  /** Notes the tokens that begin with the typed ones after tolerated mistakes. {@link findBegun} must have noted the others. */
  *findClose(typed: readonly TypedToken[], fitting: FittingTokens): Sliced<void> {
    const [letters, tokenOf] = [this.#letters.view(), this.#tokenOfForm.view()];
    fitting.one.set(fitting.begun);
    fitting.close.set(fitting.begun);
    for (const [i, { form: wanted, mistakesMax }] of typed.entries()) {
      if (mistakesMax === 0) continue;
      const [bit, wantedLetters] = [1 << i, letterBits(wanted)];
      // A longer word takes longer to compare.
      const portion = Math.ceil((SLICE_FORMS * USUAL_LETTERS) / Math.max(USUAL_LETTERS, wanted.length));
      yield* inPortions(this.#forms.length, portion, (from, to) => {
        for (let at = from; at < to; at++) {
          // A letter that the form lacks is a mistake.
          if (hasMoreBits(wantedLetters & ~(letters[at] as number), mistakesMax)) continue;
          const form = this.#forms[at] as string;
          if (!isBegun(wanted, wanted.length, form, mistakesMax)) continue;
          const token = tokenOf[at] as number;
          fitting.close[token] = (fitting.close[token] as number) | bit;
          if (mistakesMax === 1 || isBegun(wanted, wanted.length, form, 1))
            fitting.one[token] = (fitting.one[token] as number) | bit;
        }
      });
      yield;
    }
  }
}
