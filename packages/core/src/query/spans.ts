import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../domain/limits.ts";
import type { TextPart } from "../domain/types.ts";
import { PIECES_MARKED_MAX } from "../lexical/occurrences.ts";
import type { Analyzer } from "../text/analyzer.ts";
import { analyzerIn } from "./document-fields.ts";
import { type DenseQuery, fusedSimilarity } from "./fusion.ts";
import {
  type IndexedDocument,
  isHeaderOfRows,
  pieceAt,
  piecesOfPassage,
  pieceText,
  plainPiece,
} from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { DocumentHits, Hit } from "./retrieval.ts";
import type { SearchIndex } from "./search-index.ts";

/** A piece with the similarity that it is shown with. */
interface ScoredPiece {
  readonly piece: number;
  readonly similarity: number;
}

/**
 * What is quoted of a document: at most three pieces of its best passages, best first, no two sharing a line.
 * A match of the title is carried by the best piece, or by the document's first if none matches.
 */
export function textParts(found: DocumentHits, query: ParsedQuery, index: SearchIndex): TextPart[] {
  const { document } = found;
  const titled = titleSimilarity(found);
  const parts: TextPart[] = [];
  for (const { piece, similarity } of withoutHeaders(found, bestPieces(found, query, index))) {
    if (parts.length === TEXT_PARTS_MAX) break;
    const { startLine, stopLine } = pieceAt(document, piece);
    if (parts.some((part) => startLine <= part.stop && part.start <= stopLine)) continue;
    const carried = parts.length === 0 ? Math.max(similarity, titled) : similarity;
    parts.push({ text: pieceText(document, piece), similarity: carried, start: startLine, stop: stopLine });
  }
  return parts;
}

/**
 * The names of columns say nothing by themselves: their row is quoted where none of its table is, or where it is what was asked for. Else the best
 * row of the table has its similarity, by which documents are ordered: a row is found by the names of its columns as well.
 */
function withoutHeaders({ document, equal }: DocumentHits, scored: readonly ScoredPiece[]): readonly ScoredPiece[] {
  const exact = new Set(equal.pieces);
  let shown = scored;
  for (const header of scored) {
    if (exact.has(header.piece) || !isHeaderOfRows(document, header.piece)) continue;
    const row = shown.find(({ piece }) => isInTableOf(document, header.piece, piece));
    if (row === undefined) continue;
    const raised = { ...row, similarity: Math.max(row.similarity, header.similarity) };
    shown = shown.flatMap((each) => (each === header ? [] : [each === row ? raised : each]));
  }
  return shown === scored ? scored : [...shown].sort((a, b) => b.similarity - a.similarity);
}

/** Whether all lines from a header on to a piece are rows, a piece each, but for the dashes. */
function isInTableOf(document: IndexedDocument, header: number, piece: number): boolean {
  return (
    piece > header && pieceAt(document, piece).startLine - pieceAt(document, header).startLine === piece - header + 1
  );
}

/** Pieces that may be shown, best first: those that equal the query, those of the hits, and if there are none the first. */
function bestPieces({ document, hits, equal }: DocumentHits, query: ParsedQuery, index: SearchIndex): ScoredPiece[] {
  const scored: ScoredPiece[] = [];
  const firstPassage = document.firstOrdinal + document.wordingCount;
  const passages = hits.filter(({ ordinal }) => ordinal >= firstPassage).sort(bySimilarity);
  for (const hit of passages) {
    // No piece of a passage is better than the passage: what is better already leaves no room for it.
    const isDecided = scored.filter((better) => better.similarity >= hit.similarity).length >= PIECES_CONSIDERED;
    if (isDecided) break;
    scored.push(...piecesOf(document, hit, query, index));
  }
  scored.sort((a, b) => b.similarity - a.similarity || a.piece - b.piece);
  const exact = new Set(equal.pieces);
  const found = equal.pieces.map((piece) => ({ piece, similarity: 1 }));
  for (const each of scored) if (!exact.has(each.piece)) found.push(each);
  return found.length > 0 ? found : [{ piece: 0, similarity: 0 }];
}

