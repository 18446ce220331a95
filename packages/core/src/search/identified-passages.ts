import type { Analyzer } from "../analysis/analyzer.ts";
import { identifiersIn } from "../analysis/identifiers.ts";
import { NOWHERE, type Standing, standingOf, WHOLE } from "../analysis/standing-identifiers.ts";
import type { Documents } from "../index/documents.ts";
import { shortTitle } from "../index/embedded-texts.ts";
import { headingsAbove } from "../index/headings-above.ts";
import { fragmentsOfPassage, plainFragment } from "../index/indexed-document.ts";
import type { OtherSpelling } from "../index/postings/held-spellings.ts";
import type { LexicalIndex } from "../index/postings/lexical-index.ts";
import type { WeightedQuery } from "../index/postings/weighted-query.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { Effort } from "./budget.ts";

/** The identifiers of a question: strings that are asked for exactly, such as versions, codes and phone numbers. */
export interface AskedIdentifiers {
  /** As the question writes them. */
  readonly texts: readonly string[];
  /** Their terms, each once. */
  readonly terms: readonly string[];
  /** Other spellings of the question's codes. */
  readonly spellings: readonly OtherSpelling[];
  /** The vocabulary's synonyms of runs of the question's terms. */
  readonly synonyms: readonly OtherSpelling[];
}

/** Extracts the identifiers of a question. */
export function askedIdentifiers(
  question: string,
  analyzer: Analyzer,
  { spellings = [], synonyms = [] }: Partial<Pick<AskedIdentifiers, "spellings" | "synonyms">> = {},
): AskedIdentifiers {
  const texts = identifiersIn(question);
  return { texts, terms: [...new Set(texts.flatMap((text) => analyzer.terms(text)))], spellings, synonyms };
}

/**
 * Factor of the cosine and closeness of a passage that lacks an identifier, if another passage holds them all.
 * Encoders take identifiers for nearly the same ("2015-07-09" and "2015-09-09"), so that the words must decide.
 * It applies in full from {@link SHARE_DECIDING} on. Chosen on strings that no reported figures use (`bench -- exact --use tune`).
 */
const MEANING_WITHOUT = 0.2;

/**
 * The maximum number of passages that may hold the identifiers.
 * Strings in more passages name a common topic, and other passages on it need not repeat them.
 */
const PASSAGES_FEW = 32;

/** The maximum number of identifier terms. A question with more asks for none of its identifiers in particular. */
const TERMS_MAX = 64;
/** The maximum number of passages with all terms that are read for the identifiers themselves. */
const PASSAGES_READ_MAX = 256;
/**
 * The maximum number of identifiers that passages are read for, and their maximum length in UTF-16 units.
 * More are a pasted page, longer ones encoded data.
 */
const IDENTIFIERS_READ_MAX = 8;
const IDENTIFIER_UNITS_MAX = 128;

/** The maximum number of combinations of spellings that are looked up for one question, and of combinations with synonyms. */
const SPELLINGS_MAX = 8;

/** Operations for reading one UTF-16 unit for an identifier. */
const UNIT_OPERATIONS = 4;

/** The texts that are searched for identifiers, and the meter of a search. */
export interface SearchedTexts {
  readonly lexical: LexicalIndex;
  readonly documents: Documents;
  readonly effort: Effort;
}

/** Tells the passages that hold a question's identifiers from the passages that lack one. */
export interface Identified {
  /**
   * The passages that hold all identifiers as exactly as any does. All others lack one, or have it as a part of a longer one.
   * A passage with a synonym of an identifier is among them, unless too many have that.
   */
  readonly holding: ReadonlySet<number>;
  /** Factor of the cosine and closeness of every other passage, 0 to 1. */
  readonly meaningCounts: number;
}

/** Share of the question's weight from which its identifiers count in full. Below it their effect is proportional. */
const SHARE_DECIDING = 0.2;

/**
 * Finds the passages that hold all identifiers of a question.
 * Undefined if the question has none, or more than {@link TERMS_MAX} terms of them.
 * Also undefined if no passage holds them all, or more than {@link PASSAGES_FEW} do: then they tell no passages apart.
 * Synonyms of identifiers change none of this: they only add passages.
 */
