import type { CarefulStaticEmbedder } from "../../embedding/careful-static.ts";
import { type CutDocument, cutInSlices, EMBEDDED_TEXTS_VERSION, embeddedTexts } from "../../index/embedded-texts.ts";
import type { IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { SavedVectors } from "../../index/snapshot/first-vectors.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import type { BotState } from "../../log/state.ts";
import { must } from "../../model/must.ts";
import type { VectorSpace } from "../../model/records.ts";
import type { Clock } from "../../platform/clock.ts";
import { finished, type Sliced, TimeSlices } from "../../scheduling/time-slices.ts";
import type { GraphBuilder } from "../graph-builder.ts";
import { type IndexedVersion, isUsable } from "./missing-vectors.ts";

/** The static embedder's vectors of the last snapshot, by document. */
export type SavedByDocument = ReadonlyMap<string, SavedVectors>;

export interface StaticVectorsDeps {
  readonly index: SearchIndex;
  /** A document's newest version, if that is the one that searches see. */
  readonly indexed: (id: string) => IndexedVersion | undefined;
  /** Empty once the index has these vectors. */
  readonly saved: () => SavedByDocument;
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
  async giveAll(isWanted: () => boolean): Promise<void> {
    const { index, clock } = this.#deps;
    await new TimeSlices(clock, { pin: index.pin }).run(this.#giveAll([...index.documents]), isWanted);
  }

  *#giveAll(documents: readonly IndexedDocument[]): Sliced<void> {
    for (const { document } of documents) {
      yield* this.give(document.id);
      yield;
    }
  }

  /** Gives every window of a document without a vector one. `cut` is the document as it was cut for the index, if it is at hand. */
  *give(id: string, cut?: CutDocument): Sliced<void> {
    const { index, indexed, graph } = this.#deps;
    const found = index.windowVectors.areMissing(id) ? indexed(id) : undefined;
    if (found === undefined) return;
    const codesOf = this.#savedCodes(id) ?? this.#newCodes(cut ?? (yield* cutInSlices(found.document)));
    graph.add(yield* index.windowVectors.setFirst(id, codesOf));
  }

  /** The saved codes of a window, if this static embedder made them, of this version of the document, and they are of all windows without a vector. */
  #savedCodes(id: string): ((window: number) => Int8Array) | undefined {
    const { index } = this.#deps;
    const [indexed, saved] = [index.documents.find(id), this.#deps.saved().get(id)];
    if (saved === undefined || indexed?.version !== saved.version || saved.by !== this.by) return undefined;
    const { first, codes } = saved;
    const { dimensions } = this.space;
    if (indexed.ownVectors < first || codes.length !== (index.windowsOf(id) - first) * dimensions) return undefined;
    return (window) => codes.subarray((window - first) * dimensions, (window - first + 1) * dimensions);
  }

  /** Makes the codes of windows, in rising order. */
  #newCodes(cut: CutDocument): (window: number) => Int8Array | undefined {
    const texts = embeddedTexts(cut);
    let next = 0;
    return (window) => {
      for (; next < window; next++) texts.next();
      next++;
      return this.encode(must(texts.next().value as string | undefined, "the text of an embedding window"));
    };
  }
}

export interface VectorsInIndexDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly graph: GraphBuilder;
  readonly clock: Clock;
}

/** Copies stored vectors from the state to the index, and gives windows without one a static embedder's vector. */
export class VectorsInIndex {
  readonly #deps: VectorsInIndexDeps;

  constructor(deps: VectorsInIndexDeps) {
    this.#deps = deps;
  }

  /**
   * Makes searches use the vectors of this space, unless the signal aborts first. Each time slice adds vectors until this resolves.
   * @param needsBackground whether questions may be read by an embedder without a calibration. Then the background similarity is measured on the way:
   * the first question need not read all vectors.
   */
  async fill(
    space: VectorSpace,
    staticEmbedder: StaticVectors | undefined,
    needsBackground: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { index, graph, clock } = this.#deps;
    const vectors = await graph.newVectors(space.dimensions);
    if (signal.aborted) return;
    if (needsBackground) vectors.keepBackground();
    index.windowVectors.use(space, vectors, staticEmbedder?.by);
    graph.hold();
    const isWanted = (): boolean => !signal.aborted && index.windowVectors.rows === vectors;
    await new TimeSlices(clock, { pin: index.pin }).run(this.#takeAllStored(), isWanted);
    if (isWanted()) await staticEmbedder?.giveAll(isWanted);
    if (isWanted()) await graph.load(vectors);
  }

  /** Copies a document's stored vectors, if they are of the version and the space that searches see. */
  takeStored(id: string): void {
    finished(this.#takeStored(id));
  }

  /** Includes vectors that are stored meanwhile. */
  *#takeAllStored(): Sliced<void> {
    for (const id of this.#deps.state.vectors.keys()) {
      yield* this.#takeStored(id);
      yield;
    }
  }

  *#takeStored(id: string): Sliced<void> {
    const { state, index, graph } = this.#deps;
    const stored = state.vectors.get(id);
    if (stored === undefined || index.versionOf(id) !== stored.version || index.windowVectors.space === undefined)
      return;
    if (isUsable(stored, index.windowVectors.space))
      graph.add(yield* index.windowVectors.setInSlices(id, stored.codes));
  }
}
