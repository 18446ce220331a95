import type { Embedder } from "../../embedding/embedder.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { BotState } from "../../log/state.ts";
import type { SearchableDocument } from "../../model/types.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { type IndexedVersion, isUsable } from "./embedding-jobs.ts";

/** The newest version of a document in the state; undefined if there is none that searches may see. */
export type NewestDocument = (
  id: string,
) => { readonly version: number; readonly document: SearchableDocument } | undefined;

export interface MissingVectorsDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
}

/** Finds the documents visible to searches that lack some of the embedder's vectors. */
export class MissingVectors {
  readonly #deps: MissingVectorsDeps;

  constructor(deps: MissingVectorsDeps) {
    this.#deps = deps;
  }

  /** A document's newest version, if that is the one that searches see. */
  newestIndexed(id: string): IndexedVersion | undefined {
    const { state, index, newest } = this.#deps;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return undefined;
    return { ...found, windows: index.windowsOf(id), vectors: state.vectors.get(id) };
  }

  /** Whether a document lacks vectors. While the embedder is unknown, vectors of any space count. */
  lacks(id: string, embedder?: Embedder): boolean {
    const newest = this.newestIndexed(id);
    if (newest === undefined || newest.windows === 0) return false;
    const { vectors } = newest;
    if (vectors === undefined || vectors.codes.length < newest.windows * vectors.space.dimensions) return true;
    return embedder === undefined ? vectors.texts !== EMBEDDED_TEXTS_VERSION : !isUsable(vectors, embedder);
  }

  /** Calls `found` for every document that {@link lacks} vectors, and `others` for every other one. */
  *each(found: (id: string) => void, others: (id: string) => void, embedder?: Embedder): Sliced<void> {
    for (const { document } of this.#deps.index.documents) {
      if (this.lacks(document.id, embedder)) found(document.id);
      else others(document.id);
      yield;
    }
  }
}
