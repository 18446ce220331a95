import type { Random } from "../platform/clock.ts";
import { GrowingUint32 } from "../platform/growing-array.ts";
import { stringOf, TextUnits } from "../platform/text-units.ts";
import { unicodeForm } from "../platform/unicode-form.ts";
import { WordTable } from "../platform/word-table.ts";
import { WordPieces } from "./word-pieces.ts";

/** Most UTF-16 units that are read of a text, as by the sentence encoder. */
export const TEXT_UNITS_MAX = 16_384;

/** Special tokens. Written out in a text, in capitals only, each is a word piece of its own. */
const MARKS = /\[(?:PAD|UNK|CLS|SEP|MASK)\]/;
const MARKS_KEPT = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;

/** Classes of UTF-16 units. `SIGN` is punctuation. */
const SPACE = 0;
const LETTER = 1;
const SIGN = 2;
/** A unit that only the slow path can handle. */
const OTHER = 3;

/** The range of dashes, quotes, daggers, bullets and the ellipsis: punctuation that neither lower case nor normal forms change. */
const SIGN_FIRST = 0x2010;
const SIGN_LAST = 0x2027;

const CLASS = Uint8Array.from({ length: SIGN_LAST + 1 }, (_, unit) => {
  if (unit === 9 || unit === 10 || unit === 13 || unit === 32 || unit === 0xa0) return SPACE;
  if (unit >= SIGN_FIRST) return SIGN;
  if (unit < 32 || unit >= 127) return OTHER;
  return /[a-z0-9]/i.test(String.fromCharCode(unit)) ? LETTER : SIGN;
});

function classOf(unit: number): number {
  return unit <= SIGN_LAST ? (CLASS[unit] as number) : OTHER;
}

/**
 * Cuts a text into the numbers of its word pieces: exactly those of the sentence encoder's tokenizer, without the two that mark the ends.
 * Text of ASCII and common punctuation takes the fast path: it is read once, without making strings. Any other text takes the slow path, by
 * the same rules.
 */
export class PieceReader {
  readonly #words: WordPieces;
  readonly #remembered: RememberedPieces;
  readonly #signs: Int32Array;
  readonly #list = new GrowingUint32();
  readonly #units = new TextUnits();

  /** @param vocabulary the word pieces in the order of their numbers */
  constructor(vocabulary: readonly string[]) {
    this.#words = new WordPieces(vocabulary);
    this.#remembered = new RememberedPieces((word) => this.#words.cut(word));
    this.#signs = Int32Array.from(CLASS, (kind, unit) => {
      return kind === SIGN ? (this.#words.idOf(String.fromCharCode(unit)) ?? this.#words.unknown) : -1;
    });
  }

  /** The word piece for words that the vocabulary lacks. */
  get unknown(): number {
    return this.#words.unknown;
  }

  /** The word pieces of a text, up to {@link TEXT_UNITS_MAX} units. The array is a view, valid until the next call. */
  read(text: string): Uint32Array {
    this.#list.cut(0);
    const beginning = beginningOf(text);
    if (MARKS.test(beginning)) {
      for (const part of beginning.split(MARKS_KEPT)) this.#readMarked(part);
    } else this.#readPlain(beginning);
    return this.#list.view();
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
      if (kind === SIGN) this.#list.push(this.#signs[units[start] as number] as number);
      else if (kind === LETTER) {
        // The unit behind the text is no letter, so the loop ends.
        while (classOf(units[at] as number) === LETTER) at++;
        this.#remembered.append(units, start, at, this.#list);
      } else if (kind === OTHER) {
        this.#list.cut(before);
        this.#readSlowly(text);
        return;
      }
    }
  }

  #readSlowly(text: string): void {
    for (const word of bertWords(text)) this.#remembered.append(this.#units.of(word), 0, word.length, this.#list);
  }
}

/** The first {@link TEXT_UNITS_MAX} units of a text; it never ends within a surrogate pair. */
function beginningOf(text: string): string {
  if (text.length <= TEXT_UNITS_MAX) return text;
  const last = text.charCodeAt(TEXT_UNITS_MAX - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? TEXT_UNITS_MAX - 1 : TEXT_UNITS_MAX);
}

/**
 * Normalization of text as by the sentence encoder's tokenizer. The static embedder was trained on the word pieces of that tokenizer, so these
 * rules must not be improved. They are those of BERT's uncased models, as the tokenizer of `@loredex/minilm` applies them, quirks included.
 */

/** Characters that are removed, joining their neighbours: control, format and private use characters, lone surrogates. Tab and line ends stay. */
const REMOVED = /(?![\t\n\r])[\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
/** Each ideograph of the basic plane is a word of its own. The rules work on UTF-16 units, so ideographs of other planes are not. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const MARK = /\p{Mn}/gu;
const WORD_OR_SIGN = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/** The words and punctuation characters of a text, in lower case and without accents, in order. */
export function bertWords(text: string): readonly string[] {
  const spaced = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  return unicodeForm(spaced.toLowerCase(), "NFD").replace(MARK, "").match(WORD_OR_SIGN) ?? [];
}

/** Most distinct words that are remembered: about 10 MB, for any texts. */
const WORDS_MAX = 1 << 17;

/** A cache of the word pieces of words. */
class RememberedPieces {
  readonly #cut: (word: string) => readonly number[];
  readonly #known: WordTable<readonly number[]>;

  /** @param cut the word pieces of a word in lower case; the same word must always give the same */
  constructor(cut: (word: string) => readonly number[], random?: Random) {
    this.#cut = cut;
    this.#known = new WordTable(WORDS_MAX, random);
  }

  /** Appends the word pieces of the word in `[start, end)` to `list`. ASCII capitals count as small letters. */
  append(units: Uint16Array, start: number, end: number, list: GrowingUint32): void {
    let pieces = this.#known.find(units, start, end);
    if (pieces === undefined) {
      pieces = this.#cut(lowerAscii(stringOf(units, start, end)));
      this.#known.remember(units, start, end, pieces);
    }
    for (let at = 0; at < pieces.length; at++) list.push(pieces[at] as number);
  }
}

const CAPITALS = /[A-Z]+/g;

function lowerAscii(word: string): string {
  return word.replace(CAPITALS, (capitals) => capitals.toLowerCase());
}
