import type { SearchIndex } from "../../index/search-index.ts";
import type { BotState } from "../../log/state.ts";
import type { VectorSpace } from "../../model/records.ts";
import type { Clock } from "../../platform/clock.ts";
import { finished, type Sliced, TimeSlices } from "../../scheduling/time-slices.ts";
import type { GraphBuilder } from "../graph-builder.ts";
import { isUsable } from "./embedding-jobs.ts";
import type { SavedByDocument, StaticVectors } from "./static-vectors.ts";

export interface VectorsInIndexDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly graph: GraphBuilder;
  readonly clock: Clock;
}

/** The first vectors of windows that have none of the embedder. */
export interface FirstVectors {
  readonly staticEmbedder: StaticVectors | undefined;
  readonly saved: SavedByDocument;
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
  async fill(space: VectorSpace, first: FirstVectors, needsBackground: boolean, signal: AbortSignal): Promise<void> {
    const { staticEmbedder, saved } = first;
    const { index, graph, clock } = this.#deps;
    const vectors = await graph.newVectors(space.dimensions);
    if (signal.aborted) return;
    if (needsBackground) vectors.keepBackground();
    index.windowVectors.use(space, vectors, staticEmbedder?.by);
    graph.hold();
    const isWanted = (): boolean => !signal.aborted && index.windowVectors.rows === vectors;
    await new TimeSlices(clock, { pin: index.pin }).run(this.#takeAllStored(), isWanted);
    if (isWanted()) await staticEmbedder?.giveAll(saved, isWanted);
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
