import type { Analyzer, TermNumbering } from "../analysis/analyzer.ts";
import { normalForm, normalFormHash, normalFormOfPlain } from "../markdown/normal-form.ts";
import type { Fragment } from "../markdown/passages.ts";
import { searchedText } from "../markdown/searched-text.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import { type CutDocument, shortTitle } from "./embedded-texts.ts";
import { FRAGMENT_NUMBERS, type IndexedDocument, NO_FRAGMENT, numberCount, READINGS } from "./indexed-document.ts";
import type { Field } from "./postings/field.ts";

/** What a cut document is for the index: the terms of its ordinals, and the numbers of its passages, pieces and parts. */

/** What a word in the headings or the title counts for a passage, against one in its text. Multiples of a quarter. */
const HEADING_WEIGHT = 0.75;
const TITLE_WEIGHT = 1.5;

/** One list of fields for each wording, then for each passage. */
export function* fieldsOf(
  { cut, titles, variants, plain }: CutDocument,
  analyzer: Analyzer,
  numbering: TermNumbering,
): Generator<readonly Field[], void> {
  const termsOf = (text: string): readonly number[] => appendTerms(text, analyzer, numbering, []);
  for (const variant of variants) yield [{ terms: termsOf(searchedText(variant, "question")), weight: 1 }];
  const title = { terms: termsOf(shortTitle(titles[0] ?? "", searchedText)), weight: TITLE_WEIGHT };
  let above = "";
  let headings: Field = { terms: [], weight: HEADING_WEIGHT };
  for (const [i, passage] of cut.passages.entries()) {
    // Passages that follow each other mostly stand below the same.
    const own = passage.searchedHeadings.join("\n");
    if (own !== above) headings = { terms: termsOf(own), weight: HEADING_WEIGHT };
    above = own;
    yield [textField(cut.markdown, passage.fragments, plain[i] ?? [], analyzer, numbering), headings, title];
  }
}

/** So much of a document tells its language, in UTF-16 units. */
const SAMPLE_UNITS = 1_000;

/** The language that a document tells by itself; undefined where all have one. */
export function languageOfCut({ titles, plain }: CutDocument, { documents }: Analyzer): string | undefined {
  if (documents === undefined) return undefined;
  let sample = titles.join("\n").slice(0, SAMPLE_UNITS / 2);
  for (const fragments of plain) {
    for (const fragment of fragments) {
      if (sample.length >= SAMPLE_UNITS) return documents.languageOf(sample.slice(0, SAMPLE_UNITS));
      sample += `\n${fragment.slice(0, SAMPLE_UNITS)}`;
    }
  }
  return documents.languageOf(sample.slice(0, SAMPLE_UNITS));
}

/** What a document of this language is read by. */
export function analyzerIn(language: string | undefined, analyzer: Analyzer): Analyzer {
  return language === undefined ? analyzer : (analyzer.documents?.analyzerOf(language) ?? analyzer);
}

/** The text of a passage, piece by piece. */
function textField(
  markdown: string,
  fragments: readonly Fragment[],
  plain: readonly string[],
  analyzer: Analyzer,
  numbering: TermNumbering,
): Field {
  const terms: number[] = [];
  const fragmentStarts: number[] = [];
  for (const [i, { startOffset, endOffset, reading }] of fragments.entries()) {
    fragmentStarts.push(terms.length);
    const text = searchedText(markdown.slice(startOffset, endOffset), reading, plain[i]);
    appendTerms(text, analyzer, numbering, terms);
  }
  return { terms, fragmentStarts, weight: 1 };
}

function appendTerms(text: string, analyzer: Analyzer, numbering: TermNumbering, terms: number[]): readonly number[] {
  if (analyzer.number === undefined) for (const term of analyzer.terms(text)) terms.push(numbering.numberOf(term));
  else analyzer.number(text, numbering, terms);
  return terms;
}

/** Passages that are done in a step where each takes next to no time; counting takes even less. */
const SLICE_PASSAGES = 256;
const SLICE_COUNTED = 16_384;

/** Titles are read until so many UTF-16 units are in a step. An empty one takes the time of some. */
const SLICE_UNITS = 8_192;
const TITLE_UNITS = 32;

/** The numbers of a document that do not depend on its place in the index. */
export type DocumentNumbers = Pick<IndexedDocument, "passageCount" | "numbers" | "hashes">;

export function* numbersInSlices(cut: CutDocument): Sliced<DocumentNumbers> {
  const { titles, variants, plain, windows, titleWindow } = cut;
  const { passages } = cut.cut;
  const wholeWindows = variants.length + (titleWindow === "" ? 0 : 1);
  const passageCount = passages.length;
  let [fragmentCount, windowCount] = [0, wholeWindows];
  yield* inPortions(passageCount, SLICE_COUNTED, (from, to) => {
    for (let i = from; i < to; i++) {
      fragmentCount += passages[i]?.fragments.length ?? 0;
      windowCount += windows[i]?.length ?? 0;
    }
  });
  yield;
  // Both in one buffer: each has some 200 bytes of its own, which is more than most lists of a short document hold.
  const hashBytes = 8 * (titles.length + fragmentCount);
  const count = numberCount(passageCount, fragmentCount, windowCount);
  const buffer = new ArrayBuffer(hashBytes + 4 * count);
  const hashes = new Float64Array(buffer, 0, titles.length + fragmentCount);
  const numbers = new Uint32Array(buffer, hashBytes, count);
  yield* hashTitles(titles, hashes);
  let [fragment, at] = [0, passageCount + 1];
  for (let i = 0; i < passageCount; i++) {
    const fragments = passages[i]?.fragments ?? [];
    for (const [j, { startLine, stopLine, startOffset, endOffset, reading }] of fragments.entries()) {
      numbers[at] = startLine;
      numbers[at + 1] = stopLine;
      numbers[at + 2] = startOffset;
      numbers[at + 3] = endOffset;
      numbers[at + 4] = READINGS.indexOf(reading);
      at += FRAGMENT_NUMBERS;
      hashes[titles.length + fragment] = normalFormHash(normalFormOfPlain(plain[i]?.[j] ?? ""));
      fragment++;
    }
    numbers[i + 1] = fragment;
    yield;
  }
  const fragmentOfWindow = at + windowCount;
  for (const i of variants.keys()) numbers[at + i] = i;
  numbers.fill(NO_FRAGMENT, fragmentOfWindow, fragmentOfWindow + wholeWindows);
  let window = wholeWindows;
  for (let i = 0; i < passageCount; i++) {
    for (const own of windows[i] ?? []) {
      numbers[at + window] = variants.length + i;
      numbers[fragmentOfWindow + window] = (numbers[i] ?? 0) + own.fragment;
      window++;
    }
    if (i % SLICE_PASSAGES === 0) yield;
  }
  return { passageCount, numbers, hashes };
}

function* hashTitles(titles: readonly string[], hashes: Float64Array): Sliced<void> {
  let units = 0;
  for (const [i, title] of titles.entries()) {
    hashes[i] = normalFormHash(normalForm(title));
    units += title.length + TITLE_UNITS;
    if (units < SLICE_UNITS) continue;
    units = 0;
    yield;
  }
}
