import { must } from "../../model/must.ts";
import { GrowingUint32 } from "../../platform/growing-array.ts";
import { hasMoreBits, letterBits } from "../../platform/letter-bits.ts";
import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { isBegun } from "../postings/mistakes.ts";
import { formsOf } from "./pieces.ts";
import type { TypedPiece } from "./typed-text.ts";

/** Forms that are compared between two yields. */
const SLICE_FORMS = 4_096;

/** Bytes of a piece: its text, its entry in the map and its places in the arrays. Measured. */
const PIECE_BYTES = 160;

/** By piece of the table, which pieces of the typed text it fits: bit n for the typed piece n. Kept between calls, so that a call allocates little. */
export class FittingPieces {
  /** Begins with the typed piece. */
  begun = new Uint32Array(0);
  /** Is the typed piece. */
  whole = new Uint32Array(0);
  /** Begins with it after one typing mistake at most; below, after as many as are tolerated. */
  one = new Uint32Array(0);
  close = new Uint32Array(0);

  get bytes(): number {
    return this.begun.buffer.byteLength;
  }

  /** Begins with no fitting piece among `count`. */
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

/** Places for further pieces when the arrays of {@link FittingPieces} grow. */
const GROWTH = 1.25;

/** The distinct pieces of all suggested texts, by number, with the forms in which each may be typed. */
export class PieceTable {
  readonly #numbers = new Map<string, number>();
  readonly #pieces: string[] = [];
  readonly #forms: string[] = [];
  /** By form: the number of its piece, and its letters. */
  readonly #pieceOfForm = new GrowingUint32();
  readonly #letters = new GrowingUint32();

  get count(): number {
    return this.#pieces.length;
  }
  get bytes(): number {
    return this.#forms.length * PIECE_BYTES;
  }

  /** The number of a piece; adds it if it is new. */
  numberOf(piece: string): number {
    const known = this.#numbers.get(piece);
    if (known !== undefined) return known;
    const number = this.#pieces.push(piece) - 1;
    this.#numbers.set(piece, number);
    for (const form of formsOf(piece)) {
      this.#forms.push(form);
      this.#pieceOfForm.push(number);
      this.#letters.push(letterBits(form));
    }
    return number;
  }

  /** The piece with a number that {@link numberOf} gave. */
  at(number: number): string {
    return must(this.#pieces[number], "a numbered piece");
  }

  /** Notes the pieces that begin with the typed ones. Returns the bits of the typed pieces that any begins with. O(forms × typed pieces). */
  *findBegun(typed: readonly TypedPiece[], fitting: FittingPieces): Sliced<number> {
    let found = 0;
    const [letters, pieceOf] = [this.#letters.view(), this.#pieceOfForm.view()];
    for (const [i, { form: wanted, isBeginning }] of typed.entries()) {
      const [bit, wantedLetters] = [1 << i, letterBits(wanted)];
      yield* inPortions(this.#forms.length, SLICE_FORMS, (from, to) => {
        for (let at = from; at < to; at++) {
          if ((wantedLetters & ~(letters[at] as number)) !== 0) continue;
          const form = this.#forms[at] as string;
          const isWhole = form === wanted;
          if (!isWhole && !(isBeginning && form.startsWith(wanted))) continue;
          const piece = pieceOf[at] as number;
          found |= bit;
          fitting.begun[piece] = (fitting.begun[piece] as number) | bit;
          if (isWhole) fitting.whole[piece] = (fitting.whole[piece] as number) | bit;
        }
      });
      yield;
    }
    return found;
  }

  /** Notes the pieces that begin with the typed ones after tolerated mistakes. {@link findBegun} must have noted the others. */
  *findClose(typed: readonly TypedPiece[], fitting: FittingPieces): Sliced<void> {
    const [letters, pieceOf] = [this.#letters.view(), this.#pieceOfForm.view()];
    fitting.one.set(fitting.begun);
    fitting.close.set(fitting.begun);
    for (const [i, { form: wanted, mistakesMax }] of typed.entries()) {
      if (mistakesMax === 0) continue;
      const [bit, wantedLetters] = [1 << i, letterBits(wanted)];
      yield* inPortions(this.#forms.length, SLICE_FORMS, (from, to) => {
        for (let at = from; at < to; at++) {
          // A letter that the form lacks is a mistake.
          if (hasMoreBits(wantedLetters & ~(letters[at] as number), mistakesMax)) continue;
          const form = this.#forms[at] as string;
          if (!isBegun(wanted, wanted.length, form, mistakesMax)) continue;
          const piece = pieceOf[at] as number;
          fitting.close[piece] = (fitting.close[piece] as number) | bit;
          if (mistakesMax === 1 || isBegun(wanted, wanted.length, form, 1))
            fitting.one[piece] = (fitting.one[piece] as number) | bit;
        }
      });
      yield;
    }
  }
}
