import type { Field } from "../lexical/lexical-index.ts";
import { normalForm, normalFormHash, normalFormOfPlain } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Steps } from "../runtime/steps.ts";
import type { Analyzer } from "../text/analyzer.ts";
import { type CutDocument, shortTitle } from "./embedded-texts.ts";
import { type IndexedDocument, NO_PIECE, PIECE_NUMBERS, READINGS } from "./indexed-document.ts";

/** What a cut document is for the index: the terms of its ordinals, and the numbers of its passages, pieces and parts. */

/** What a word in the headings or the title counts for a passage, against one in its text. Multiples of a quarter. */
const HEADING_WEIGHT = 0.75;
const TITLE_WEIGHT = 1.5;

/** One list of fields for each wording, then for each passage. */
export function* fieldsOf(
  { cut, titles, wordings, plain }: CutDocument,
  analyzer: Analyzer,
): Generator<readonly Field[], void> {
  for (const wording of wordings) yield [{ terms: analyzer.terms(plainText(wording, "question")), weight: 1 }];
  const titleTerms = analyzer.terms(shortTitle(titles[0] ?? ""));
  for (const [i, passage] of cut.passages.entries()) {
    yield [
      textField(plain[i] ?? [], analyzer),
      { terms: analyzer.terms(passage.headings.join("\n")), weight: HEADING_WEIGHT },
      { terms: titleTerms, weight: TITLE_WEIGHT },
    ];
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
function textField(pieces: readonly string[], analyzer: Analyzer): Field {
  const terms: string[] = [];
  const pieceStarts: number[] = [];
  for (const piece of pieces) {
    pieceStarts.push(terms.length);
    for (const term of analyzer.terms(piece)) terms.push(term);
  }
  return { terms, pieceStarts, weight: 1 };
}

/** Passages that take next to no time are done so many at a time. */
const STEP_PASSAGES = 256;

/** Titles are read until so many UTF-16 units are in a step. An empty one takes the time of some. */
const STEP_UNITS = 8_192;
const TITLE_UNITS = 32;

/** The numbers of a document that do not depend on its place in the index. */
export type DocumentNumbers = Pick<
  IndexedDocument,
  "passageStarts" | "spans" | "hashes" | "partOrdinals" | "partPieces"
>;

export function* numbersInSteps({
  cut,
  titles,
  wordings,
  plain,
  parts,
  titlePart,
}: CutDocument): Steps<DocumentNumbers> {
  const passageStarts = new Uint32Array(cut.passages.length + 1);
  for (const [i, { pieces }] of cut.passages.entries()) passageStarts[i + 1] = (passageStarts[i] ?? 0) + pieces.length;
  const pieceCount = passageStarts[cut.passages.length] ?? 0;
  const spans = new Uint32Array(pieceCount * PIECE_NUMBERS);
  const hashes = new Float64Array(titles.length + pieceCount);
  let units = 0;
  for (const [i, title] of titles.entries()) {
    hashes[i] = normalFormHash(normalForm(title));
    units += title.length + TITLE_UNITS;
    if (units < STEP_UNITS) continue;
    units = 0;
    yield;
  }
  let piece = 0;
  for (const [i, { pieces }] of cut.passages.entries()) {
    for (const [j, { startLine, stopLine, startOffset, endOffset, reading }] of pieces.entries()) {
      const span = [startLine, stopLine, startOffset, endOffset, READINGS.indexOf(reading)];
      spans.set(span, piece * PIECE_NUMBERS);
      hashes[titles.length + piece] = normalFormHash(normalFormOfPlain(plain[i]?.[j] ?? ""));
      piece++;
    }
    yield;
  }
  const partOrdinals = wordings.map((_, i) => i);
  if (titlePart !== "") partOrdinals.push(0);
  const partPieces: number[] = partOrdinals.map(() => NO_PIECE);
  for (const [i, own] of parts.entries()) {
    for (const part of own) {
      partOrdinals.push(wordings.length + i);
      partPieces.push((passageStarts[i] ?? 0) + part.piece);
    }
    if (i % STEP_PASSAGES === 0) yield;
  }
  return {
    passageStarts,
    spans,
    hashes,
    partOrdinals: new Uint32Array(partOrdinals),
    partPieces: new Uint32Array(partPieces),
  };
}
