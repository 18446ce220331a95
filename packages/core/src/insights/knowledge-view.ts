import type { SearchableDocument } from "../model/types.ts";
import type { OperationMeter } from "../scheduling/time-slices.ts";

/** What insights read of an open bot. */
export interface KnowledgeView {
  /** Rises with each change of the bot's knowledge, also while it is read. */
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

/** Ids of all articles and imported documents. */
export function* allIds(view: KnowledgeView): Generator<string> {
  yield* view.articleIds();
  yield* view.documentIds();
}

/** A document that is compared with others. Undefined for an inactive one: the operator who set that status has decided about it. */
export function comparedDocument(view: KnowledgeView, id: string): SearchableDocument | undefined {
  const document = view.document(id);
  return document?.status === "inactive" ? undefined : document;
}

/** UTF-16 units that are read between two yields, and of all documents together. */
const [SLICE_UNITS, UNITS_MAX] = [4_096, 268_435_456];
/** The cost of a document or question apart from its text, in units. */
export const HEAD_UNITS = 64;

/** Counts the UTF-16 units that are read, over all texts: many short texts take as long as a long one. */
export class ReadUnits implements OperationMeter {
  #units = 0;
  #sinceYield = 0;

  shouldYield(units: number): boolean {
    this.#units += units;
    this.#sinceYield += units;
    if (this.#sinceYield < SLICE_UNITS) return false;
    this.#sinceYield = 0;
    return true;
  }

  /** Whether no further document is read. */
  get isOver(): boolean {
    return this.#units >= UNITS_MAX;
  }
}
