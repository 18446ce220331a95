import { must } from "../../model/must.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { type Bm25Parameters, inverseDocumentFrequency, withGeneralText } from "./bm25.ts";
import { type CloseTerm, closeTerms, eachOnce } from "./close-terms.ts";
import { beginningOf, compoundsOf, partsOf } from "./compounds.ts";
import { Guesses } from "./guesses.ts";
import { type HeldSpelling, type HeldTerm, heldSpellings, heldSynonyms, type TermsTogether } from "./held-spellings.ts";
import type { QueryReading } from "./query-reading.ts";
import type { AskedTerm, QueryTerm, WeightedQuery } from "./weighted-query.ts";

export type { QueryReading };

/** The statistics of an index that weights depend on. */
export interface TermStatistics extends TermsTogether {
  readonly passageCount: number;
  readonly parameters: Bm25Parameters;
}

const NOTHING_ELSE: readonly string[] = [];

/** Maximum number of words of a query that are guessed or sought in compounds: the longest, for they tell most. A pasted page is not mistyped throughout. */
const GUESSED_WORDS_MAX = 32;

/** Weight of a guessed word, against one that some passage holds. */
const GUESSED_WEIGHT = 0.9;

/** Weight of each component of a compound that no passage holds: two of them make a word. */
const PART_WEIGHT = 0.5;

/** Share of one occurrence of a code in another spelling of one term, against the code as asked. */
const SPELLING_SHARE = 0.75;
/** Weight of another spelling of several terms, against the code as asked. */
const SPELLING_WEIGHT = 0.9;
/** Weight of a loose spelling. Many of its terms in a short passage then bring as much as one occurrence of the code in a long one. */
const LOOSE_WEIGHT = 0.25;

/**
 * Weighs a query's terms. Repeated terms count as often as they occur, each by its share. For a term that no passage holds, terms close to its word
 * stand with their joint frequency: a rare spelling must not weigh more than the word that was meant.
 */
export function* weighTerms(
  queryTerms: readonly string[],
  statistics: TermStatistics,
  reading: QueryReading = {},
  guesses = new Guesses(),
): Sliced<WeightedQuery> {
  const weighing = new Weighing(statistics, reading, guesses);
  const missed = takeKnown(weighing, queryTerms);
  yield* weighing.findSpellings();
  const unknown = missed.filter(([term, count]) => !weighing.takeSpelled(term, count));
  if (unknown.length > 0 || reading.links !== undefined) {
    const longest = unknown.map(([term]) => term).sort((a, b) => b.length - a.length);
    const likely = longest.slice(0, GUESSED_WORDS_MAX);
    if (reading.links !== undefined) yield* weighing.findCompounds(likely, reading.links);
    for (const term of likely) {
      yield* weighing.lookFor(term);
      yield;
    }
    for (const [term, count] of unknown) weighing.guess(term, count);
    weighing.addCompounds();
  }
  weighing.addSpellings();
  return weighing.weighted();
}

