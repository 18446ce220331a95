import type { Analyzer } from "../analysis/analyzer.ts";
import type { OtherSpelling } from "../index/postings/held-spellings.ts";
import { searchedText } from "../markdown/searched-text.ts";
import { SEARCH_SYNONYM_TERMS_MAX } from "../model/limits.ts";
import type { PinnedAnswer, Vocabulary } from "../model/vocabulary-types.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { compilePattern, fits, type QuestionPattern } from "./question-pattern.ts";
import { synonymSides } from "./synonym-line.ts";

/** Terms of one text, in order. */
type Phrase = readonly string[];

/** What a vocabulary says about a run of a question's terms. */
interface Entry {
  readonly run: Phrase;
  /** The texts that mean the same, each once, the run itself perhaps among them. Texts that stand in one line alone share its list. */
  meant: readonly Phrase[];
  isIgnored: boolean;
}

interface CompiledPin {
  readonly pin: PinnedAnswer;
  readonly pattern: QuestionPattern;
}

/** What a vocabulary makes of one question. */
export interface AskedVocabulary {
  /** The terms of the question without those to ignore. All of them, if nothing else were left. */
  readonly terms: readonly string[];
  /** The ignored terms, in order. */
  readonly ignored: readonly string[];
  /** The texts that mean the same as runs of the question's terms. */
  readonly synonyms: readonly OtherSpelling[];
  /** The terms of one-term synonyms, by the one term that they stand for; then their terms in other languages. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** The pinned answers that fit, the first one first. */
  readonly pins: readonly PinnedAnswer[];
}

/** The synonyms of a vocabulary while it is compiled. */
interface Synonyms {
  /** Each phrase once, by its terms, joined: so equal ones are the same object. */
  readonly phrases: Map<string, Phrase>;
  /** What an entry means by each of its lines. */
  readonly lists: Map<Entry, (readonly Phrase[])[]>;
}

/** Operations to analyze a UTF-16 unit of text, to check a pattern, and to compare a synonym with those before it. */
const UNIT_OPERATIONS = 100;
const PATTERN_OPERATIONS = 64;
const SYNONYM_OPERATIONS = 8;

/** A vocabulary as terms of one analyzer. Questions are matched by terms, so case, accents and endings count as little as in a search. */
export class CompiledVocabulary {
  /** By the terms of a text, joined. */
  readonly #entries = new Map<string, Entry>();
  /** By the first term of a text: the numbers of terms that such texts have, the longest first. */
  readonly #lengths = new Map<string, number[]>();
  readonly #pins: CompiledPin[] = [];
  /** The terms of words in other languages, for words of synonyms. */
  readonly #inLanguages = new Map<string, readonly string[]>();
  readonly #analyzer: Analyzer;

  private constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  /** Analyzes all texts of a vocabulary: linear in their length. */
  static *of(
    { synonyms, pins, ignored }: Vocabulary,
    analyzer: Analyzer,
    meter: OperationMeter,
  ): Sliced<CompiledVocabulary> {
    const compiled = new CompiledVocabulary(analyzer);
    const made: Synonyms = { phrases: new Map(), lists: new Map() };
    for (const line of synonyms) yield* compiled.#addSynonyms(line, made, meter);
    for (const [entry, lists] of made.lists) entry.meant = yield* merged(entry, lists, meter);
    for (const text of ignored) {
      // Of a text that has synonyms too, the synonyms count.
      const entry = compiled.#entryOf(compiled.#termsOf(text));
      if (entry !== undefined && entry.meant.length === 0) entry.isIgnored = true;
      if (meter.shouldYield(text.length * UNIT_OPERATIONS)) yield;
    }
    for (const pin of pins) {
      const pattern = compilePattern(pin.question, (text) => compiled.#termsOf(text));
      if (pattern !== undefined) compiled.#pins.push({ pin, pattern });
      if (meter.shouldYield(pin.question.length * UNIT_OPERATIONS)) yield;
    }
    return compiled;
  }

  /** Applies it to the terms of a question. Of overlapping texts, the first and longest counts. */
  *asked(terms: readonly string[], meter: OperationMeter): Sliced<AskedVocabulary> {
    const kept: string[] = [];
    const ignored: string[] = [];
    const synonyms: OtherSpelling[] = [];
    const seen = new Set<Entry>();
    let free = SEARCH_SYNONYM_TERMS_MAX;
    for (let at = 0; at < terms.length; ) {
      const { count, entry } = this.#longestAt(terms, at);
      const run = terms.slice(at, at + count);
      (entry?.isIgnored === true ? ignored : kept).push(...run);
      const meant = entry === undefined || free === 0 || seen.has(entry) ? [] : entry.meant;
      for (const instead of meant) {
        if (instead === entry?.run || instead.length > free) continue;
        free -= instead.length;
        synonyms.push({ asked: run, instead });
      }
      if (entry !== undefined) seen.add(entry);
      at += count;
      if (meter.shouldYield(UNIT_OPERATIONS + meant.length)) yield;
    }
    const isEmptied = kept.length === 0;
    return {
      terms: isEmptied ? terms : kept,
      ignored: isEmptied ? [] : ignored,
      synonyms,
      others: this.#othersBy(synonyms),
      pins: yield* this.#pinsOf(terms, meter),
    };
  }

  *#pinsOf(terms: readonly string[], meter: OperationMeter): Sliced<PinnedAnswer[]> {
    const held = new Set(terms);
    const pins: PinnedAnswer[] = [];
    for (const { pin, pattern } of this.#pins) {
      if (pattern.runs.every((run) => run.every((term) => held.has(term))) && (yield* fits(pattern, terms, meter)))
        pins.push(pin);
      if (meter.shouldYield(PATTERN_OPERATIONS)) yield;
    }
    return pins;
  }

