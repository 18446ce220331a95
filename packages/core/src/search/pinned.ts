import type { IndexedDocument } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import type { AnalyzedQuery } from "./parsed-query.ts";
import type { FoundDocument } from "./retrieval.ts";

/** A document that the vocabulary pins to a question. */
interface PinnedDocument {
  readonly document: IndexedDocument;
  /** The pattern of the question. */
  readonly pinned: string;
}

/**
 * The documents that the vocabulary pins to a question, each once, in the order of the vocabulary. A pin has no effect if its document is unknown,
 * inactive, without text, or dropped by a filter, or if the question has no word.
 */
export function pinnedDocuments(
  index: SearchIndex,
  { pins, terms }: Pick<AnalyzedQuery, "pins" | "terms">,
  allowed: Allowed,
): readonly PinnedDocument[] {
  const pinned = new Map<string, PinnedDocument>();
  for (const { question, document: id } of terms.length === 0 ? [] : pins) {
    const document = index.documents.find(id);
    if (document === undefined || pinned.has(id)) continue;
    const isPinnable = document.passageCount > 0 && document.document.status === "active";
    if (isPinnable && allowed?.has(document.slot) !== false) pinned.set(id, { document, pinned: question });
  }
  return [...pinned.values()];
}

/**
 * Puts the documents that the vocabulary pins to a question before the documents that it found, see {@link pinnedDocuments}. The last ones make
 * room.
 */
export function withPinned(
  index: SearchIndex,
  query: Pick<AnalyzedQuery, "pins" | "terms">,
  allowed: Allowed,
  found: readonly FoundDocument[],
  count: number,
): readonly FoundDocument[] {
  const pinned = pinnedDocuments(index, query, allowed);
  if (pinned.length === 0) return found;
  const byDocument = new Map(found.map((each) => [each.document, each]));
  const first = pinned.map(({ document, pinned: question }): FoundDocument => {
    const bestOrdinal = byDocument.get(document)?.bestOrdinal ?? document.firstOrdinal + document.variantCount;
    byDocument.delete(document);
    return { document, bestOrdinal, pinned: question };
  });
  return [...first, ...byDocument.values()].slice(0, count);
}
