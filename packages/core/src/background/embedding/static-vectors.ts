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

/** The static embedder's vectors that the last snapshot had, by document. */
export type SavedByDocument = ReadonlyMap<string, SavedVectors>;

export const NOTHING_SAVED: SavedByDocument = new Map();

export interface StaticVectorsDeps {
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
  readonly clock: Clock;
  readonly graph: GraphBuilder;
}

/** Gives the texts of a bot the vectors of a static embedder, until those of its teacher come. */
export class StaticVectors {
  readonly space: VectorSpace;
  /** Names the static embedder and the texts that it reads. */
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

  /** The vector of a text; undefined if the static embedder has none. */
  readonly encode = (text: string): Int8Array | undefined => {
    const vector = this.#staticEmbedder.embed(text);
    return vector === undefined ? undefined : encodeVector(vector);
  };

  /** What has no vector of any document gets one, for as long as they are wanted: a saved one, or a new one. */
  async giveAll(saved: SavedByDocument, isWanted: () => boolean): Promise<void> {
    const { index, clock } = this.#deps;
    const turns = new TimeSlices(clock, undefined, index.still);
    await turns.take(this.#giveAll([...index.documents], saved), isWanted);
  }

  *#giveAll(documents: readonly IndexedDocument[], saved: SavedByDocument): Sliced<void> {
    for (const { document } of documents) {
      yield* this.give(document.id, { saved: saved.get(document.id) });
      yield;
    }
  }

  /** What has no vector of a document gets one. `cut` is the document as it was cut for the index, if it is at hand. */
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

  /** The codes of a part that a snapshot had, if this static embedder made them of this version's texts. */
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

/** The texts of a document, made as they are asked for in rising order. */
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
