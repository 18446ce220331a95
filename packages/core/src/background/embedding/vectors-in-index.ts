import type { SearchIndex } from "../../index/search-index.ts";
import type { BotState } from "../../log/state.ts";
import type { VectorSpace } from "../../model/records.ts";
import type { Clock } from "../../platform/clock.ts";
import { finished, type Steps, Turns } from "../../scheduling/steps.ts";
import type { GraphUpkeep } from "../graph-builder.ts";
import { isUsable } from "./embedding-jobs.ts";
import type { SavedByDocument, StudentVectors } from "./static-vectors.ts";

export interface VectorsInIndexDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly graph: GraphUpkeep;
  readonly clock: Clock;
}

/** Where parts without a vector of the embedder's get one. */
export interface FirstVectors {
  readonly student: StudentVectors | undefined;
  readonly saved: SavedByDocument;
}

/** Brings the vectors that the state has into the index, and a student's to where it has none. */
export class VectorsInIndex {
  readonly #deps: VectorsInIndexDeps;

  constructor(deps: VectorsInIndexDeps) {
    this.#deps = deps;
  }

  /**
   * Searches find by the vectors of this space from now on, unless the signal aborts before: by more of them with every turn, until this
   * resolves. `needsLevel` says that questions may be asked by an embedder that does not say what its cosines are worth: what the bot's own
   * passages say of it is counted on the way, so that the first question need not look at all of them.
   */
  async fill(space: VectorSpace, first: FirstVectors, needsLevel: boolean, signal: AbortSignal): Promise<void> {
    const { student, saved } = first;
    const { index, graph, clock } = this.#deps;
    const vectors = await graph.newVectors(space.dimensions);
    if (signal.aborted) return;
    if (needsLevel) vectors.keepLevel();
    index.partVectors.use(space, vectors, student?.by);
    graph.hold();
    const isWanted = (): boolean => !signal.aborted && index.partVectors.rows === vectors;
    await new Turns(clock, undefined, index.still).take(this.#takeAllStored(), isWanted);
    if (isWanted()) await student?.giveAll(saved, isWanted);
    if (isWanted()) await graph.load(vectors);
  }

  /** Those of a document that the state has, if they are of the version and in the space that searches see. */
  takeStored(id: string): void {
    finished(this.#takeStored(id));
  }

  /** What comes meanwhile is seen as well. */
  *#takeAllStored(): Steps<void> {
    for (const id of this.#deps.state.vectors.keys()) {
      yield* this.#takeStored(id);
      yield;
    }
  }

  *#takeStored(id: string): Steps<void> {
    const { state, index, graph } = this.#deps;
    const stored = state.vectors.get(id);
    if (stored === undefined || index.versionOf(id) !== stored.version || index.partVectors.space === undefined) return;
    if (isUsable(stored, index.partVectors.space)) graph.add(yield* index.partVectors.setInSteps(id, stored.codes));
  }
}