/** Takes the terms that some passage holds. Returns the others with how often each occurs. */
function takeKnown(weighing: Weighing, queryTerms: readonly string[]): [term: string, count: number][] {
  const counts = new Map<string, number>();
  for (const term of queryTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const unknown: [term: string, count: number][] = [];
  for (const [term, count] of counts) if (!weighing.take(term, count)) unknown.push([term, count]);
  return unknown;
}

/** Weighs the terms of one query, one after the other. */
class Weighing {
  readonly #statistics: TermStatistics;
  readonly #reading: QueryReading;
  readonly #terms: QueryTerm[] = [];
  readonly #byTerm = new Map<string, number>();
  readonly #asked: AskedTerm[] = [];
  /** Numbers of terms that stand for a word of the query. */
  readonly #taken = new Set<number>();
  /** By word: the compounds that it is a component of. */
  #compounds: ReadonlyMap<string, readonly CloseTerm[]> = new Map();
  /** By word that no passage holds: its stand-ins. A missing word was not looked for. */
  readonly #found = new Map<string, StandIns>();
  readonly #guessed = new Set<string>();
  readonly #guesses: Guesses;
  #spellings: readonly HeldSpelling[] = [];
  #upperBound = 0;

  constructor(statistics: TermStatistics, reading: QueryReading, guesses: Guesses) {
    this.#guesses = guesses;
    this.#statistics = statistics;
    this.#reading = reading;
  }

  /** Takes a term if some passage holds it, or a term of its word in another language. Returns whether one does. */
  take(text: string, count: number, portion = 1): boolean {
    const others = this.#reading.othersOf?.(text) ?? NOTHING_ELSE;
    return others.length === 0 ? this.#takeItself(text, count, portion) : this.#takeAll(text, others, count, portion);
  }

  /** Nearly all words have no terms in other languages. */
  #takeItself(text: string, count: number, portion: number): boolean {
    const term = this.#numberOf(text);
    if (term === undefined) return false;
    if (this.#taken.has(term)) return true;
    const { frequencyOf, passageCount } = this.#statistics;
    const frequency = Math.min(frequencyOf(term), passageCount);
    const weight = this.#ask(text, { count, frequency, meant: NOTHING_ELSE, portion });
    this.#terms.push({ text, term, weight, frequency });
    this.#taken.add(term);
    this.#byTerm.set(text, (this.#byTerm.get(text) ?? 0) + weight);
    return true;
  }

  #takeAll(text: string, others: readonly string[], count: number, portion: number): boolean {
    const held = this.#held(text);
    const all = [...new Set([...held, ...others.flatMap((other) => this.#held(other))])];
    const free = all.filter((number) => !this.#taken.has(number));
    const [term] = free;
    if (term === undefined) return all.length > 0;
    const { frequencyOf, passageCount } = this.#statistics;
    const frequency = Math.min(
      free.reduce((sum, number) => sum + frequencyOf(number), 0),
      passageCount,
    );
    const isItself = free.length === 1 && held.length === 1;
    const meant = isItself ? NOTHING_ELSE : free.map((number) => this.#nameOf(number));
    const weight = this.#ask(text, { count, frequency, meant, portion });
    const close = free.map((number) => ({ term: number, share: 1 }));
    this.#terms.push({ text, term, weight, frequency, ...(isItself ? {} : { close }) });
    for (const each of close) this.#enter(each, weight);
    return true;
  }

  /** Finds other spellings of the query's codes, and synonyms of several terms, that passages hold. */
  *findSpellings(): Sliced<void> {
    const { spellings = [], synonyms = [], othersOf } = this.#reading;
    const held = synonyms.length > 0 ? heldSynonyms(synonyms, this.#statistics, othersOf) : [];
    if (spellings.length > 0) this.#spellings = yield* heldSpellings(spellings, this.#statistics, this.#guesses);
    if (held.length > 0) this.#spellings = [...this.#spellings, ...held];
  }

  /** Takes a term that no passage holds if passages spell its code otherwise. Returns whether they do. It counts as the rarest term of that spelling. */
  takeSpelled(text: string, count: number): boolean {
    const spelling = this.#spellings.find(({ asked }) => asked.includes(text));
    if (spelling === undefined) return false;
    const meant = spelling.terms.map((each) => each.text);
    this.#ask(text, { count, frequency: spelling.terms[0]?.frequency ?? 0, meant });
    return true;
  }

  /** Adds the other spellings of codes to the terms that were asked for. */
  addSpellings(): void {
    const asked = new Map(this.#asked.map((each) => [each.text, each]));
    for (const spelling of this.#spellings) {
      const missed = spelling.asked.flatMap((text) => asked.get(text) ?? []);
      const [only, another] = spelling.terms;
      const isFree = only !== undefined && !this.#taken.has(only.term);
      const { asked: all, others } = spelling.synonym ?? { asked: [], others: [] };
      if (another !== undefined || others.length > 0)
        this.#addBeside(all.length === 0 ? missed : all.flatMap((text) => asked.get(text) ?? []), spelling);
      else if (isFree) for (const each of missed) this.#addInstead(each, only);
      if (isFree) this.#taken.add(only.term);
    }
  }

  /** Adds one term to the one that was asked for. A passage that holds both holds it twice. */
  #addInstead({ text, weight }: AskedTerm, { term, frequency }: HeldTerm): void {
    const close = { term, share: SPELLING_SHARE };
    const at = this.#terms.findIndex((each) => each.text === text);
    const query = this.#terms[at];
    if (query === undefined) this.#terms.push({ text, term, weight, frequency, close: [close] });
    else {
      const known = query.close ?? [{ term: query.term, share: 1 }];
      this.#terms[at] = { ...query, frequency: query.frequency + frequency, close: [...known, close] };
    }
    this.#add(close, weight);
  }

  /** Adds several terms as terms of their own. Each weighs by its rarity, and no more than it would weigh if it were asked for. */
  #addBeside(missed: readonly AskedTerm[], { terms, isLoose, synonym }: HeldSpelling): void {
    const { passageCount, parameters } = this.#statistics;
    const weight = missed.reduce((sum, each) => sum + each.weight / each.count, 0);
    const weightOf = (frequency: number, isCommon: boolean): number =>
      this.#idfOf(frequency, isCommon) * (parameters.k1 + 1);
    const own = terms.map((each) => weightOf(each.frequency, this.#areCommon([each.text])));
    // Of the other terms only the frequencies are known, so none counts as a common word.
    const others = (synonym?.others ?? []).map((frequency) => weightOf(frequency, false));
    const whole = [...own, ...others].reduce((sum, each) => sum + each, 0);
    const share = Math.min(1, (weight * (isLoose ? LOOSE_WEIGHT : SPELLING_WEIGHT)) / whole);
    for (const [i, { text, term, frequency }] of terms.entries()) {
      if (this.#taken.has(term)) continue;
      const counted = must(own[i], "the weight of a term") * share;
      this.#terms.push({ text, term, weight: counted, frequency: Math.min(frequency, passageCount) });
      this.#enter({ term, share: 1 }, counted);
    }
  }

  /** Finds stand-ins for a word that no passage holds, unless the budget for guesses is spent. */
  *lookFor(text: string): Sliced<void> {
    if (this.#guesses.areSpent) return;
    const parts = yield* this.#partsOf(text);
    const close = parts.length > 0 ? [] : yield* this.#standIns(text);
    if (parts.length > 0 || close.length > 0) {
      this.#found.set(text, { close, standing: parts });
      return;
    }
    const standing = this.#beginningOf(text);
    const [beginning] = standing;
    this.#found.set(text, {
      close,
      standing,
      ...(beginning === undefined ? {} : { rest: text.startsWith(beginning) ? text.slice(beginning.length) : text }),
    });
  }

  /** Enters a word that no passage holds, with its stand-ins. */
  guess(text: string, count: number): void {
    const { frequencyOf, passageCount } = this.#statistics;
    const { close, standing, rest } = this.#found.get(text) ?? NO_STAND_INS;
    const [first] = close;
    if (standing.length > 0) {
      for (const part of standing) this.take(part, count, PART_WEIGHT);
      // The rest of the word is missing in every passage: a question for some part of a screen does not ask for screens.
      if (rest !== undefined) this.#ask(rest, { count, frequency: 0, meant: NOTHING_ELSE, portion: PART_WEIGHT });
      return;
    }
    // The query has the intended word as well: once is enough.
    if (first !== undefined && this.#taken.has(first.term)) return;
    const free = close.filter((each) => !this.#taken.has(each.term));
    const frequency = free.reduce((sum, each) => sum + frequencyOf(each.term), 0);
    const meant = free.map((each) => this.#nameOf(each.term));
    const whole = this.#ask(text, { count, frequency: Math.min(frequency, passageCount), meant });
    if (first === undefined) return;
    const weight = whole * GUESSED_WEIGHT;
    this.#guessed.add(text);
    this.#terms.push({ text, term: first.term, weight, frequency, close: free });
    for (const each of free) this.#enter(each, weight);
  }

  /** Finds the compounds that words of the query are components of: for words that no passage holds, and for the rarest others. */
  *findCompounds(unknown: readonly string[], links: readonly string[]): Sliced<void> {
    const { shareOf } = this.#reading;
    const known = this.#terms
      .filter(({ text }) => (shareOf?.(text) ?? 1) === 1)
      .sort((a, b) => b.weight - a.weight)
      .map(({ text }) => text);
    const words = [...unknown, ...known].slice(0, GUESSED_WORDS_MAX);
    const all = new Set(words.flatMap((word) => this.#formsOf(word)));
    const found = yield* compoundsOf([...all], links, this.#statistics, this.#guesses);
    this.#compounds = new Map(
      words.flatMap((word) => {
        const own = eachOnce(this.#formsOf(word).flatMap((form) => found.get(form) ?? NO_TERMS));
        return own.length > 0 ? [[word, own] as const] : [];
      }),
    );
  }

  /** Adds to each word the compounds that it is a component of. */
  addCompounds(): void {
    const { frequencyOf } = this.#statistics;
    for (const [i, query] of this.#terms.entries()) {
      const found = this.#compounds.get(query.text)?.filter((each) => !this.#taken.has(each.term)) ?? [];
      if (this.#guessed.has(query.text) || found.length === 0) continue;
      const frequency = found.reduce((sum, each) => sum + frequencyOf(each.term), query.frequency);
      this.#terms[i] = { ...query, frequency, close: [...(query.close ?? [{ term: query.term, share: 1 }]), ...found] };
      for (const each of found) this.#add(each, query.weight);
    }
  }

  weighted(): WeightedQuery {
    // Scores are added up in this order everywhere, so that they are the same to the last bit.
    this.#terms.sort((a, b) => b.weight - a.weight);
    return { asked: this.#asked, terms: this.#terms, byTerm: this.#byTerm, upperBound: this.#upperBound };
  }

  /** Enters a term of the query, and returns its weight. */
  #ask(text: string, { count, frequency, meant, portion = 1 }: Asked): number {
    const { parameters } = this.#statistics;
    const idf = this.#idfOf(frequency, this.#areCommon(meant.length === 0 ? [text] : meant));
    const weight = portion * (this.#reading.shareOf?.(text) ?? 1) * count * idf * (parameters.k1 + 1);
    this.#asked.push({ text, count, frequency, idf, weight, meant });
    this.#upperBound += weight;
    return weight;
  }

  /** @param texts the terms that are held, which may stand for the one that was asked */
  #areCommon(texts: readonly string[]): boolean {
    const { isCommon } = this.#reading;
    return isCommon !== undefined && texts.every(isCommon);
  }

  /** @param isCommon whether the terms are common words: then they are as frequent as in general text */
  #idfOf(frequency: number, isCommon: boolean): number {
    const { passageCount } = this.#statistics;
    // Without a list of common words, the passages of the bot alone count.
    if (this.#reading.isCommon === undefined) return inverseDocumentFrequency(passageCount, frequency);
    return withGeneralText(passageCount, frequency, isCommon);
  }

  #enter(close: CloseTerm, weight: number): void {
    this.#taken.add(close.term);
    this.#add(close, weight);
  }

  #add({ term, share }: CloseTerm, weight: number): void {
    const name = this.#nameOf(term);
    this.#byTerm.set(name, (this.#byTerm.get(name) ?? 0) + weight * share);
  }

  /** The terms that stand for a word that no passage holds: compounds, else terms close to it. */
  *#standIns(text: string): Sliced<readonly CloseTerm[]> {
    const compounds = this.#compounds.get(text);
    if (compounds !== undefined) return compounds.map(({ term }) => ({ term, share: 1 }));
    const close: CloseTerm[] = [];
    const isCommon = this.#reading.isCommon?.(text) === true;
    for (const typed of this.#reading.typedAs?.(text) ?? []) {
      // A common word that no passage happens to hold is not mistyped. The user may still be typing it.
      if (isCommon && !typed.isUnfinished) continue;
      close.push(...(yield* closeTerms(typed, this.#statistics, this.#guesses)));
    }
    return eachOnce(close);
  }

  *#partsOf(word: string): Sliced<readonly string[]> {
    const { links } = this.#reading;
    if (links === undefined || (yield* this.#isUnfinished(word))) return NOTHING_ELSE;
    return firstFound(this.#formsOf(word), (form) => partsOf(form, links, this.#statistics));
  }

  #beginningOf(word: string): readonly string[] {
    if (this.#reading.links === undefined) return NOTHING_ELSE;
    return firstFound(this.#formsOf(word), (form) => beginningOf(form, this.#statistics));
  }

  /** Whether the word is unfinished, and some term begins with it. */
  *#isUnfinished(word: string): Sliced<boolean> {
    let found = false;
    for (const typed of this.#reading.typedAs?.(word) ?? []) {
      if (!typed.isUnfinished) continue;
      yield* this.#statistics.vocabulary.forEachBegunWith(typed.word, this.#guesses, (number) => {
        found ||= this.#statistics.frequencyOf(number) > 0;
      });
    }
    return found;
  }

  /** A term, and the terms of its word in other languages. */
  #formsOf(term: string): readonly string[] {
    return [term, ...(this.#reading.othersOf?.(term) ?? NOTHING_ELSE)];
  }

  #held(term: string): number[] {
    const number = this.#numberOf(term);
    return number === undefined ? [] : [number];
  }

  /** The number of a term; undefined if no passage holds it. */
  #numberOf(term: string): number | undefined {
    const number = this.#statistics.vocabulary.find(term);
    return number === undefined || this.#statistics.frequencyOf(number) === 0 ? undefined : number;
  }

  #nameOf(term: number): string {
    return this.#statistics.vocabulary.nameOf(term);
  }
}

/** Stand-ins for a word that no passage holds: terms close to it, or else its components. */
interface StandIns {
  readonly close: readonly CloseTerm[];
  readonly standing: readonly string[];
  /** The rest of the word beside the component that stands for it. */
  readonly rest?: string;
}

function firstFound(forms: readonly string[], find: (form: string) => string[]): readonly string[] {
  for (const form of forms) {
    const found = find(form);
    if (found.length > 0) return found;
  }
  return NOTHING_ELSE;
}

const NO_TERMS: readonly CloseTerm[] = [];
const NO_STAND_INS: StandIns = { close: [], standing: NOTHING_ELSE };

/** A term as it is entered. `portion` is its weight against a whole word. */
interface Asked {
  readonly count: number;
  readonly frequency: number;
  readonly meant: readonly string[];
  readonly portion?: number;
}
