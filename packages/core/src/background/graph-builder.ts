import type { SearchIndex } from "../index/search-index.ts";
import type { WithoutGraphs } from "../index/vectors/graphs.ts";
import { PassageVectors } from "../index/vectors/passage-vectors.ts";
import type { VectorRows } from "../index/vectors/rows.ts";
import type { Graphs } from "../index/vectors/vector-graph.ts";
import { GRAPH_CACHE } from "../model/derived-sections.ts";
import type { Missing } from "../model/missing.ts";
import type { VectorStats } from "../model/vector-stats.ts";
import type { JobTurn } from "../nodes/job-turn.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { scheduler } from "../scheduling/scheduler.ts";
import { type Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import type { Store } from "../storage/store.ts";

export interface GraphBuilderDeps {
  readonly botId: string;
  readonly index: SearchIndex;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells whether searches are running. */
  readonly searchSlices: Pick<TimeSlices, "isQuiet">;
  /** Opens the graph backend, or says why there is none; then the exact scan serves. */
  readonly graphs: () => Promise<Graphs<VectorRows> | WithoutGraphs>;
  /** The number of vectors from which on a graph is built. */
  readonly graphVectorsMin: number;
  /** Keeps the graph for the next start. The bytes that `read` returns are not verified. */
  readonly cache: GraphCache;
}

/** The kept graph of a bot. */
export interface GraphCache {
  read(): Promise<Uint8Array | undefined>;
  write(graph: Uint8Array): Promise<void>;
  /** Whether this node keeps the graph. Nodes that share a store build the same one, each in its memory: one of them keeps it. */
  isMine(): Promise<boolean>;
}

/** @param turn it is not left: another node keeps a graph again once this one has kept none for the time of a lease */
export function graphCache(store: Pick<Store, "readCache" | "writeCache">, turn: Pick<JobTurn, "take">): GraphCache {
  return {
    read: () => store.readCache(GRAPH_CACHE),
    write: (graph) => store.writeCache(GRAPH_CACHE, graph),
    isMine: () => turn.take(),
  };
}

/** The share of a bot's vectors that the kept graph may lack. */
const UNSAVED_SHARE_MAX = 0.1;

/** The length of a time slice of graph building, in milliseconds. */
const SLICE_MS = 2;
/** The pause between two slices while searches run, in milliseconds. Otherwise building waits in the background lane. */
const PAUSE_MS = 1;

/** Builds the HNSW graph of a bot's vectors in the background, as soon as there are enough of them, and keeps it for the next start. */
export class GraphBuilder {
  readonly #deps: GraphBuilderDeps;
  readonly #slices: TimeSlices;
  #building: Promise<void> | undefined;
  /** The kept graph has not been read yet. Nothing is built before: the kept graph may have it. */
  #isHeldUp = false;
  /** The number of vectors added since the graph was kept. */
  #unsaved = 0;
  /** Why there is no graph backend; undefined if there is one, or before it was opened. */
  #missing: Missing | undefined;
  /** The vectors for which the missing graph was logged. */
  #toldOf: PassageVectors | undefined;
  /** Raised by a purge: no graph that was read or made before may be kept. */
  #era = 0;
  #isClosed = false;

  constructor(deps: GraphBuilderDeps) {
    this.#deps = deps;
    const { clock, searchSlices, sleep } = deps;
    // A question takes several rounds of the event loop. A slice in each round would delay it by their sum.
    const lane = (): Promise<void> => (searchSlices.isQuiet ? scheduler.background() : sleep(PAUSE_MS));
    this.#slices = new TimeSlices(clock, { lane, sliceMs: SLICE_MS });
  }

  /** Makes an empty vector store. A graph is built over it once there are enough vectors, if there is a graph backend. */
  async newVectors(dimensions: number): Promise<PassageVectors> {
    const { graphs, graphVectorsMin } = this.#deps;
    const made = await graphs();
    if ("missing" in made) {
      this.#missing = made.missing;
      return new PassageVectors(dimensions);
    }
    return new PassageVectors(dimensions, { graphs: made, graphVectorsMin });
  }

  /** The state of the graph; `unavailable` if a graph would be faster and the backend is missing. */
  get status(): VectorStats["graph"] {
    return this.missed === undefined ? (this.#deps.index.windowVectors.rows?.graph ?? "none") : "unavailable";
  }

  /** Why there is no graph, if a graph would be faster. */
  get missed(): Missing | undefined {
    const { index, graphVectorsMin } = this.#deps;
    return (index.windowVectors.rows?.count ?? 0) >= graphVectorsMin ? this.#missing : undefined;
  }

  /** Counts new vectors, and builds if there is work. */
  add(count: number): void {
    this.#unsaved += count;
    this.#tellOfScan();
    this.#buildIfNeeded();
  }

  /** Builds nothing until {@link load}. */
  hold(): void {
    this.#isHeldUp = true;
  }

  /** Loads the kept graph, if it fits these vectors, and builds the rest. */
  async load(vectors: PassageVectors): Promise<void> {
    const { index, cache } = this.#deps;
    if (vectors.graph === "building") {
      // A graph that cannot be read is built again.
      const era = this.#era;
      const kept = await cache.read().catch(() => undefined);
      const outcome = kept !== undefined && index.windowVectors.rows === vectors && (await vectors.loadGraph(kept));
      if (outcome === "unusable") this.#tellOfDropped();
      const isLoaded = outcome === "loaded";
      if (isLoaded && era !== this.#era) await vectors.forgetGone();
      else if (isLoaded) this.#unsaved = 0;
    }
    if (index.windowVectors.rows !== vectors) return;
    this.#isHeldUp = false;
    this.#buildIfNeeded();
  }

  #tellOfDropped(): void {
    const { logger, botId } = this.#deps;
    const message =
      "The kept graph cannot be used: its bytes have changed on the disk, or it was made by another version or in another way. " +
      "It is built again from the vectors; nothing is lost.";
    logger({ level: "warn", event: "graphDropped", message, botId });
  }

  /** Removes deleted vectors from the graph. Resolves when no older graph is on its way, except to the cache. */
  async forgetGone(): Promise<void> {
    this.#era += 1;
    await this.#deps.index.windowVectors.rows?.forgetGone();
  }

  /** Keeps the graph again, even if an older one was kept before. */
  keepAgain(): void {
    this.#unsaved = Number.POSITIVE_INFINITY;
    this.#buildIfNeeded();
  }

  /** The kept graph, unverified; undefined if there is none. */
  kept(): Promise<Uint8Array | undefined> {
    return this.#deps.cache.read();
  }

  /** Whether the graph is being built or kept. */
  get isWorking(): boolean {
    return this.#building !== undefined;
  }

  /** Resolves when the graph is built and kept. */
  async settled(): Promise<void> {
    await this.#building;
  }

  /** Stops building, and waits for a running slice or write. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#building;
  }

  #buildIfNeeded(): void {
    if (this.#isHeldUp || this.#isClosed) return;
    const vectors = this.#deps.index.windowVectors.rows;
    if (vectors !== undefined && (vectors.hasWork || this.#isOnlyToBeKept(vectors))) this.#building ??= this.#build();
  }

  /** The graph is ready, and must be kept again. */
  #isOnlyToBeKept(vectors: PassageVectors): boolean {
    return this.#unsaved === Number.POSITIVE_INFINITY && vectors.graph === "ready";
  }

  /** Logs once per vector store that there is no graph. */
  #tellOfScan(): void {
    const { index, logger, botId } = this.#deps;
    const { missed } = this;
    if (missed === undefined || this.#toldOf === index.windowVectors.rows) return;
    this.#toldOf = index.windowVectors.rows;
    logger({ level: "warn", event: "graphUnavailable", message: missed.story, botId });
  }

  async #build(): Promise<void> {
    const { index, sleep, logger, botId } = this.#deps;
    await sleep(0);
    const vectors = index.windowVectors.rows;
    try {
      if (vectors !== undefined) await this.#buildAndKeep(vectors);
    } catch (error) {
      const message = "The graph of the vectors could not be built: the bot is searched by exact scan.";
      logger({ level: "warn", event: "graphFailed", message, botId, error });
    }
    this.#building = undefined;
    // If these vectors were replaced meanwhile, the new ones waited for this build.
    if (index.windowVectors.rows !== vectors) this.#buildIfNeeded();
  }

  async #buildAndKeep(vectors: PassageVectors): Promise<void> {
    const isCurrent = (): boolean => !this.#isClosed && this.#deps.index.windowVectors.rows === vectors;
    // Vectors may arrive while the graph is saved: then the loop runs once more.
    while (isCurrent() && (vectors.hasWork || this.#isOnlyToBeKept(vectors))) {
      if (vectors.hasWork) await this.#slices.run(this.#addAll(vectors), isCurrent);
      // A start adds the vectors that the kept graph lacks: the graph is kept again only when they are many.
      if (isCurrent() && this.#unsaved >= vectors.count * UNSAVED_SHARE_MAX) await this.#keep(vectors, isCurrent);
    }
  }

  /** Adds to the graph all vectors that it lacks, one per step. */
  *#addAll(vectors: PassageVectors): Sliced<void> {
    while (vectors.work(Number.NEGATIVE_INFINITY, this.#deps.clock)) yield;
  }

  async #keep(vectors: PassageVectors, isCurrent: () => boolean): Promise<void> {
    const { cache, logger, botId } = this.#deps;
    // A purge has deleted the graph that was kept.
    const isDeleted = this.#unsaved === Number.POSITIVE_INFINITY;
    const era = this.#era;
    try {
      if (!(await cache.isMine()) && !isDeleted) return;
      // Reset on failure too: keeping is tried again when as many vectors have been added once more.
      this.#unsaved = 0;
      const graph = await vectors.saveGraph();
      if (graph !== undefined && isCurrent() && era === this.#era) await cache.write(graph);
    } catch (error) {
      const message = "The graph of the vectors could not be kept for the next start: it will be built again.";
      logger({ level: "warn", event: "graphNotKept", message, botId, error });
    }
  }
}
