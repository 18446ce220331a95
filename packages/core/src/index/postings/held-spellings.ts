import type { Sliced } from "../../scheduling/time-slices.ts";
import type { Guesses } from "./guesses.ts";
import { PASSAGES_MANY } from "./passages-with-all.ts";
import type { HeldTerms } from "./vocabulary.ts";

/** A code as a question spells it, and as passages may: the terms of both, in order. */
export interface OtherSpelling {
  readonly asked: readonly string[];
  readonly instead: readonly string[];
}

/** A spelling that some passage holds. */
export interface HeldSpelling {
  /** Terms of the question that it stands for. */
  readonly asked: readonly string[];
  /** Terms of passages that stand for them, the rarest first. */
  readonly terms: readonly HeldTerm[];
  /**
   * Whether the terms must not outweigh the asked ones. True if some passage holds the code as it was asked for, and the terms tell less because they
   * are shorter: `e` and `1042` tell less than `e1042`.
   */
  readonly isLoose: boolean;
  /** Absent for a spelling of a code. */
  readonly synonym?: HeldSynonym;
}

/** The whole of a synonym, of which `terms` are only a part. */
export interface HeldSynonym {
  /** All terms of the question that it stands for. */
  readonly asked: readonly string[];
  /** In how many passages each of its other terms occurs: those that the question has itself, and those that no passage holds. */
  readonly others: readonly number[];
}

export interface HeldTerm {
  readonly text: string;
  readonly term: number;
  readonly frequency: number;
}

/** Terms of an index, and which passages hold them together. */
export interface TermsTogether extends HeldTerms {
  /** The passages that hold every one of these terms; none where all of the terms are common. */
  readonly passagesWithAll: (terms: readonly string[], most: number) => Sliced<ReadonlySet<number>>;
}

/** Finds the spellings of which some passage holds all terms. Postings that are read count as guesses. */
export function* heldSpellings(
  spellings: readonly OtherSpelling[],
  { vocabulary, frequencyOf, passagesWithAll }: TermsTogether,
  guesses: Guesses,
): Sliced<readonly HeldSpelling[]> {
  const found: HeldSpelling[] = [];
  for (const { asked, instead } of spellings) {
    const [missed, others] = [without(asked, instead), without(instead, asked)];
    const terms = others.flatMap((text): HeldTerm[] => {
      const term = vocabulary.find(text);
      return term === undefined ? [] : [{ text, term, frequency: frequencyOf(term) }];
    });
    if (terms.length < others.length || missed.length === 0 || guesses.areSpent) continue;
    terms.sort((a, b) => a.frequency - b.frequency || a.term - b.term);
    guesses.looked(2 * (terms[0]?.frequency ?? 0));
    if ((yield* passagesWithAll(instead, PASSAGES_MANY)).size === 0) continue;
    const isLoose = longest(others) < longest(missed) && (yield* passagesWithAll(asked, PASSAGES_MANY)).size > 0;
    // A version number without its letter occurs in too many other places.
    if (!isLoose || terms.length > 1) found.push({ asked: missed, terms, isLoose });
  }
  return found;
}

/**
 * Finds the terms of synonyms that passages hold. Unlike spellings of codes they need not stand together in a passage: a question of several words finds
 * passages with some of them as well.
 * @param othersOf the terms of a word in other languages, of which the first held one stands for a term that no passage holds
 */
export function heldSynonyms(
  synonyms: readonly OtherSpelling[],
  { vocabulary, frequencyOf }: HeldTerms,
  othersOf: (term: string) => readonly string[] = () => [],
): readonly HeldSpelling[] {
  const heldOf = (text: string): HeldTerm[] => {
    const term = vocabulary.find(text);
    const frequency = term === undefined ? 0 : frequencyOf(term);
    return term === undefined || frequency === 0 ? [] : [{ text, term, frequency }];
  };
  return synonyms.flatMap(({ asked, instead }): HeldSpelling[] => {
    if (asked.length === 1 && instead.length === 1) return [];
    const [missed, others] = [without(asked, instead), without(instead, asked)];
    const bestOf = (text: string): HeldTerm[] => [text, ...othersOf(text)].flatMap(heldOf).slice(0, 1);
    const terms = others.flatMap(bestOf);
    if (terms.length === 0) return [];
    terms.sort((a, b) => a.frequency - b.frequency || a.term - b.term);
    const unheld = others.slice(terms.length).map(() => 0);
    const shared = without(instead, others).map((text) => bestOf(text)[0]?.frequency ?? 0);
    const synonym = { asked, others: [...unheld, ...shared] };
    return [{ asked: missed.length === 0 ? asked : missed, terms, isLoose: false, synonym }];
  });
}

/** The terms of `all` that are left after each of the others has taken one away. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((term) => {
    const at = left.indexOf(term);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function longest(terms: readonly string[]): number {
  return terms.reduce((most, { length }) => Math.max(most, length), 0);
}
