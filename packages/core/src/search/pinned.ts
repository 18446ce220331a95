import type { SearchIndex } from "../index/search-index.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import type { AnalyzedQuery } from "./parsed-query.ts";
import type { FoundDocument } from "./retrieval.ts";

/**
 * Puts the documents that the vocabulary pins to a question before the documents that it found, in the order of the vocabulary. The last ones make room.
 * A pin has no effect if its document is unknown, inactive, without text, or dropped by a filter.
 */
export function withPinned(
  index: SearchIndex,
  { pins }: Pick<AnalyzedQuery, "pins">,
  allowed: Allowed,
  found: readonly FoundDocument[],
  count: number,
): readonly FoundDocument[] {
  if (pins.length === 0) return found;
  const byDocument = new Map(found.map((each) => [each.document, each]));
  const pinned = new Map<string, FoundDocument>();
  for (const { question, document: id } of pins) {
    const document = index.documents.find(id);
    if (document === undefined || pinned.has(id)) continue;
    const isPinnable = document.passageCount > 0 && document.document.status === "active";
    if (!isPinnable || allowed?.has(document.slot) === false) continue;
    const bestOrdinal = byDocument.get(document)?.bestOrdinal ?? document.firstOrdinal + document.variantCount;
    pinned.set(id, { document, bestOrdinal, pinned: question });
  }
  const others = found.filter(({ document }) => !pinned.has(document.document.id));
  return [...pinned.values(), ...others].slice(0, count);
}