/** Pieces of one long line share it: a few more than three are looked at, so that three parts can be found. */
const PIECES_CONSIDERED = TEXT_PARTS_MAX * 2;

/**
 * The pieces of a passage that hold any of the query, or come close to it in meaning. The one with most of both has the
 * passage's similarity, the others their share of that.
 */
function piecesOf(document: IndexedDocument, hit: Hit, query: ParsedQuery, index: SearchIndex): ScoredPiece[] {
  const { ordinal, similarity } = hit;
  const inexact = Math.min(similarity, SIMILARITY_INEXACT_MAX);
  const [first, last] = piecesOfPassage(document, ordinal - document.firstOrdinal - document.wordingCount);
  if (last - first === 1) return [{ piece: first, similarity: inexact }];
  const worths = pieceWorths(document, hit, first, last, query, index);
  const highest = Math.max(...worths);
  // A passage can be found by its headings alone.
  if (highest === 0) return [{ piece: first, similarity: inexact }];
  // Divided first, so that the best piece has the passage's similarity to the last bit: documents are ordered by it.
  return worths.flatMap((worth, i) =>
    worth === 0 ? [] : [{ piece: first + i, similarity: inexact * (worth / highest) }],
  );
}

/** What each piece is worth by itself: its share of the passage's words, and how close a part of it comes in meaning. */
function pieceWorths(
  document: IndexedDocument,
  { ordinal, words }: Hit,
  first: number,
  last: number,
  query: ParsedQuery,
  index: SearchIndex,
): number[] {
  const weights =
    last - first <= PIECES_MARKED_MAX
      ? [...index.lexical.pieceWeights(query.lexical, ordinal, last - first)]
      : readWeights(document, first, last, query, analyzerIn(document.language, index.analyzer));
  const { dense } = query;
  if (dense === undefined) return weights;
  const highest = Math.max(...weights);
  const cosines = index.partVectors.pieceCosines(dense.vector, document, ordinal, first, last);
  lowerFarther(cosines, dense, (i) => plainPiece(document, first + i));
  return weights.map((weight, i) => {
    const share = highest === 0 ? 0 : words * (weight / highest);
    return fusedSimilarity(share, cosines[i] ?? -1, dense);
  });
}

/**
 * Pieces that have one vector together have one cosine: the nearest of them keeps it, the others lose as much as they are
 * farther away by themselves.
 */
function lowerFarther(cosines: number[], { cosineOfShort }: DenseQuery, textOf: (i: number) => string): void {
  if (cosineOfShort === undefined) return;
  for (let start = 0; start < cosines.length; ) {
    let end = start + 1;
    while (end < cosines.length && cosines[end] === cosines[start]) end++;
    if (end - start > 1) {
      const own = cosines.slice(start, end).map((_, i) => cosineOfShort(textOf(start + i)));
      const nearest = Math.max(...own.map((cosine) => cosine ?? -1));
      for (const [i, cosine = nearest] of own.entries())
        cosines[start + i] = (cosines[start + i] ?? -1) - (nearest - cosine);
    }
    start = end;
  }
}

/** What each piece holds of the query, read from its text: for a passage of more pieces than the index marks. */
function readWeights(
  document: IndexedDocument,
  first: number,
  last: number,
  query: ParsedQuery,
  analyzer: Analyzer,
): number[] {
  const weights: number[] = [];
  for (let piece = first; piece < last; piece++) {
    const held = new Set(analyzer.terms(plainPiece(document, piece)));
    let weight = 0;
    for (const [term, worth] of query.termWeights) if (held.has(term)) weight += worth;
    weights.push(weight);
  }
  return weights;
}

/** How well the title, or the best of a QNA's wordings, matches; a title that is no wording counts only when it equals the query. */
function titleSimilarity({ document, hits, equal }: DocumentHits): number {
  if (equal.title) return 1;
  const end = document.firstOrdinal + document.wordingCount;
  let best = 0;
  for (const { ordinal, similarity } of hits) if (ordinal < end && similarity > best) best = similarity;
  return best;
}

function bySimilarity(a: Hit, b: Hit): number {
  return b.similarity - a.similarity || a.ordinal - b.ordinal;
}
