import {
  fragmentAt,
  fragmentCountOf,
  fragmentsOfPassage,
  fragmentText,
  type IndexedDocument,
  isHeaderOfRows,
} from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Fragment } from "../markdown/passages.ts";
import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../model/limits.ts";
import type { TextPart } from "../model/types.ts";
import { type ScoredFragment, scoredFragments } from "./fragment-worths.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { type DocumentHits, type Hit, PASSAGES_QUOTED_MAX } from "./retrieval.ts";

/**
 * What is quoted of a document: at most three pieces of its best passages, best first, no two sharing a line.
 * A match of the title is carried by the best piece, or by the document's first if none matches. What is worth less than `least` is not looked at: by default what cannot be quoted.
 */
export function textParts(
  found: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least = leastQuoted(found),
): TextPart[] {
  const { document } = found;
  const titled = titleSimilarity(found);
  const windows: TextPart[] = [];
  for (const { fragment, similarity } of withoutHeaders(document, bestFragments(found, query, index, least))) {
    if (windows.length === TEXT_PARTS_MAX) break;
    const { startLine, stopLine } = fragmentAt(document, fragment);
    if (windows.some((window) => startLine <= window.stop && window.start <= stopLine)) continue;
    const carried = windows.length === 0 ? Math.max(similarity, titled) : similarity;
    windows.push({ text: fragmentText(document, fragment), similarity: carried, start: startLine, stop: stopLine });
  }
  return windows;
}

/**
 * The names of columns say nothing by themselves: their row is quoted where none of its table is, or where it is what was asked for. Else the best
 * row of the table has its similarity, by which documents are ordered: a row is found by the names of its columns as well.
 */
function withoutHeaders(document: IndexedDocument, scored: readonly ScoredFragment[]): readonly ScoredFragment[] {
  let shown = scored;
  for (const header of scored) {
    if (header.similarity > SIMILARITY_INEXACT_MAX || !isHeaderOfRows(document, header.fragment)) continue;
    const row = shown.find(({ fragment }) => isInTableOf(document, header.fragment, fragment));
    if (row === undefined) continue;
    const raised = { ...row, similarity: Math.max(row.similarity, header.similarity) };
    shown = shown.flatMap((each) => (each === header ? [] : [each === row ? raised : each]));
  }
  return shown === scored ? scored : [...shown].sort((a, b) => b.similarity - a.similarity);
}

/** Whether all lines from a header on to a piece are rows, a piece each, but for the dashes. */
function isInTableOf(document: IndexedDocument, header: number, fragment: number): boolean {
  return (
    fragment > header &&
    fragmentAt(document, fragment).startLine - fragmentAt(document, header).startLine === fragment - header + 1
  );
}

/** Pieces that may be shown, best first: those that equal the query, those of the best passages, and if there are none the first. */
function bestFragments(
  { document, passages, equal }: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least: number,
): readonly ScoredFragment[] {
  // Nothing is quoted before what equals the query.
  if (equal.fragments.length === TEXT_PARTS_MAX)
    return equal.fragments.map((fragment) => ({ fragment, similarity: 1 }));
  const scored: ScoredFragment[] = [];
  for (const hit of passages) {
    if (hit.similarity < least) break;
    const better = scored.filter(({ similarity }) => similarity >= hit.similarity);
    // No piece of a passage is better than the passage: what is better already leaves no room for it.
    if (better.length >= PASSAGES_QUOTED_MAX || (equal.fragments.length === 0 && areQuoted(document, better, hit)))
      break;
    scored.push(...scoredFragments(document, hit, query, index, least));
  }
  scored.sort(byWorth);
  if (equal.fragments.length === 0) return scored.length > 0 ? scored : [{ fragment: 0, similarity: 0 }];
  const exact = new Set(equal.fragments);
  const found = equal.fragments.map((fragment) => ({ fragment, similarity: 1 }));
  for (const each of scored) if (!exact.has(each.fragment)) found.push(each);
  return found;
}

function byWorth(a: ScoredFragment, b: ScoredFragment): number {
  return b.similarity - a.similarity || a.fragment - b.fragment;
}

/**
 * Whether as many of these pieces are quoted before any of a passage as there may be. Not known where names of columns are among them: a row of their table, which may
 * still come, is quoted for them.
 */
function areQuoted(document: IndexedDocument, fragments: ScoredFragment[], { similarity }: Hit): boolean {
  if (fragments.length < TEXT_PARTS_MAX) return false;
  const quoted: Lines[] = [];
  for (const each of fragments.sort(byWorth)) {
    if (each.similarity === similarity) break;
    if (isHeaderOfRows(document, each.fragment)) return false;
    const lines = fragmentAt(document, each.fragment);
    if (!quoted.some((other) => shareLine(lines, other))) quoted.push(lines);
  }
  return quoted.length >= TEXT_PARTS_MAX;
}

/**
 * No piece with less than this is quoted: as many passages as there may be quotes bring a piece that is as good, each in lines of its own. 0 where that is not known: names
 * of columns are not quoted themselves, and a line that goes over from one passage to the next is quoted once.
 */
function leastQuoted({ document, passages }: DocumentHits): number {
  const last = passages[TEXT_PARTS_MAX - 1];
  if (last === undefined) return 0;
  return passages.every(({ ordinal }) => hasItsOwnLines(document, ordinal)) ? last.similarity : 0;
}

/** Whether no piece of a passage shares a line with another passage, or is the names of columns. */
function hasItsOwnLines(document: IndexedDocument, ordinal: number): boolean {
  const [first, last] = fragmentsOfPassage(document, ordinal - document.firstOrdinal - document.variantCount);
  if (first > 0 && fragmentAt(document, first - 1).stopLine >= fragmentAt(document, first).startLine) return false;
  if (
    last < fragmentCountOf(document) &&
    fragmentAt(document, last).startLine <= fragmentAt(document, last - 1).stopLine
  )
    return false;
  for (let fragment = first; fragment < last; fragment++) if (isHeaderOfRows(document, fragment)) return false;
  return true;
}

type Lines = Pick<Fragment, "startLine" | "stopLine">;

function shareLine(a: Lines, b: Lines): boolean {
  return a.startLine <= b.stopLine && b.startLine <= a.stopLine;
}

/** How well the title, or the best of a QNA's wordings, matches; a title that is no wording counts only when it equals the query. */
function titleSimilarity({ variant, equal }: DocumentHits): number {
  return equal.title ? 1 : variant;
}
