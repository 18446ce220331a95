import { FIRST_VECTORS_SECTION } from "../../model/derived-sections.ts";
import { isCount } from "../../model/validation.ts";
import { bytePieces, entriesOf, entryHead } from "../../platform/section-entries.ts";
import { inSlices, SLICING, type Slicing } from "../../scheduling/lanes.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { LoadedSection, SnapshotSection } from "../../storage/store.ts";
import type { IndexedDocument } from "../indexed-document.ts";
import type { SearchIndex } from "../search-index.ts";

/**
 * The static embedder's vectors in a snapshot, so that a start does not make them all again: for each document that has any an entry with its
 * id and version, its first part that has one, who made them, and the codes of that part and all after it. They are derived: whatever
 * is missing, or was made by another static embedder, is made anew.
 */
const VERSION = 1;

/** Vectors of one version of a document. */
export interface SavedVectors {
  readonly version: number;
  /** The part that the first of them belongs to. */
  readonly first: number;
  /** Who made them, of what texts; see {@link WindowVectors.use}. */
  readonly by: string;
  readonly codes: Int8Array;
}

/**
 * Each document's are taken when it is their turn, and only if it still has the version that it has now. So nothing is copied that is not
 * written next, and what the embedder has made meanwhile is left out.
 */
export function firstVectorsSection(index: SearchIndex, slicing: Slicing = SLICING): SnapshotSection {
  const documents = [...index.documents];
  const chunks = inSlices(entries(index, documents), slicing);
  return { name: FIRST_VECTORS_SECTION, version: VERSION, chunks, isDerived: true };
}

function* entries(index: SearchIndex, documents: readonly IndexedDocument[]): Generator<Uint8Array, void> {
  for (const indexed of documents) {
    const { version, document } = indexed;
    const steps = index.windowVectors.firstOf(indexed);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield COPIED;
    if (step.value === undefined) continue;
    const { first, by, codes } = step.value;
    yield entryHead({ id: document.id, version, first, by }, codes.length);
    yield* bytePieces(codes);
  }
}

/** Some vectors have been copied: it took as long as a slice. */
const COPIED = new Uint8Array(0);

/** By document, in steps; none if the snapshot has none that this version of Loredex reads. @throws RangeError or SyntaxError if they make no sense */
export function* savedVectors(section: LoadedSection | undefined): Sliced<ReadonlyMap<string, SavedVectors>> {
  const saved = new Map<string, SavedVectors>();
  if (section?.version !== VERSION) return saved;
  for (const { meta, bytes } of entriesOf(section.bytes)) {
    if (!isMeta(meta)) throw new RangeError("The snapshot has first vectors of no document.");
    const { id, version, first, by } = meta;
    saved.set(id, { version, first, by, codes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) });
    yield;
  }
  return saved;
}

function isMeta(value: unknown): value is { id: string } & Omit<SavedVectors, "codes"> {
  if (typeof value !== "object" || value === null) return false;
  return (
    "id" in value &&
    typeof value.id === "string" &&
    "by" in value &&
    typeof value.by === "string" &&
    "version" in value &&
    isCount(value.version) &&
    "first" in value &&
    isCount(value.first)
  );
}
