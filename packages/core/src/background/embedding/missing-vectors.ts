import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { WindowRange } from "../../index/token-codes/code-directory.ts";
import type { BotState } from "../../log/state.ts";
import type { StoredVectors } from "../../log/vector-table.ts";
import { sameSpace, type VectorSpace } from "../../model/records.ts";
import type { SearchableDocument } from "../../model/types.ts";

/** A document's newest version, if that is the one that searches see. */
export interface IndexedVersion {
  readonly version: number;
  readonly document: SearchableDocument;
  /** The number of its embedding windows. */
  readonly windows: number;
  /** Its stored vectors, of whatever space. */
  readonly vectors: StoredVectors | undefined;
}

/** The newest version of a document in the state; undefined if there is none that searches may see. */
export type NewestDocument = (id: string) => Pick<IndexedVersion, "version" | "document"> | undefined;

/** A document's newest version, if that is the one that searches see. */
export function indexedVersion(
  id: string,
  { state, index, newest }: { readonly state: BotState; readonly index: SearchIndex; readonly newest: NewestDocument },
): IndexedVersion | undefined {
  const found = newest(id);
  if (found === undefined || index.versionOf(id) !== found.version) return undefined;
  return { ...found, windows: index.windowsOf(id), vectors: state.vectors.get(id) };
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
