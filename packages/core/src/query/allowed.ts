import type { Drop } from "../domain/explanation.ts";
import type { FilterValue, JsonValue, SearchableDocument } from "../domain/types.ts";
import { fieldOf, matches } from "./filters.ts";
import type { SearchRequest } from "./request.ts";

/** Tells which documents a search may return; undefined if it may return all. */
export type Allowed = ((document: SearchableDocument) => boolean) | undefined;

/** The documents that a request's filters and switches allow. */
export function allowedBy(request: SearchRequest): Allowed {
  const rules = rulesOf(request);
  return rules.length === 0 ? undefined : (document) => rules.every(({ allows }) => allows(document));
}

/** The filters and switches of a request that drop a document. */
export function droppedBy(request: SearchRequest, document: SearchableDocument): Drop[] {
  const broken = rulesOf(request).filter(({ allows }) => !allows(document));
  return broken.map(({ field, wanted, found }) => {
    const value = found(document);
    return { field, wanted, ...(value === undefined ? {} : { found: value }) };
  });
}

interface Rule {
  /** As the request names it. */
  readonly field: string;
  readonly wanted: FilterValue;
  readonly allows: (document: SearchableDocument) => boolean;
  /** What the document has there. */
  readonly found: (document: SearchableDocument) => JsonValue | undefined;
}

function rulesOf({ filters, includeFaqs, onlyActiveIntents }: SearchRequest): Rule[] {
  const rules: Rule[] = [];
  if (!includeFaqs) {
    const allows = ({ type }: SearchableDocument): boolean => type !== "QNA";
    rules.push({ field: "options.includeFaqs", wanted: false, allows, found: ({ type }) => type });
  }
  if (onlyActiveIntents) {
    const allows = ({ type, status }: SearchableDocument): boolean => type !== "QNA" || status === "active";
    rules.push({ field: "options.onlyActiveIntents", wanted: true, allows, found: ({ status }) => status });
  }
  for (const [field, wanted] of Object.entries(filters)) {
    const allows = (document: SearchableDocument): boolean => matches(document, field, wanted);
    rules.push({ field: `filters.${field}`, wanted, allows, found: (document) => fieldOf(document, field) });
  }
  return rules;
}