  #othersBy(synonyms: readonly OtherSpelling[]): ReadonlyMap<string, readonly string[]> {
    const others = new Map<string, string[]>();
    const add = (term: string, more: readonly string[]): void =>
      void others.set(term, [...(others.get(term) ?? []), ...more]);
    for (const { asked, instead } of synonyms) {
      const [term, another] = asked;
      const [only] = instead;
      if (term !== undefined && another === undefined && only !== undefined && instead.length === 1) {
        add(term, [only, ...(this.#inLanguages.get(only) ?? [])]);
      } else for (const each of instead) add(each, this.#inLanguages.get(each) ?? []);
    }
    return others;
  }

  #longestAt(terms: readonly string[], at: number): { readonly count: number; readonly entry: Entry | undefined } {
    for (const count of this.#lengths.get(terms[at] ?? "") ?? []) {
      const entry = at + count > terms.length ? undefined : this.#entries.get(keyOf(terms.slice(at, at + count)));
      if (entry !== undefined) return { count, entry };
    }
    return { count: 1, entry: undefined };
  }

  *#addSynonyms(line: string, made: Synonyms, meter: OperationMeter): Sliced<void> {
    const { from = [], to } = synonymSides(line) ?? {};
    const asked = yield* this.#phrasesOf(from, made, meter);
    const meant = to === undefined ? asked : yield* this.#phrasesOf(to, made, meter);
    for (const phrase of asked) {
      const entry = this.#entryOf(phrase);
      if (entry === undefined) continue;
      const lists = made.lists.get(entry) ?? [];
      lists.push(meant);
      made.lists.set(entry, lists);
    }
  }

  /** The terms of texts, without those that have none, each once. */
  *#phrasesOf(texts: readonly string[], { phrases }: Synonyms, meter: OperationMeter): Sliced<readonly Phrase[]> {
    const all = new Set<Phrase>();
    for (const text of texts) {
      const terms = this.#termsOf(text);
      const key = keyOf(terms);
      const phrase = phrases.get(key) ?? terms;
      phrases.set(key, phrase);
      if (phrase.length > 0) all.add(phrase);
      if (meter.shouldYield(text.length * UNIT_OPERATIONS)) yield;
    }
    return [...all];
  }

  /** The entry of a text; undefined if it has no term. */
  #entryOf(phrase: Phrase): Entry | undefined {
    const [first] = phrase;
    if (first === undefined) return undefined;
    const key = keyOf(phrase);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { run: phrase, meant: [], isIgnored: false };
      this.#entries.set(key, entry);
      const lengths = this.#lengths.get(first) ?? [];
      if (!lengths.includes(phrase.length)) {
        this.#lengths.set(
          first,
          [...lengths, phrase.length].sort((a, b) => b - a),
        );
      }
    }
    return entry;
  }

  #termsOf(text: string): Phrase {
    const plain = searchedText(text, "question");
    const terms = this.#analyzer.terms(plain);
    for (const [term, others] of this.#analyzer.others?.(plain) ?? []) this.#inLanguages.set(term, others);
    return terms;
  }
}

/** The texts of several lines, each once, in order: as many as have {@link SEARCH_SYNONYM_TERMS_MAX} terms in all, since no question takes more. */
function* merged(
  { run }: Entry,
  lists: readonly (readonly Phrase[])[],
  meter: OperationMeter,
): Sliced<readonly Phrase[]> {
  const [only = [], another] = lists;
  if (another === undefined) return only;
  const meant = new Set<Phrase>();
  let free = SEARCH_SYNONYM_TERMS_MAX;
  for (const phrases of lists) {
    for (const phrase of phrases) {
      if (phrase === run || phrase.length > free || meant.has(phrase)) continue;
      free -= phrase.length;
      meant.add(phrase);
    }
    if (meter.shouldYield(phrases.length * SYNONYM_OPERATIONS)) yield;
    if (free === 0) break;
  }
  return [...meant];
}

function keyOf(terms: Phrase): string {
  return terms.join(" ");
}
