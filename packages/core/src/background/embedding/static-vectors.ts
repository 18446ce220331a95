import type { CarefulStudent } from "../../embedding/careful-student.ts";
import { type CutDocument, cutInSteps, EMBEDDED_TEXTS_VERSION, embeddedTexts } from "../../index/embedded-texts.ts";
import type { IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { SavedVectors } from "../../index/snapshot/first-vectors.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import type { VectorSpace } from "../../model/records.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Steps, Turns } from "../../scheduling/steps.ts";
import type { GraphUpkeep } from "../graph-builder.ts";
import type { NewestDocument } from "./missing-vectors.ts";

/** The student's vectors that the last snapshot had, by document. */
export type SavedByDocument = ReadonlyMap<string, SavedVectors>;

export const NOTHING_SAVED: SavedByDocument = new Map();

export interface StudentVectorsDeps {
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
  readonly clock: Clock;
  readonly graph: GraphUpkeep;
}

/** Gives the texts of a bot the vectors of a student, until those of its teacher come. */
export class StudentVectors {
  readonly space: VectorSpace;
  /** Names the student and the texts that it reads. */
  readonly by: string;
  readonly #student: CarefulStudent;
  readonly #deps: StudentVectorsDeps;

  constructor(student: CarefulStudent, deps: StudentVectorsDeps) {
    const { id, version, space } = student;
    this.space = space;
    this.by = JSON.stringify([id, version, space.id, space.version, space.dimensions, EMBEDDED_TEXTS_VERSION]);
    this.#student = student;
    this.#deps = deps;
  }

  /** The vector of a text; undefined if the student has none. */
  readonly encode = (text: string): Int8Array | undefined => {
    const vector = this.#student.embed(text);
    return vector === undefined ? undefined : encodeVector(vector);
  };

  /** What has no vector of any document gets one, for as long as they are wanted: a saved one, or a new one. */
  async giveAll(saved: SavedByDocument, isWanted: () => boolean): Promise<void> {
    const { index, clock } = this.#deps;
    const turns = new Turns(clock, undefined, index.still);
    await turns.take(this.#giveAll([...index.documents], saved), isWanted);
  }

  *#giveAll(documents: readonly IndexedDocument[], saved: SavedByDocument): Steps<void> {
    for (const { document } of documents) {
      yield* this.give(document.id, { saved: saved.get(document.id) });
      yield;
    }
  }

  /** What has no vector of a document gets one. `cut` is the document as it was cut for the index, if it is at hand. */
  *give(id: string, { cut, saved }: { cut?: CutDocument; saved?: SavedVectors | undefined } = {}): Steps<void> {
    const { index, newest, graph } = this.#deps;
    if (!index.partVectors.areMissing(id)) return;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return;
    const savedOf = this.#fitting(saved, id, found.version);
    const texts = savedOf === undefined ? new TextsInOrder(cut ?? (yield* cutInSteps(found.document))) : undefined;
    const codesOf = (part: number): Int8Array | undefined => savedOf?.(part) ?? this.encode(texts?.at(part) ?? "");
    graph.add(yield* index.partVectors.setFirst(id, codesOf));
  }

  /** The codes of a part that a snapshot had, if this student made them of this version's texts. */
  #fitting(
    saved: SavedVectors | undefined,
    id: string,
    version: number,
  ): ((part: number) => Int8Array | undefined) | undefined {
    const { index } = this.#deps;
    if (saved === undefined || saved.version !== version || saved.by !== this.by) return undefined;
    const { first, codes } = saved;
    const { dimensions } = this.space;
    if (codes.length !== (index.partsOf(id) - first) * dimensions) return undefined;
    return (part) =>
      part < first ? undefined : codes.subarray((part - first) * dimensions, (part - first + 1) * dimensions);
  }
}

/** The texts of a document, made as they are asked for in rising order. */
class TextsInOrder {
  readonly #texts: Iterator<string, void>;
  #next = 0;

  constructor(cut: CutDocument) {
    this.#texts = embeddedTexts(cut);
  }

  at(part: number): string {
    let text = "";
    for (; this.#next <= part; this.#next++) text = this.#texts.next().value ?? "";
    return text;
  }
}
