import { setImmediate } from "node:timers/promises";
import type { VectorSpace } from "../domain/records.ts";
import type { StudentEncoder } from "../embedding/embedder.ts";
import { type CutDocument, EMBEDDED_TEXTS_VERSION, embeddedTexts } from "../query/embedded-texts.ts";
import type { SavedVectors } from "../query/first-vectors.ts";
import type { SearchIndex } from "../query/search-index.ts";
import type { Clock } from "../runtime/clock.ts";
import { encodeVector } from "../vector/codes.ts";
import type { GraphUpkeep } from "./graph-upkeep.ts";
import type { NewestDocument } from "./missing-vectors.ts";

/** The student's vectors that the last snapshot had, by document. */
export type SavedByDocument = ReadonlyMap<string, SavedVectors>;

export const NOTHING_SAVED: SavedByDocument = new Map();

export interface StudentVectorsParts {
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
  readonly clock: Clock;
  readonly graph: GraphUpkeep;
}

/** The student works this long before others get their turn. */
const FILL_SLICE_MS = 8;

/** Gives the texts of a bot the vectors of a student, until those of its teacher come. */
export class StudentVectors {
  readonly space: VectorSpace;
  /** Names the student and the texts that it reads. */
  readonly by: string;
  readonly #student: StudentEncoder;
  readonly #parts: StudentVectorsParts;

  constructor(student: StudentEncoder, parts: StudentVectorsParts) {
    const { id, version, space } = student;
    this.space = space;
    this.by = JSON.stringify([id, version, space.id, space.version, space.dimensions, EMBEDDED_TEXTS_VERSION]);
    this.#student = student;
    this.#parts = parts;
  }

  /** What has no vector of any document gets one, for as long as they are wanted: a saved one, or a new one. */
  async giveAll(saved: SavedByDocument, isWanted: () => boolean): Promise<void> {
    const { index, clock } = this.#parts;
    let end = clock.monotonicMs() + FILL_SLICE_MS;
    for (const { document } of [...index.documents]) {
      this.give(document.id, { saved: saved.get(document.id) });
      if (clock.monotonicMs() < end) continue;
      await setImmediate();
      if (!isWanted()) return;
      end = clock.monotonicMs() + FILL_SLICE_MS;
    }
  }

  /** What has no vector of a document gets one. `cut` is the document as it was cut for the index, if it is at hand. */
  give(id: string, { cut, saved }: { cut?: CutDocument; saved?: SavedVectors | undefined } = {}): void {
    const { index, newest, graph } = this.#parts;
    if (!index.partVectors.areMissing(id)) return;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return;
    const savedOf = this.#fitting(saved, id, found.version);
    let texts: readonly string[] | undefined;
    const count = index.partVectors.setFirst(id, (part) => {
      const codes = savedOf?.(part);
      if (codes !== undefined) return codes;
      texts ??= embeddedTexts(found.document, cut);
      return encodeVector(this.#student.embed(texts[part] ?? ""));
    });
    graph.add(count);
  }

  /** The codes of a part that a snapshot had, if this student made them of this version's texts. */
  #fitting(
    saved: SavedVectors | undefined,
    id: string,
    version: number,
  ): ((part: number) => Int8Array | undefined) | undefined {
    const { index } = this.#parts;
    if (saved === undefined || saved.version !== version || saved.by !== this.by) return undefined;
    const { first, codes } = saved;
    const { dimensions } = this.space;
    if (codes.length !== (index.partsOf(id) - first) * dimensions) return undefined;
    return (part) =>
      part < first ? undefined : codes.subarray((part - first) * dimensions, (part - first + 1) * dimensions);
  }
}
