import type { SearchableDocument } from "../model/types.ts";

/** What insights read of an open bot. */
export interface KnowledgeView {
  /** Rises with each change of the bot's knowledge. */
  readonly version: number;
  /** The vector of a text by the bot's static embedder: int8 codes. Undefined without one. */
  readonly encode: ((text: string) => Int8Array | undefined) | undefined;
  /** The terms of a question, repeated ones included. */
  terms(question: string): readonly string[];
  /** The weight of a term in a question, above 0 and at most 1. */
  shareOf(term: string): number;
  /** A document that searches may find; undefined if there is none. */
  document(id: string): SearchableDocument | undefined;
  /** Ids of all articles, the oldest first, and of all imported documents. */
  articleIds(): Iterable<string>;
  documentIds(): Iterable<string>;
}

/** The title of a document, at most 200 characters of it; undefined if it has none or is not there any more. */
export function titleOf(view: Pick<KnowledgeView, "document">, id: string): string | undefined {
  const [title] = view.document(id)?.titles ?? [];
  return title === undefined || title === "" ? undefined : title.slice(0, TITLE_UNITS_MAX);
}

const TITLE_UNITS_MAX = 200;
