import { SUGGESTED_CHARACTERS_MAX } from "../../model/limits.ts";
import { must } from "../../model/must.ts";
import type { Suggestion } from "../../model/suggestions.ts";
import { bitCount } from "../../platform/letter-bits.ts";
import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import type { Documents } from "../documents.ts";
import { BestTexts } from "./best-texts.ts";
import { suggestedTexts } from "./suggested-texts.ts";
import { type OwnTexts, REMOVED, TextTable } from "./text-table.ts";
import { FittingTokens } from "./token-table.ts";
import { type Joined, type TypedText, typedText } from "./typed-text.ts";

/** Slots, and texts, between two yields. */
const SLICE_SLOTS = 4_096;
const SLICE_TEXTS = 4_096;

/** Bytes of {@link OwnTexts} of a document with its reference. */
const OWN_TEXTS_BYTES = 64;

/**
 * The suggestions of a bot: titles, questions and headings of the documents that searches see.
 *
 * The texts are collected at the first call, and follow the documents at each later one. So a bot without a search box has none in memory. One call
 * at a time may run; between two steps of it documents may enter and leave.
 */
export class Suggestions {
  readonly #documents: Documents;
  #table = new TextTable();
  /** By slot: the texts of its document. */
  #own: (OwnTexts | undefined)[] = [];
  /** The changes of the documents that the texts have followed. */
  #followed = -1;
  readonly #fitting = new FittingTokens();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Bytes of all texts; almost 0 before the first call. O(1). */
  get bytes(): number {
    return this.#table.bytes + this.#own.length * OWN_TEXTS_BYTES + this.#fitting.bytes;
  }

