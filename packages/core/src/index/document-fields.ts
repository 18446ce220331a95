import type { Analyzer, TermNumbering } from "../analysis/analyzer.ts";
import { normalForm, normalFormHash, normalFormOfPlain } from "../markdown/normal-form.ts";
import type { Fragment } from "../markdown/passages.ts";
import { searchedText } from "../markdown/searched-text.ts";
import { must } from "../model/must.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import { type CutDocument, shortTitle } from "./embedded-texts.ts";
import { FRAGMENT_NUMBERS, type IndexedDocument, NO_FRAGMENT, numberCount, READINGS } from "./indexed-document.ts";
import type { Field } from "./postings/field.ts";

const [PASSAGE, PLAIN, WINDOWS] = ["a passage", "the plain text of a passage", "the windows of a passage"];

/** Makes the index entries of a cut document: the terms of each ordinal, and the numbers of its passages, fragments and embedding windows. */

/** Weight of one occurrence in a passage's headings or title. One in its text weighs 1. Multiples of a quarter. */
const HEADING_WEIGHT = 0.75;
const TITLE_WEIGHT = 1.5;

/** Yields one list of fields for each question variant, then one for each passage. */
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
    // Neighbouring passages mostly stand below the same headings.
    const own = passage.searchedHeadings.join("\n");
    if (own !== above) headings = { terms: termsOf(own), weight: HEADING_WEIGHT };
    above = own;
    yield [textField(cut.markdown, passage.fragments, must(plain[i], PLAIN), analyzer, numbering), headings, title];
  }
}

/** Length of the sample that the language is detected from, in UTF-16 units. */
const SAMPLE_UNITS = 1_000;

/** Detects the language of a document by its titles and first fragments. Undefined where all documents are read in one language. */
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

/** The analyzer of documents in this language. */
export function analyzerIn(language: string | undefined, analyzer: Analyzer): Analyzer {
  return language === undefined ? analyzer : (analyzer.documents?.analyzerOf(language) ?? analyzer);
}

/** The field of a passage's text, with the term at which each fragment begins. */
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

/** Passages in a slice, where each takes next to no time. Counting takes even less. */
const SLICE_PASSAGES = 256;
const SLICE_COUNTED = 16_384;

/** UTF-16 units of titles in a slice. Each title counts {@link TITLE_UNITS} more, since an empty one takes time as well. */
const SLICE_UNITS = 8_192;
const TITLE_UNITS = 32;

/** The numbers of a document that do not depend on its place in the index. */
export type DocumentNumbers = Pick<IndexedDocument, "passageCount" | "numbers" | "hashes">;

/** Makes the numbers of a cut document, as sliced work. */
export function* numbersInSlices(cut: CutDocument): Sliced<DocumentNumbers> {
  const { titles, variants, plain, windows, titleWindow } = cut;
  const { passages } = cut.cut;
  const wholeWindows = variants.length + (titleWindow === "" ? 0 : 1);
  const passageCount = passages.length;
  let [fragmentCount, windowCount] = [0, wholeWindows];
  yield* inPortions(passageCount, SLICE_COUNTED, (from, to) => {
    for (let i = from; i < to; i++) {
      fragmentCount += must(passages[i], PASSAGE).fragments.length;
      windowCount += must(windows[i], WINDOWS).length;
    }
  });
  yield;
  // Both arrays share one buffer. A buffer of its own costs some 200 bytes, more than most lists of a short document hold.
  const hashBytes = 8 * (titles.length + fragmentCount);
  const count = numberCount(passageCount, fragmentCount, windowCount);
  const buffer = new ArrayBuffer(hashBytes + 4 * count);
  const hashes = new Float64Array(buffer, 0, titles.length + fragmentCount);
  const numbers = new Uint32Array(buffer, hashBytes, count);
  yield* hashTitles(titles, hashes);
  let [fragment, at] = [0, passageCount + 1];
  for (let i = 0; i < passageCount; i++) {
    const { fragments } = must(passages[i], PASSAGE);
    const texts = must(plain[i], PLAIN);
    for (const [j, { startLine, stopLine, startOffset, endOffset, reading }] of fragments.entries()) {
      numbers[at] = startLine;
      numbers[at + 1] = stopLine;
      numbers[at + 2] = startOffset;
      numbers[at + 3] = endOffset;
      numbers[at + 4] = READINGS.indexOf(reading);
      at += FRAGMENT_NUMBERS;
      hashes[titles.length + fragment] = normalFormHash(normalFormOfPlain(must(texts[j], PLAIN)));
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
    for (const own of must(windows[i], WINDOWS)) {
      numbers[at + window] = variants.length + i;
      numbers[fragmentOfWindow + window] = (numbers[i] as number) + own.fragment;
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
