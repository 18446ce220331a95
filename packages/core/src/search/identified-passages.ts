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

/** The identifiers of a question. */
export interface AskedIdentifiers {
  /** As they stand there. */
  readonly texts: readonly string[];
  /** Their terms, each once. */
  readonly terms: readonly string[];
  /** How codes of the question are written elsewhere. */
  readonly spellings: readonly OtherSpelling[];
}

/** The identifiers in a question. */
export function askedIdentifiers(
  question: string,
  analyzer: Analyzer,
  spellings: readonly OtherSpelling[] = [],
): AskedIdentifiers {
  const texts = identifiersIn(question);
  return { texts, terms: [...new Set(texts.flatMap((text) => analyzer.terms(text)))], spellings };
}

/**
 * What the meaning of a passage counts that lacks an identifier where another passage holds them all. Encoders take identifiers for nearly the same ("2015-07-09" and
 * "2015-09-09"), so the words decide. Chosen on strings that no reported figures use (`bench -- exact --use tune`).
 */
const MEANING_WITHOUT = 0.2;

/** Strings that more passages hold are names of what much is written about: other passages on it need not repeat them. */
const PASSAGES_FEW = 32;

/** A question with more terms of identifiers asks for none of them above all. */
const TERMS_MAX = 64;
/** Passages with all terms of the identifiers are read for the identifiers themselves, if they are no more than this. */
const PASSAGES_READ_MAX = 256;
/** They are not read for more identifiers, which are a pasted page, or for longer ones, which are encoded data. */
const IDENTIFIERS_READ_MAX = 8;
const IDENTIFIER_UNITS_MAX = 128;

/** Ways to spell the codes of a question, all together, that are looked for. */
const SPELLINGS_MAX = 8;

/** Operations of a search in the time in which a UTF-16 unit is read for an identifier. */
const UNIT_OPERATIONS = 4;

/** What is searched for identifiers, and what counts the operations. */
export interface SearchedTexts {
  readonly lexical: LexicalIndex;
  readonly documents: Documents;
  readonly effort: Effort;
}

/** Tells the passages that hold a question's identifiers from those that lack one. */
export interface Identified {
  /** Whether a passage lacks one of the identifiers, or holds it less exactly than other passages: as a part of a longer one. */
  readonly lacks: (ordinal: number) => boolean;
  /** What the meaning of such a passage counts, 0 to 1, against that of one that lacks none. */
  readonly meaning: number;
}

/** Where the identifiers have this share of the weight of the question's words, or more, it asks for them above all. */
const SHARE_DECIDING = 0.2;

/** Undefined where the question has no identifiers, or more than {@link TERMS_MAX} terms of such, or no passage holds them all, or many do: then nothing tells passages apart that way. */
export function* identified(
  identifiers: AskedIdentifiers,
  { asked, upperBound }: WeightedQuery,
  index: SearchedTexts,
): Sliced<Identified | undefined> {
  const { terms } = identifiers;
  if (terms.length === 0 || terms.length > TERMS_MAX) return undefined;
  const holding = yield* mostExact(identifiers, yield* holdingTerms(identifiers, index), index);
  if (holding.size === 0 || holding.size > PASSAGES_FEW) return undefined;
  const deciding = new Set(terms);
  let weight = 0;
  for (const each of asked) if (deciding.has(each.text)) weight += each.weight;
  const decided = Math.min(1, weight / upperBound / SHARE_DECIDING);
  return { lacks: (ordinal) => !holding.has(ordinal), meaning: 1 - decided * (1 - MEANING_WITHOUT) };
}

/** The passages that hold all terms of the identifiers, in any spelling. */
function* holdingTerms(
  { terms, spellings }: AskedIdentifiers,
  { lexical }: SearchedTexts,
): Sliced<ReadonlySet<number>> {
  const spelled: (readonly string[])[] = [terms];
  for (const { asked, instead } of spellings) {
    for (const known of spelled.slice(0, SPELLINGS_MAX - spelled.length)) {
      const others = known.filter((term) => !asked.includes(term));
      if (others.length < known.length) spelled.push([...others, ...instead]);
    }
  }
  const holding = new Set<number>();
  for (const each of spelled)
    for (const ordinal of yield* lexical.passagesWithAll(each, PASSAGES_READ_MAX)) holding.add(ordinal);
  return holding;
}

/**
 * Of passages with all terms of the identifiers, those in which the identifiers stand most exactly: "12.10.3 has 2 parts" has the terms of "2.10.3". All of them where the
 * identifiers stand in none, or where there are too many to read.
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

/** What the terms of a passage or wording come from: its text, the headings above it, and the title. */
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
