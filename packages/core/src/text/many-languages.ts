import type { Analyzer } from "./analyzer.ts";
import { isUnspaced } from "./unspaced.ts";
import { words } from "./words.ts";

/** A text as several languages read it. */
interface Reading {
  readonly text: string;
  readonly terms: string[];
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads questions to documents of several languages: each word in all of them. Where every language makes one term of a word, these count as one
 * (see `others`); a word that is several terms in one of them is all of these.
 */
export class ManyLanguages implements Analyzer {
  readonly id: string;
  readonly links: readonly string[] | undefined;
  readonly #analyzers: readonly Analyzer[];
  readonly #first: Analyzer;
  readonly #plain: Analyzer;
  #last: Reading | undefined;

  /** @param plain reads the scripts without spaces, which all languages read alike */
  constructor(analyzers: readonly Analyzer[], plain: Analyzer) {
    this.#analyzers = analyzers;
    this.#first = analyzers[0] ?? plain;
    this.#plain = plain;
    this.id = analyzers.map(({ id }) => id).join("+");
    this.links = analyzers.find(({ links }) => links !== undefined)?.links;
  }

  terms(text: string): string[] {
    return [...this.#read(text).terms];
  }

  /** What the words of a text are in the other languages, by their term. */
  others(text: string): ReadonlyMap<string, readonly string[]> {
    return this.#read(text).others;
  }

  words(text: string): string[] {
    return words(text);
  }

  compared(word: string): string {
    return this.#first.compared(word);
  }

  someWordOf(term: string, lengthMin: number, lengthMax: number, test: (word: string) => boolean): boolean {
    return this.#analyzers.some((each) => each.someWordOf(term, lengthMin, lengthMax, test));
  }

  shareInQuestion(term: string): number {
    return this.#analyzers.reduce((least, each) => Math.min(least, each.shareInQuestion(term)), 1);
  }

  #read(text: string): Reading {
    if (this.#last?.text === text) return this.#last;
    const terms: string[] = [];
    const others = new Map<string, Set<string>>();
    for (const word of words(text)) {
      const readings = isUnspaced(word)
        ? [this.#plain.terms(word)]
        : this.#analyzers.map((analyzer) => analyzer.terms(word));
      const distinct = new Set(readings.flat());
      const [term] = distinct;
      if (term === undefined || readings.some(({ length }) => length !== 1)) {
        for (const each of distinct) terms.push(each);
        continue;
      }
      terms.push(term);
      distinct.delete(term);
      if (distinct.size > 0) others.set(term, new Set([...(others.get(term) ?? []), ...distinct]));
    }
    this.#last = { text, terms, others: new Map([...others].map(([term, all]) => [term, [...all]])) };
    return this.#last;
  }
}
