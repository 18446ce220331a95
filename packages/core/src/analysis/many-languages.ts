import { must } from "../model/must.ts";
import type { Analyzer, ComparedWord, SomeWordOf } from "./analyzer.ts";
import { words } from "./words.ts";

/** A word as each language cuts it: mostly one word, in that language's letters. */
type Cuts = readonly (readonly string[])[];

/** A word as several languages read it. */
interface Reading {
  /** The terms of the language that makes most terms of the word. */
  readonly terms: readonly string[];
  /** Terms of all languages, each with the one of `terms` that it counts as. */
  readonly besides: ReadonlyMap<string, string>;
  readonly cuts: Cuts;
}

/** A text as several languages read it. */
interface TextReading {
  readonly text: string;
  readonly words: readonly Reading[];
  readonly terms: readonly string[];
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/** Runs without spaces. A zero-width no-break space (U+FEFF) belongs to a word. */
const NO_SPACES = /(?:\S|\ufeff)+/gu;

/**
 * The analyzer of questions to documents of several languages. It reads each word in all of them, with each language's own rules of word boundaries.
 * A word's terms in the other languages count as one with its terms in the language that makes most terms of it (see `others`).
 */
export class ManyLanguages implements Analyzer {
  readonly id: string;
  readonly links: readonly string[] | undefined;
  readonly #analyzers: readonly Analyzer[];
  #last: TextReading | undefined;

  constructor(analyzers: readonly Analyzer[]) {
    this.#analyzers = analyzers;
    this.id = analyzers.map(({ id }) => id).join("+");
    const links = new Set(analyzers.flatMap((analyzer) => analyzer.links ?? []));
    this.links = links.size > 0 ? [...links] : undefined;
  }

  terms(text: string): string[] {
    return [...this.#read(text).terms];
  }

  /** The terms of a text's words in the other languages, by their term. */
  others(text: string): ReadonlyMap<string, readonly string[]> {
    return this.#read(text).others;
  }

  words(text: string): string[] {
    return words(text);
  }

  compared(text: string): readonly (readonly ComparedWord[])[] {
    return this.#read(text).words.flatMap((reading) => {
      const all = reading.cuts.flatMap((cut, i) =>
        cut.map((word, at) => ({
          isLast: at === cut.length - 1,
          forms: must(this.#analyzers[i], "the language of a cut").compared(word).flat(),
        })),
      );
      const before = all.filter(({ isLast }) => !isLast).flatMap(({ forms }) => forms);
      const last = all.filter(({ isLast }) => isLast).flatMap(({ forms }) => forms);
      return [...(before.length > 0 ? [before] : []), last].map((forms) => distinct(forms, reading));
    });
  }

  shareInQuestion(term: string): number {
    return this.#analyzers.reduce((least, each) => Math.min(least, each.shareInQuestion(term)), 1);
  }

  #mostTelling(terms: readonly string[]): string {
    let [best = "", most] = [terms[0], 0];
    for (const term of terms) {
      const share = this.shareInQuestion(term);
      if (share > most) [best, most] = [term, share];
    }
    return best;
  }

  #read(text: string): TextReading {
    if (this.#last?.text === text) return this.#last;
    const read = [...this.#cuts(text)].map((cuts) => this.#readWord(cuts));
    const others = new Map<string, Set<string>>();
    for (const { besides } of read) {
      for (const [other, term] of besides) {
        if (other !== term) others.set(term, (others.get(term) ?? new Set()).add(other));
      }
    }
    this.#last = {
      text,
      words: read,
      terms: read.flatMap(({ terms }) => terms),
      others: new Map([...others].map(([term, all]) => [term, [...all]])),
    };
    return this.#last;
  }

  /** Cuts a text into words. If languages find different numbers of words, a run between spaces counts as one. */
  *#cuts(text: string): Generator<Cuts> {
    const cuts = this.#analyzers.map((analyzer) => analyzer.words(text));
    const [first = []] = cuts;
    if (cuts.every(({ length }) => length === first.length)) {
      for (let at = 0; at < first.length; at++) yield cuts.map((cut) => cut.slice(at, at + 1));
      return;
    }
    const pieces = text.match(NO_SPACES) ?? [];
    if (pieces.length < 2) yield cuts;
    else for (const piece of pieces) yield* this.#cuts(piece);
  }

  #readWord(cuts: Cuts): Reading {
    const readings = this.#analyzers.map((analyzer, i) =>
      must(cuts[i], "the cut of a language").flatMap((word) => analyzer.terms(word)),
    );
    const terms = readings.reduce((most, each) => (each.length > most.length ? each : most), []);
    const besides = new Map(terms.map((term) => [term, term]));
    let telling: string | undefined;
    for (const reading of readings) {
      for (const [at, other] of reading.entries()) {
        if (besides.has(other)) continue;
        const same = reading.length === terms.length ? terms[at] : undefined;
        if (same === undefined) telling ??= this.#mostTelling(terms);
        besides.set(other, same ?? telling ?? other);
      }
    }
    return { terms, besides, cuts };
  }
}

/** Removes duplicate pairs of word and term, since several languages spell most words alike. */
function distinct(forms: readonly ComparedWord[], { besides }: Reading): readonly ComparedWord[] {
  const found = new Map<string, { term: string; word: string; of: SomeWordOf[] }>();
  for (const { term: own, word, someWordOf } of forms) {
    const term = besides.get(own) ?? own;
    const key = `${term} ${word}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { term, word, of: [someWordOf] });
    else known.of.push(someWordOf);
  }
  return [...found.values()].map(({ term, word, of }) => ({
    term,
    word,
    someWordOf: (...wanted) => of.some((someWordOf) => someWordOf(...wanted)),
  }));
}
