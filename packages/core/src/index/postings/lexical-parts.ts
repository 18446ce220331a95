import { PASSAGES_MAX } from "../../model/limits.ts";
import { finished, type Sliced } from "../../scheduling/time-slices.ts";
import { ForwardLists } from "./forward-lists.ts";
import { GONE, type LexicalContents } from "./lexical-capture.ts";
import { Postings } from "./postings.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Numbers, and terms, that are taken in a slice. */
const SLICE_NUMBERS = 8_192;
const SLICE_TERMS = 512;

/** Everything that a lexical index consists of: its contents, and the data derived from them. */
export interface LexicalParts {
  readonly contents: LexicalContents;
  readonly vocabulary: Vocabulary;
  /** By term: the number of passages that hold it. */
  readonly frequencies: Uint32Array;
  /** Number of terms that some passage holds. */
  readonly heldTerms: number;
  /** Length of all passages together, in frequency units. */
  readonly length: number;
  readonly postings: Postings;
  readonly forward: ForwardLists;
}

/**
 * Derives the parts of a lexical index from its contents. Sliced, since a large bot has millions of postings.
 * @throws RangeError if no index can be made of these contents
 */
export function* partsOfContents(contents: LexicalContents): Sliced<LexicalParts> {
  yield* checkContents(contents);
  const { terms, lengths } = contents;
  const vocabulary = yield* vocabularyOf(contents.vocabulary);
  const frequencies = new Uint32Array(contents.vocabulary.length);
  for (let i = 0; i < terms.length; i++) {
    if (i % SLICE_NUMBERS === 0) yield;
    const term = terms[i] as number;
    frequencies[term] = (frequencies[term] as number) + 1;
  }
  let heldTerms = 0;
  for (let term = 0; term < frequencies.length; term++) {
    if (term % SLICE_NUMBERS === 0) yield;
    if ((frequencies[term] as number) > 0) heldTerms++;
  }
  let length = 0;
  for (let ordinal = 0; ordinal < lengths.length; ordinal++) {
    if (ordinal % SLICE_NUMBERS === 0) yield;
    length += lengths[ordinal] as number;
  }
  const postings = yield* Postings.inSlices(frequencies, contents);
  const forward = yield* ForwardLists.inSlices(contents);
  return { contents, vocabulary, frequencies, heldTerms, length, postings, forward };
}

/** The parts of an empty index. */
export function noParts(): LexicalParts {
  const none = new Uint32Array(0);
  return finished(
    partsOfContents({ vocabulary: [], lengths: none, starts: new Uint32Array(1), terms: none, words: none }),
  );
}

/** Builds the vocabulary and its outline, which the first mistyped word would wait for otherwise. */
function* vocabularyOf(terms: readonly string[]): Sliced<Vocabulary> {
  const vocabulary = new Vocabulary();
  vocabulary.expect(terms.length);
  for (let number = 0; number < terms.length; number++) {
    vocabulary.enter(terms[number] as string);
    if ((number + 1) % SLICE_TERMS > 0) continue;
    vocabulary.outline();
    yield;
  }
  vocabulary.outline();
  if (vocabulary.size < terms.length) throw new RangeError("Two terms have the same name.");
  return vocabulary;
}

/** Numbers checked in a slice. */
const SLICE_CHECKED = 16_384;

/**
 * Checks contents: an index made of them reads and reserves nothing beyond them. Sliced.
 * @throws RangeError if they make no sense
 */
export function* checkContents({ vocabulary, lengths, starts, terms, words }: LexicalContents): Sliced<void> {
  const refuse = (what: string): never => {
    throw new RangeError(`The contents of a lexical index make no sense: ${what}.`);
  };
  if (lengths.length > PASSAGES_MAX) refuse("too many passages");
  if (starts.length !== lengths.length + 1) refuse("not every passage has a beginning");
  if (terms.length !== words.length) refuse("not every term has its occurrences");
  let before = 0;
  for (let i = 0; i < starts.length; i++) {
    if (i % SLICE_CHECKED === 0) yield;
    if (lengths[i] === GONE) refuse("a passage is gone");
    const start = starts[i] as number;
    if (start < before) refuse("a passage ends before it begins");
    before = start;
  }
  if (starts[0] !== 0 || before !== terms.length) refuse("the terms of the passages are not all there is");
  const names = vocabulary.length;
  // By index: an iterator takes several times as long, and there are millions.
  for (let i = 0; i < terms.length; i++) {
    if (i % SLICE_CHECKED === 0) yield;
    if ((terms[i] as number) >= names) refuse("a term has no name");
  }
}
