import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import type { WindowRange } from "../../index/token-codes/code-directory.ts";
import type { StoredVectors } from "../../log/vector-table.ts";
import { sameSpace, type VectorSpace } from "../../model/records.ts";
import type { SearchableDocument } from "../../model/types.ts";

/** A document's newest version, if that is the one that searches see. */
export interface IndexedVersion {
  readonly version: number;
  readonly document: SearchableDocument;
  /** The number of its embedding windows. */
  readonly windows: number;
  /** Its stored vectors, of any space. */
  readonly vectors: StoredVectors | undefined;
}

/** Whether a document lacks vectors of this space. While the space is unknown, vectors of any space count. */
export function lacksVectors(newest: IndexedVersion | undefined, space?: VectorSpace): boolean {
  return newest !== undefined && windowsWithout(newest, space ?? newest.vectors?.space) !== undefined;
}

/** The windows of a document that have no vectors of this space; undefined if all have. Without a space, none has. */
export function windowsWithout(newest: IndexedVersion, space: VectorSpace | undefined): WindowRange | undefined {
  const { vectors, windows } = newest;
  const from = vectors && space && isUsable(vectors, space) ? vectors.codes.length / space.dimensions : 0;
  return from >= windows ? undefined : { from, to: windows };
}

/** Whether stored vectors are of this space, and of embedding windows as this version cuts them. */
export function isUsable({ space, texts }: StoredVectors, wanted: VectorSpace): boolean {
  return texts === EMBEDDED_TEXTS_VERSION && sameSpace(space, wanted);
}
