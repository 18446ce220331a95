import { FIRST_VECTORS_SECTION } from "../../model/derived-sections.ts";
import { isCount } from "../../model/validation.ts";
import { bytePieces, entriesOf, entryHead } from "../../platform/section-entries.ts";
import { inSlices, SLICING, type Slicing } from "../../scheduling/in-slices.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { LoadedSection, SnapshotSection } from "../../storage/store.ts";
import type { IndexedDocument } from "../indexed-document.ts";
import type { SearchIndex } from "../search-index.ts";

/**
 * Version of the section that keeps the static embedder's vectors, so that a start does not make them again.
 *
 * The section has an entry for each document with such vectors: its id and version, its first window that has one, their maker, and the codes of
 * that window and all after it. Vectors that are missing, or that another static embedder made, are made again.
 */
const VERSION = 1;

/** First vectors of one version of a document. */
export interface SavedVectors {
  readonly version: number;
  /** The window that the first of them belongs to. */
  readonly first: number;
  /** The maker of the vectors, and of its texts; see {@link WindowVectors.use}. */
  readonly by: string;
  readonly codes: Int8Array;
}

/**
 * The section of first vectors, encoded while it is written. A document's vectors are copied just before they are written, and only if it still has
 * its present version. Vectors that the embedder has made meanwhile are left out.
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

/** An empty chunk, in place of some copied vectors: the copy took as long as a slice. */
const COPIED = new Uint8Array(0);

/**
 * Reads the section of first vectors as sliced work: by document id. Empty if the snapshot has no section of this version.
 * @throws RangeError or SyntaxError if the section makes no sense
 */
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
