import type { CarefulStaticEmbedder } from "../../embedding/careful-static.ts";
import { type CutDocument, cutInSlices, EMBEDDED_TEXTS_VERSION, embeddedTexts } from "../../index/embedded-texts.ts";
import type { IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { SavedVectors } from "../../index/snapshot/first-vectors.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import type { VectorSpace } from "../../model/records.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Sliced, TimeSlices } from "../../scheduling/time-slices.ts";
import type { GraphBuilder } from "../graph-builder.ts";
import type { NewestDocument } from "./missing-vectors.ts";

/** The static embedder's vectors of the last snapshot, by document. */
export type SavedByDocument = ReadonlyMap<string, SavedVectors>;

export const NOTHING_SAVED: SavedByDocument = new Map();

export interface StaticVectorsDeps {
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
  readonly clock: Clock;
  readonly graph: GraphBuilder;
}

/** Gives embedding windows the vectors of a static embedder, until those of the sentence encoder arrive. */
export class StaticVectors {
  readonly space: VectorSpace;
  /** Names the static embedder, and the version of the embedding windows. */
  readonly by: string;
  readonly #staticEmbedder: CarefulStaticEmbedder;
  readonly #deps: StaticVectorsDeps;

  constructor(staticEmbedder: CarefulStaticEmbedder, deps: StaticVectorsDeps) {
    const { id, version, space } = staticEmbedder;
    this.space = space;
    this.by = JSON.stringify([id, version, space.id, space.version, space.dimensions, EMBEDDED_TEXTS_VERSION]);
    this.#staticEmbedder = staticEmbedder;
    this.#deps = deps;
  }

  /** The vector of a text; undefined if the static embedder gives none. */
  readonly encode = (text: string): Int8Array | undefined => {
    const vector = this.#staticEmbedder.embed(text);
    return vector === undefined ? undefined : encodeVector(vector);
  };

  /** Gives every window without a vector a saved one, or a new one, while `isWanted`. */
  async giveAll(saved: SavedByDocument, isWanted: () => boolean): Promise<void> {
    const { index, clock } = this.#deps;
    const slices = new TimeSlices(clock, { pin: index.pin });
    await slices.run(this.#giveAll([...index.documents], saved), isWanted);
  }

  *#giveAll(documents: readonly IndexedDocument[], saved: SavedByDocument): Sliced<void> {
    for (const { document } of documents) {
      yield* this.give(document.id, { saved: saved.get(document.id) });
      yield;
    }
  }

  /** Gives every window of a document without a vector one. `cut` is the document as it was cut for the index, if it is at hand. */
  *give(id: string, { cut, saved }: { cut?: CutDocument; saved?: SavedVectors | undefined } = {}): Sliced<void> {
    const { index, newest, graph } = this.#deps;
    if (!index.windowVectors.areMissing(id)) return;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return;
    const savedOf = this.#fitting(saved, id, found.version);
    const texts = savedOf === undefined ? new TextsInOrder(cut ?? (yield* cutInSlices(found.document))) : undefined;
    const codesOf = (window: number): Int8Array | undefined =>
      savedOf?.(window) ?? this.encode(texts?.at(window) ?? "");
    graph.add(yield* index.windowVectors.setFirst(id, codesOf));
  }

  /** The saved codes of a window, if this static embedder made them, of this version of the document. */
  #fitting(
    saved: SavedVectors | undefined,
    id: string,
    version: number,
  ): ((window: number) => Int8Array | undefined) | undefined {
    const { index } = this.#deps;
    if (saved === undefined || saved.version !== version || saved.by !== this.by) return undefined;
    const { first, codes } = saved;
    const { dimensions } = this.space;
    if (codes.length !== (index.windowsOf(id) - first) * dimensions) return undefined;
    return (window) =>
      window < first ? undefined : codes.subarray((window - first) * dimensions, (window - first + 1) * dimensions);
  }
}

/** The windows of a document, made on demand, in rising order. */
class TextsInOrder {
  readonly #texts: Iterator<string, void>;
  #next = 0;

  constructor(cut: CutDocument) {
    this.#texts = embeddedTexts(cut);
  }

  at(window: number): string {
    let text = "";
    for (; this.#next <= window; this.#next++) text = this.#texts.next().value ?? "";
    return text;
  }
}
