import { PASSAGES_MAX } from "../../model/limits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { GONE, type LexicalContents } from "./lexical-capture.ts";

/** Numbers checked in a slice. */
const SLICE_NUMBERS = 16_384;

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
    if (i % SLICE_NUMBERS === 0) yield;
    if (lengths[i] === GONE) refuse("a passage is gone");
    const start = starts[i] as number;
    if (start < before) refuse("a passage ends before it begins");
    before = start;
  }
  if (starts[0] !== 0 || before !== terms.length) refuse("the terms of the passages are not all there is");
  const names = vocabulary.length;
  // By index: an iterator takes several times as long, and there are millions.
  for (let i = 0; i < terms.length; i++) {
    if (i % SLICE_NUMBERS === 0) yield;
    if ((terms[i] as number) >= names) refuse("a term has no name");
  }
}
