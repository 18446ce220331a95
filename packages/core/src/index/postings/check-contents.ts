import { PASSAGES_MAX } from "../../model/limits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { GONE, type LexicalContents } from "./lexical-capture.ts";

/** So many numbers are looked at in a step. */
const SLICE_NUMBERS = 16_384;

/** Throws unless an index can be made of these, and nothing beyond them would ever be read or reserved. */
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
  // By number: an iterator takes several times as long, and there are millions.
  for (let i = 0; i < terms.length; i++) {
    if (i % SLICE_NUMBERS === 0) yield;
    if ((terms[i] as number) >= names) refuse("a term has no name");
  }
}
