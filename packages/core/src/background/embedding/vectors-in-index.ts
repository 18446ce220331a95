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

/** Where parts without a vector of the embedder's get one. */
export interface FirstVectors {
  readonly staticEmbedder: StaticVectors | undefined;
  readonly saved: SavedByDocument;
}

/** Brings the vectors that the state has into the index, and a static embedder's to where it has none. */
export class VectorsInIndex {
  readonly #deps: VectorsInIndexDeps;

  constructor(deps: VectorsInIndexDeps) {
    this.#deps = deps;
  }

  /**
   * Searches find by the vectors of this space from now on, unless the signal aborts before: by more of them with every turn, until this
   * resolves. `needsBackground` says that questions may be asked by an embedder that does not say what its cosines are worth: what the bot's own
   * passages say of it is counted on the way, so that the first question need not look at all of them.
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
    await new TimeSlices(clock, undefined, index.still).take(this.#takeAllStored(), isWanted);
    if (isWanted()) await staticEmbedder?.giveAll(saved, isWanted);
    if (isWanted()) await graph.load(vectors);
  }

  /** Those of a document that the state has, if they are of the version and in the space that searches see. */
  takeStored(id: string): void {
    finished(this.#takeStored(id));
  }

  /** What comes meanwhile is seen as well. */
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