  /** Collects the texts of documents that have entered, and drops those of documents that have left. O(slots), if any has. */
  *#follow(): Sliced<void> {
    const { changes } = this.#documents;
    if (this.#followed === changes) return;
    for (let slot = 0; slot < Math.max(this.#own.length, this.#documents.slotCount); slot++) {
      const [document, own] = [this.#documents.at(slot), this.#own[slot]];
      // A slot may have been given to another document, but no two documents have a version in common.
      if (own !== undefined && own.version !== document?.version) {
        this.#table.remove(own);
        this.#own[slot] = undefined;
      }
      if (document !== undefined && this.#own[slot] === undefined) {
        const texts = yield* suggestedTexts(document);
        if (this.#documents.at(slot) === document) this.#own[slot] = this.#table.add(slot, document.version, texts);
      }
      if (slot % SLICE_SLOTS === SLICE_SLOTS - 1) yield;
    }
    this.#own.length = this.#documents.slotCount;
    if (this.#table.isMostlyGone) yield* this.#compact();
    this.#followed = changes;
  }

  /** Copies the texts of the present documents to another table. */
  *#compact(): Sliced<void> {
    const table = new TextTable();
    const copied: (OwnTexts | undefined)[] = [];
    for (const own of this.#own) {
      copied.push(own && table.copy(this.#table, own));
      yield;
    }
    this.#table = table;
    this.#own = copied;
  }

  /**
   * The best texts that continue a typed prefix: each typed word begins a word of the text, in any order. In a script without spaces the typed letters
   * stand side by side. Best are, in this order, texts
   *
   * 1. with the fewest typing mistakes,
   * 2. that begin with the typed words in their order, then texts with these words side by side elsewhere,
   * 3. that have all typed words as whole words,
   * 4. that are shorter, then smaller by their UTF-16 units.
   *
   * Mistakes are tolerated only if no text fits without: other texts would be none that the caller means. O(tokens of all texts).
   * @param limit the most texts, 1 or more
   */
  *find(prefix: string, limit: number): Sliced<Suggestion[]> {
    yield* this.#follow();
    const typed = typedText(prefix);
    const best = new BestTexts(limit);
    if (typed.tokens.length === 0) return [];
    const { tokens } = this.#table;
    const fitting = this.#fitting;
    fitting.begin(tokens.count);
    const begun = yield* tokens.findBegun(typed.tokens, fitting);
    if (begun === 2 ** typed.tokens.length - 1) yield* this.#scan(typed, fitting, false, best);
    if (best.isEmpty && typed.tokens.some(({ mistakesMax }) => mistakesMax > 0)) {
      yield* tokens.findClose(typed.tokens, fitting);
      yield* this.#scan(typed, fitting, true, best);
    }
    return best.suggestions;
  }

  /** Offers the texts that fit: those without a mistake, or those with some. */
  *#scan({ tokens, joined }: TypedText, fitting: FittingTokens, withMistakes: boolean, best: BestTexts): Sliced<void> {
    const { texts, slots, starts, tokenNumbers } = this.#table;
    const [slotOf, startOf, numbers] = [slots.view(), starts.view(), tokenNumbers.view()];
    const { length } = tokens;
    const all = 2 ** length - 1;
    const bits = withMistakes ? fitting.close : fitting.begun;
    const typed = { first: 0, length };
    yield* inPortions(texts.length, SLICE_TEXTS, (from, to) => {
      for (let at = from; at < to; at++) {
        const [start, end] = [startOf[at] as number, startOf[at + 1] as number];
        if (unionOf(bits, numbers, start, end) !== all || slotOf[at] === REMOVED) continue;
        const mistakes = withMistakes ? mistakesIn(fitting, numbers, start, end, all) : 0;
        if (withMistakes && mistakes === 0) continue;
        // Most texts do not begin with the prefix. Once there are enough that do, nothing more is read of them.
        const isFirst = ((bits[numbers[start] as number] as number) & 1) !== 0;
        if (rankOf(mistakes, isFirst ? 0 : 1, true, 0) > best.worstRank) continue;
        if (joined.length > 0 && !joined.every((run) => placeOf(fitting.begun, numbers, start, end, run) >= 0))
          continue;
        const place = placeOf(bits, numbers, start, end, typed);
        const isWhole = unionOf(fitting.whole, numbers, start, end) === all;
        const rank = rankOf(mistakes, place < 0 ? 2 : place > start ? 1 : 0, isWhole, (texts[at] as string).length);
        if (rank <= best.worstRank) this.#offer(at, rank, best);
      }
    });
  }

  #offer(at: number, rank: number, best: BestTexts): void {
    const { texts, kinds, slots } = this.#table;
    const slot = slots.get(at);
    const document = this.#documents.at(slot);
    // A document may have left since the texts followed.
    if (document === undefined || document.version !== this.#own[slot]?.version) return;
    const [text, kind] = [must(texts[at], "a text"), must(kinds[at], "the kind of a text")];
    best.offer(rank, { text, resourceDocId: document.document.id, kind });
  }
}

/** The rank of a text: the lower, the better. `place` is 0 at its beginning, 1 elsewhere, and 2 if the typed words are not side by side. */
function rankOf(mistakes: number, place: number, isWhole: boolean, characters: number): number {
  return ((mistakes * 3 + place) * 2 + (isWhole ? 0 : 1)) * (SUGGESTED_CHARACTERS_MAX + 1) + characters;
}

/** The bits of all tokens of a text together. */
function unionOf(bits: Uint32Array, numbers: Uint32Array, start: number, end: number): number {
  let union = 0;
  for (let at = start; at < end; at++) union |= bits[numbers[at] as number] as number;
  return union;
}

/** The fewest mistakes in a text that holds all typed tokens. */
function mistakesIn(
  { begun, one }: FittingTokens,
  numbers: Uint32Array,
  start: number,
  end: number,
  all: number,
): number {
  return bitCount(all & ~unionOf(begun, numbers, start, end)) + bitCount(all & ~unionOf(one, numbers, start, end));
}

/** The first place where typed tokens stand side by side in a text; below 0 if there is none. */
function placeOf(
  bits: Uint32Array,
  numbers: Uint32Array,
  start: number,
  end: number,
  { first, length }: Joined,
): number {
  for (let place = start; place + length <= end; place++) {
    let i = 0;
    while (i < length && ((bits[numbers[place + i] as number] as number) & (1 << (first + i))) !== 0) i++;
    if (i === length) return place;
  }
  return -1;
}
