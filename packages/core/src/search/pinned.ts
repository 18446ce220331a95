import type { IndexedDocument } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import type { AnalyzedQuery } from "./parsed-query.ts";
import type { FoundDocument } from "./retrieval.ts";

/**
 * The documents that the vocabulary pins to a question, in its order, each with the pattern that fits first.
 * A pin has no effect if its document is unknown, inactive, without text, or dropped by a filter.
 */
export function pinnedDocuments(
  index: SearchIndex,
  { pins }: Pick<AnalyzedQuery, "pins">,
  allowed: Allowed,
): ReadonlyMap<IndexedDocument, string> {
  const pinned = new Map<IndexedDocument, string>();
  for (const { question, document: id } of pins) {
    const document = index.documents.find(id);
    if (document === undefined || pinned.has(document)) continue;
    const isPinnable = document.passageCount > 0 && document.document.status === "active";
    if (isPinnable && allowed?.has(document.slot) !== false) pinned.set(document, question);
  }
  return pinned;
}

/** Puts the pinned documents of a question before the documents that it found. The last ones make room. */
export function withPinned(
  index: SearchIndex,
  query: Pick<AnalyzedQuery, "pins">,
  allowed: Allowed,
  found: readonly FoundDocument[],
  count: number,
): readonly FoundDocument[] {
  const pinned = pinnedDocuments(index, query, allowed);
  if (pinned.size === 0) return found;
  const byDocument = new Map(found.map((each) => [each.document, each]));
  const first = [...pinned].map(([document, question]): FoundDocument => {
    const bestOrdinal = byDocument.get(document)?.bestOrdinal ?? document.firstOrdinal + document.variantCount;
    return { document, bestOrdinal, pinned: question };
  });
  const others = found.filter(({ document }) => !pinned.has(document));
  return [...first, ...others].slice(0, count);
}
