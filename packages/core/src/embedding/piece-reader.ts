import { TextUnits } from "../platform/text-units.ts";
import { bertWords } from "./bert-text.ts";
import { PieceList } from "./piece-list.ts";
import { RememberedPieces } from "./remembered-pieces.ts";
import { WordPieces } from "./word-pieces.ts";

/** No text is read further than this, in UTF-16 units: as the teacher does. */
export const TEXT_UNITS_MAX = 16_384;

/** Written out in a text, these are pieces of their own, in capitals only. */
const MARKS = /\[(?:PAD|UNK|CLS|SEP|MASK)\]/;
const MARKS_KEPT = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;

/** Classes of UTF-16 units. */
const SPACE = 0;
const LETTER = 1;
const SIGN = 2;
/** Only the slow way knows what becomes of it. */
const OTHER = 3;

/** Dashes, quotes, daggers, bullets and the ellipsis: punctuation that neither lower case nor normal forms change. */
const TOKEN_CODES_FIRST = 0x2010;
const TOKEN_CODES_LAST = 0x2027;

const CLASS = Uint8Array.from({ length: TOKEN_CODES_LAST + 1 }, (_, unit) => {
  if (unit === 9 || unit === 10 || unit === 13 || unit === 32 || unit === 0xa0) return SPACE;
  if (unit >= TOKEN_CODES_FIRST) return SIGN;
  if (unit < 32 || unit >= 127) return OTHER;
  return /[a-z0-9]/i.test(String.fromCharCode(unit)) ? LETTER : SIGN;
});

function classOf(unit: number): number {
  return unit <= TOKEN_CODES_LAST ? (CLASS[unit] ?? OTHER) : OTHER;
}

/**
 * Text to the numbers of its word pieces: exactly those of the teacher's tokenizer, without the two that mark the ends. Text of
 * ASCII and common punctuation is read once, without strings of its own; any other text goes the long way by the same rules.
 */
export class PieceReader {
  readonly #words: WordPieces;
  readonly #remembered: RememberedPieces;
  readonly #tokenCodes: Int32Array;
  readonly #list = new PieceList();
  readonly #units = new TextUnits();

  /** @param vocabulary the pieces in the order of their numbers */
  constructor(vocabulary: readonly string[]) {
    this.#words = new WordPieces(vocabulary);
    this.#remembered = new RememberedPieces((word) => this.#words.cut(word));
    this.#tokenCodes = Int32Array.from(CLASS, (kind, unit) => {
      return kind === SIGN ? (this.#words.idOf(String.fromCharCode(unit)) ?? this.#words.unknown) : -1;
    });
  }

  /** The piece that stands for what the vocabulary lacks. */
  get unknown(): number {
    return this.#words.unknown;
  }

  /** The pieces of a text's beginning. The array is a view, good until the next call. */
  read(text: string): Int32Array {
    this.#list.clear();
    const beginning = beginningOf(text);
    if (MARKS.test(beginning)) {
      for (const part of beginning.split(MARKS_KEPT)) this.#readMarked(part);
    } else this.#readPlain(beginning);
    return this.#list.ids;
  }

  #readMarked(part: string): void {
    const mark = MARKS.test(part) ? this.#words.idOf(part) : undefined;
    if (mark === undefined) this.#readPlain(part);
    else this.#list.push(mark);
  }

  #readPlain(text: string): void {
    const { length } = text;
    const units = this.#units.of(text);
    const before = this.#list.length;
    for (let at = 0; at < length; ) {
      const kind = classOf(units[at] as number);
      const start = at++;
      if (kind === SIGN) this.#list.push(this.#tokenCodes[units[start] as number] ?? this.#words.unknown);
      else if (kind === LETTER) {
        // Behind the text stands no letter.
        while (classOf(units[at] as number) === LETTER) at++;
        this.#remembered.append(units, start, at, this.#list);
      } else if (kind === OTHER) {
        this.#list.shorten(before);
        this.#readSlowly(text);
        return;
      }
    }
  }

  #readSlowly(text: string): void {
    for (const word of bertWords(text)) this.#remembered.append(this.#units.of(word), 0, word.length, this.#list);
  }
}

/** The beginning of a text, never ending within a character. */
function beginningOf(text: string): string {
  if (text.length <= TEXT_UNITS_MAX) return text;
  const last = text.charCodeAt(TEXT_UNITS_MAX - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? TEXT_UNITS_MAX - 1 : TEXT_UNITS_MAX);
}