export function* identified(
  identifiers: AskedIdentifiers,
  { asked, upperBound }: WeightedQuery,
  index: SearchedTexts,
): Sliced<Identified | undefined> {
  const { terms, spellings, synonyms } = identifiers;
  if (terms.length === 0 || terms.length > TERMS_MAX) return undefined;
  const spelled = combined([terms], spellings);
  const holding = yield* mostExact(identifiers, yield* holdingTerms(spelled, index), index);
  if (holding.size === 0 || holding.size > PASSAGES_FEW) return undefined;
  const bySynonyms = yield* holdingTerms(combined(spelled, synonyms).slice(spelled.length), index);
  const all = bySynonyms.size > PASSAGES_FEW ? holding : new Set([...holding, ...bySynonyms]);
  const deciding = new Set(terms);
  let weight = 0;
  for (const each of asked) if (deciding.has(each.text)) weight += each.weight;
  const decided = Math.min(1, weight / upperBound / SHARE_DECIDING);
  return {
    holding: all,
    meaningCounts: 1 - decided * (1 - MEANING_WITHOUT),
  };
}

/** The passages that hold all terms of one of these combinations. */
function* holdingTerms(
  combinations: readonly (readonly string[])[],
  { lexical }: SearchedTexts,
): Sliced<ReadonlySet<number>> {
  const holding = new Set<number>();
  for (const terms of combinations)
    for (const ordinal of yield* lexical.passagesWithAll(terms, PASSAGES_READ_MAX)) holding.add(ordinal);
  return holding;
}

/**
 * These combinations of terms, followed by those that replacements make of them, up to {@link SPELLINGS_MAX} in addition to the first of the given ones.
 * A question may repeat a code, and write it in two ways.
 */
function combined(
  given: readonly (readonly string[])[],
  replacements: readonly OtherSpelling[],
): readonly (readonly string[])[] {
  const most = given.length - 1 + SPELLINGS_MAX;
  const combinations = new Map(given.map((terms) => [keyOf(terms), terms]));
  for (const { asked, instead } of replacements) {
    for (const known of [...combinations.values()]) {
      const others = known.filter((term) => !asked.includes(term));
      const terms = [...new Set([...others, ...instead])];
      if (others.length < known.length && combinations.size < most) combinations.set(keyOf(terms), terms);
    }
  }
  return [...combinations.values()];
}

function keyOf(terms: readonly string[]): string {
  return [...terms].sort().join(" ");
}

/**
 * Reduces passages with all terms to those that hold the identifiers most exactly: "12.10.3 has 2 parts" has the terms of "2.10.3".
 * Returns all of them if no text holds the identifiers, or if there are too many to read.
 */
function* mostExact(
  { texts }: AskedIdentifiers,
  holding: ReadonlySet<number>,
  index: SearchedTexts,
): Sliced<ReadonlySet<number>> {
  const isRead = holding.size > 1 && holding.size <= PASSAGES_READ_MAX && texts.length <= IDENTIFIERS_READ_MAX;
  if (!isRead || texts.some(({ length }) => length > IDENTIFIER_UNITS_MAX)) return holding;
  const readers = texts.map(standingOf);
  let best = new Set<number>();
  let highest: Standing = NOWHERE;
  for (const ordinal of holding) {
    const text = (yield* textsOf(ordinal, index)).join("\n");
    const standing = readers.reduce<Standing>(
      (least, read) => (least === NOWHERE ? least : lower(least, read(text))),
      WHOLE,
    );
    if (standing > highest) [highest, best] = [standing, new Set()];
    if (standing === highest) best.add(ordinal);
    if (index.effort.shouldYield(text.length * readers.length * UNIT_OPERATIONS)) yield;
  }
  return best;
}

function lower(a: Standing, b: Standing): Standing {
  return a < b ? a : b;
}

/** The texts that the terms of an ordinal come from. Of a passage: its text, the headings above it and the title. Of a question variant: itself. */
function* textsOf(ordinal: number, { documents, effort }: SearchedTexts): Sliced<string[]> {
  const document = documents.ofOrdinal(ordinal);
  if (document === undefined) return [];
  const { titles } = document.document;
  const passage = ordinal - document.firstOrdinal - document.variantCount;
  if (passage < 0) return titles.slice(passage + document.variantCount).slice(0, 1);
  const [first, last] = fragmentsOfPassage(document, passage);
  const texts = [shortTitle(titles[0] ?? ""), ...(yield* headingsAbove(document, passage, effort))];
  for (let fragment = first; fragment < last; fragment++) texts.push(plainFragment(document, fragment));
  return texts;
}
