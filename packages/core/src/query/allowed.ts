import type { SearchableDocument } from "../types.ts";
import { matches } from "./filters.ts";
import type { SearchRequest } from "./request.ts";

/** Tells which documents a search may return; undefined if it may return all. */
export type Allowed = ((document: SearchableDocument) => boolean) | undefined;

/** The documents that a request's filters and switches allow. */
export function allowedBy(request: SearchRequest): Allowed {
  const filters = Object.entries(request.filters);
  if (filters.length === 0 && request.includeFaqs && !request.onlyActiveIntents) return undefined;
  return (document) => {
    if (document.type === "QNA") {
      if (!request.includeFaqs) return false;
      if (request.onlyActiveIntents && document.status !== "active") return false;
    }
    return filters.every(([field, wanted]) => matches(document, field, wanted));
  };
}
