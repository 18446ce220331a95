import type { Analyzer, TermNumbering } from "../analysis/analyzer.ts";
import { normalForm, normalFormHash, normalFormOfPlain } from "../markdown/normal-form.ts";
import type { Piece } from "../markdown/passages.ts";
import { searchedText } from "../markdown/searched-text.ts";
import { inPortions, type Steps } from "../scheduling/steps.ts";
import { type CutDocument, shortTitle } from "./embedded-texts.ts";
import { type IndexedDocument, NO_PIECE, numberCount, PIECE_NUMBERS, READINGS } from "./indexed-document.ts";
import type { Field } from "./postings/field.ts";

/** What a cut document is for the index: the terms of its ordinals, and the numbers of its passages, pieces and parts. */

/** What a word in the headings or the title counts for a passage, against one in its text. Multiples of a quarter. */
const HEADING_WEIGHT = 0.75;
const TITLE_WEIGHT = 1.5;

/** One list of fields for each wording, then for each passage. */
export function* fieldsOf(
  { cut, titles, wordings, plain }: CutDocument,
  analyzer: Analyzer,
  numbering: TermNumbering,
): Generator<readonly Field[], void> {
  const termsOf = (text: string): readonly number[] => appendTerms(text, analyzer, numbering, []);
  for (const wording of wordings) yield [{ terms: termsOf(searchedText(wording, "question")), weight: 1 }];
  const title = { terms: termsOf(shortTitle(titles[0] ?? "", searchedText)), weight: TITLE_WEIGHT };
  let above = "";
  let headings: Field = { terms: [], weight: HEADING_WEIGHT };
  for (const [i, passage] of cut.passages.entries()) {
    // Passages that follow each other mostly stand below the same.
    const own = passage.searchedHeadings.join("\n");
    if (own !== above) headings = { terms: termsOf(own), weight: HEADING_WEIGHT };
    above = own;
    yield [textField(cut.markdown, passage.pieces, plain[i] ?? [], analyzer, numbering), headings, title];
  }
}

/** So much of a document tells its language, in UTF-16 units. */
const SAMPLE_UNITS = 1_000;

/** The language that a document tells by itself; undefined where all have one. */
export function languageOfCut({ titles, plain }: CutDocument, { documents }: Analyzer): string | undefined {
  if (documents === undefined) return undefined;
  let sample = titles.join("\n").slice(0, SAMPLE_UNITS / 2);
  for (const pieces of plain) {
    for (const piece of pieces) {
      if (sample.length >= SAMPLE_UNITS) return documents.languageOf(sample.slice(0, SAMPLE_UNITS));
      sample += `\n${piece.slice(0, SAMPLE_UNITS)}`;
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
  pieces: readonly Piece[],
  plain: readonly string[],
  analyzer: Analyzer,
  numbering: TermNumbering,
): Field {
  const terms: number[] = [];
  const pieceStarts: number[] = [];
  for (const [i, { startOffset, endOffset, reading }] of pieces.entries()) {
    pieceStarts.push(terms.length);
    const text = searchedText(markdown.slice(startOffset, endOffset), reading, plain[i]);
    appendTerms(text, analyzer, numbering, terms);
  }
  return { terms, pieceStarts, weight: 1 };
}

function appendTerms(text: string, analyzer: Analyzer, numbering: TermNumbering, terms: number[]): readonly number[] {
  if (analyzer.number === undefined) for (const term of analyzer.terms(text)) terms.push(numbering.numberOf(term));
  else analyzer.number(text, numbering, terms);
  return terms;
}

/** Passages that are done in a step where each takes next to no time; counting takes even less. */
const STEP_PASSAGES = 256;
const STEP_COUNTED = 16_384;

/** Titles are read until so many UTF-16 units are in a step. An empty one takes the time of some. */
const STEP_UNITS = 8_192;
const TITLE_UNITS = 32;

/** The numbers of a document that do not depend on its place in the index. */
export type DocumentNumbers = Pick<IndexedDocument, "passageCount" | "numbers" | "hashes">;

export function* numbersInSteps(cut: CutDocument): Steps<DocumentNumbers> {
  const { titles, wordings, plain, parts, titlePart } = cut;
  const { passages } = cut.cut;
  const wholeParts = wordings.length + (titlePart === "" ? 0 : 1);
  const passageCount = passages.length;
  let [pieceCount, partCount] = [0, wholeParts];
  yield* inPortions(passageCount, STEP_COUNTED, (from, to) => {
    for (let i = from; i < to; i++) {
      pieceCount += passages[i]?.pieces.length ?? 0;
      partCount += parts[i]?.length ?? 0;
    }
  });
  yield;
  // Both in one buffer: each has some 200 bytes of its own, which is more than most lists of a short document hold.
  const hashBytes = 8 * (titles.length + pieceCount);
  const count = numberCount(passageCount, pieceCount, partCount);
  const buffer = new ArrayBuffer(hashBytes + 4 * count);
  const hashes = new Float64Array(buffer, 0, titles.length + pieceCount);
  const numbers = new Uint32Array(buffer, hashBytes, count);
  yield* hashTitles(titles, hashes);
  let [piece, at] = [0, passageCount + 1];
  for (let i = 0; i < passageCount; i++) {
    const pieces = passages[i]?.pieces ?? [];
    for (const [j, { startLine, stopLine, startOffset, endOffset, reading }] of pieces.entries()) {
      numbers[at] = startLine;
      numbers[at + 1] = stopLine;
      numbers[at + 2] = startOffset;
      numbers[at + 3] = endOffset;
      numbers[at + 4] = READINGS.indexOf(reading);
      at += PIECE_NUMBERS;
      hashes[titles.length + piece] = normalFormHash(normalFormOfPlain(plain[i]?.[j] ?? ""));
      piece++;
    }
    numbers[i + 1] = piece;
    yield;
  }
  const pieceOfPart = at + partCount;
  for (const i of wordings.keys()) numbers[at + i] = i;
  numbers.fill(NO_PIECE, pieceOfPart, pieceOfPart + wholeParts);
  let part = wholeParts;
  for (let i = 0; i < passageCount; i++) {
    for (const own of parts[i] ?? []) {
      numbers[at + part] = wordings.length + i;
      numbers[pieceOfPart + part] = (numbers[i] ?? 0) + own.piece;
      part++;
    }
    if (i % STEP_PASSAGES === 0) yield;
  }
  return { passageCount, numbers, hashes };
}

function* hashTitles(titles: readonly string[], hashes: Float64Array): Steps<void> {
  let units = 0;
  for (const [i, title] of titles.entries()) {
    hashes[i] = normalFormHash(normalForm(title));
    units += title.length + TITLE_UNITS;
    if (units < STEP_UNITS) continue;
    units = 0;
    yield;
  }
}
