/** Where a suggested text stands: it is the title of a document, a question variant of a QNA, or a heading within a document. */
export type SuggestionKind = "title" | "question" | "heading";

/** A text that continues a prefix typed into a search box. */
export interface Suggestion {
  /** In one line. A title or question as it was given, a heading without marks of markdown. */
  readonly text: string;
  /** The document that has the text; of several the one with the smallest id. */
  readonly resourceDocId: string;
  readonly kind: SuggestionKind;
}

/** Options of a call for suggestions. */
export interface SuggestOptions {
  /** The most suggestions: 1 to 20, default 8. */
  readonly limit?: number;
  /** When it aborts, the call rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Suggestions for a request, and how far they may be behind other nodes. */
export interface SuggestAnswer {
  readonly suggestions: readonly Suggestion[];
  /** As in `SearchAnswer`. */
  readonly staleSeconds?: number;
}
