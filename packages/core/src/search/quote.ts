import {
  fragmentAt,
  fragmentCountOf,
  fragmentsOfPassage,
  fragmentText,
  type IndexedDocument,
  isHeaderOfRows,
  passageOfFragment,
  pointedTo,
} from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Fragment } from "../markdown/passages.ts";
import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../model/limits.ts";
import type { TextPart } from "../model/types.ts";
import { type ScoredFragment, scoredFragments } from "./fragment-worths.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { type DocumentHits, type Hit, PASSAGES_QUOTED_MAX } from "./retrieval.ts";

/**
 * The quotes of a document: at most three fragments of its best passages, best first, no two sharing a line.
 * A fragment that only points to other text is not first if a quote of that text is at least half as good.
 * If the title matches better, the first fragment gets its similarity. If no fragment matches, the document's first is quoted.
 * @param least fragments below this similarity may be skipped; by default a bound below which nothing can be quoted
 */
export function quotesOf(
  found: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least = leastQuoted(found),
): ScoredFragment[] {
  const { document } = found;
  const titled = titleSimilarity(found);
  const quoted: ScoredFragment[] = [];
  for (const { fragment, similarity } of withoutHeaders(document, bestFragments(found, query, index, least))) {
    if (quoted.length === TEXT_PARTS_MAX) break;
    const lines = fragmentAt(document, fragment);
    if (quoted.some((other) => shareLine(lines, fragmentAt(document, other.fragment)))) continue;
    quoted.push({ fragment, similarity });
  }
  const [first, ...others] = pointerBehindText(document, quoted);
  return first === undefined ? [] : [{ ...first, similarity: Math.max(first.similarity, titled) }, ...others];
}

/** A quote of text takes the place of a pointer if its similarity is at least this share of the pointer's. */
const TEXT_SHARE_MIN = 0.5;

/**
 * If the first quote only points to other text, puts the best quote of that text before it. That quote gets the first one's similarity, by which
 * documents are ordered. A quote that equals the question stays first.
 */
function pointerBehindText(document: IndexedDocument, quoted: readonly ScoredFragment[]): readonly ScoredFragment[] {
  const [pointer, ...others] = quoted;
  if (pointer === undefined || others.length === 0 || pointer.similarity > SIMILARITY_INEXACT_MAX) return quoted;
  const target = pointedTo(document, pointer.fragment);
  if (target === undefined) return quoted;
  const passage = passageOfFragment(document, pointer.fragment);
  const text = others.find(
    ({ fragment, similarity }) =>
      similarity >= pointer.similarity * TEXT_SHARE_MIN &&
      (target === "document" || passageOfFragment(document, fragment) === passage) &&
      pointedTo(document, fragment) === undefined,
  );
  if (text === undefined) return quoted;
  return [{ ...text, similarity: pointer.similarity }, pointer, ...others.filter((other) => other !== text)];
}

/** The quotes of a document as a result has them. */
export function textParts(
  found: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least = leastQuoted(found),
): TextPart[] {
  return quotesOf(found, query, index, least).map((quote) => textPartOf(found.document, quote));
}

export function textPartOf(document: IndexedDocument, { fragment, similarity }: ScoredFragment): TextPart {
  const { startLine, stopLine } = fragmentAt(document, fragment);
  return { text: fragmentText(document, fragment), similarity, start: startLine, stop: stopLine };
}

/**
 * Replaces a table's header by the table's best row, which gets the header's similarity if that is higher.
 * A row is found by the names of its columns as well, and documents are ordered by this similarity.
 * The header itself is quoted only if it equals the question, or if no row of its table was found.
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

/** True if all lines from a header to a fragment are rows of one table: one fragment each, except the line of dashes. */
function isInTableOf(document: IndexedDocument, header: number, fragment: number): boolean {
  return (
    fragment > header &&
    fragmentAt(document, fragment).startLine - fragmentAt(document, header).startLine === fragment - header + 1
  );
}

/**
 * The fragments that may be quoted, best first: those that equal the question and those of the best passages.
 * If there are none, it is the document's first fragment.
 */
function bestFragments(
  { document, passages, equal }: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least: number,
): readonly ScoredFragment[] {
  // Nothing is quoted before fragments that equal the question.
  if (equal.fragments.length === TEXT_PARTS_MAX)
    return equal.fragments.map((fragment) => ({ fragment, similarity: 1 }));
  const scored: ScoredFragment[] = [];
  for (const hit of passages) {
    if (hit.similarity < least) break;
    const better = scored.filter(({ similarity }) => similarity >= hit.similarity);
    // No fragment is better than its passage. So better fragments may already fill all quotes.
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
 * True if better fragments already fill all quotes before any fragment of a passage.
 * False if a table's header is among them: a row of its table, which may still come, is quoted in its place.
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
 * The similarity below which no fragment is quoted: that of the third passage, as each passage has a fragment as good as itself on its own lines.
 * It is 0 if there are fewer passages, or if one shares a line with another passage. It is 0 as well if one has a table's header, which is not quoted itself.
 */
function leastQuoted({ document, passages }: DocumentHits): number {
  const last = passages[TEXT_PARTS_MAX - 1];
  if (last === undefined) return 0;
  return passages.every(({ ordinal }) => hasItsOwnLines(document, ordinal)) ? last.similarity : 0;
}

/** True if a passage shares no line with another passage, and has no table header. */
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

/** The similarity of the title or of the best question variant; 1 if the document is pinned to the question. A title that is no question variant counts only if it equals the question. */
function titleSimilarity({ variant, equal, pinned }: DocumentHits): number {
  return equal.title || pinned !== undefined ? 1 : variant;
}
