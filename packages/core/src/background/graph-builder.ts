import type { SearchIndex } from "../index/search-index.ts";
import type { WithoutHnsw } from "../index/vectors/hnswlib.ts";
import { PassageVectors } from "../index/vectors/passage-vectors.ts";
import type { Graphs } from "../index/vectors/vector-graph.ts";
import type { Missing } from "../model/missing.ts";
import type { VectorStats } from "../model/vector-stats.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { backgroundLane } from "../scheduling/lanes.ts";
import type { SearchSlices } from "../scheduling/search-slices.ts";

export interface GraphBuilderDeps {
  readonly botId: string;
  readonly index: SearchIndex;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells whether anybody waits for answers. */
  readonly answering: Pick<SearchSlices, "isQuiet">;
  /** How graphs are made, or why they can't be: the exact scan serves then. */
  readonly graphs: () => Promise<Graphs | WithoutHnsw>;
  /** Vectors from which on a graph is built. */
  readonly graphVectorsMin: number;
  /** Keeps the graph for the next start; what it gives back has been verified by nobody. */
  readonly cache: {
    read(): Promise<Uint8Array | undefined>;
    write(graph: Uint8Array): Promise<void>;
  };
}

/** Share of a bot's vectors that the kept graph may lack. */
const UNSAVED_SHARE_MAX = 0.1;

/** Building takes turns with everything else: it works this long, */
const SLICE_MS = 2;
/** and rests this long where somebody asks; otherwise until others have had their turn. */
const REST_MS = 1;

/** Builds the graph of a bot's vectors in the background, as soon as it has enough of them, and keeps it for the next start. */
export class GraphBuilder {
  readonly #deps: GraphBuilderDeps;
  #building: Promise<void> | undefined;
  /** The kept graph has not been looked at yet: what it has need not be built. */
  #isHeldUp = false;
  /** Vectors that have come since the graph was kept. */
  #unsaved = 0;
  /** Why there is no graph library; undefined if there is one, or nobody has asked. */
  #missing: Missing | undefined;
  /** The vectors of which it was said that they have none. */
  #toldOf: PassageVectors | undefined;
  /** Raised when nothing may be kept any more that was made before. */
  #era = 0;
  #isClosed = false;

  constructor(deps: GraphBuilderDeps) {
    this.#deps = deps;
  }

  /** A place for vectors, with a graph above them as soon as there are enough, where the library is to be had. */
  async newVectors(dimensions: number): Promise<PassageVectors> {
    const { graphs, graphVectorsMin } = this.#deps;
    const made = await graphs();
    if ("missing" in made) {
      this.#missing = made.missing;
      return new PassageVectors(dimensions);
    }
    return new PassageVectors(dimensions, { graphs: made, graphVectorsMin });
  }

  /** What there is of a graph; `unavailable` where one would be faster, and cannot be had. */
  get status(): VectorStats["graph"] {
    return this.missed === undefined ? (this.#deps.index.windowVectors.rows?.graph ?? "none") : "unavailable";
  }

  /** Why there is no graph where one would be faster. */
  get missed(): Missing | undefined {
    const { index, graphVectorsMin } = this.#deps;
    return (index.windowVectors.rows?.count ?? 0) >= graphVectorsMin ? this.#missing : undefined;
  }

  /** So many vectors have come. */
  add(count: number): void {
    this.#unsaved += count;
    this.#tellOfScan();
    this.#goOn();
  }

  /** Nothing is built until {@link load}. */
  hold(): void {
    this.#isHeldUp = true;
  }

  /** Takes over the kept graph, if it fits these vectors, and builds what it lacks. */
  async load(vectors: PassageVectors): Promise<void> {
    const { index, cache } = this.#deps;
    if (vectors.graph === "building") {
      // One that cannot be read is built again.
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
    this.#goOn();
  }

  #tellOfDropped(): void {
    const { logger, botId } = this.#deps;
    const message =
      "The kept graph cannot be used: its bytes have changed on the disk, or it was made by another version or in another way. " +
      "It is built again from the vectors; nothing is lost.";
    logger({ level: "warn", event: "graphDropped", message, botId });
  }

  /** Nothing is kept any more that knows of vectors that are gone. Resolves when nothing of it is on its way but into the cache. */
  async forgetGone(): Promise<void> {
    this.#era += 1;
    await this.#deps.index.windowVectors.rows?.forgetGone();
  }

  /** Keeps the graph for the next start as if that had never been done. */
  keepAnew(): void {
    this.#unsaved = Number.POSITIVE_INFINITY;
    this.#goOn();
  }

  /** Whether it is being built or kept. */
  get isWorking(): boolean {
    return this.#building !== undefined;
  }

  /** Resolves when all is built and kept that there is to be. */
  async settled(): Promise<void> {
    await this.#building;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#building;
  }

  #goOn(): void {
    if (this.#isHeldUp || this.#isClosed) return;
    const vectors = this.#deps.index.windowVectors.rows;
    if (vectors !== undefined && (vectors.hasWork || this.#isOnlyToBeKept(vectors))) this.#building ??= this.#build();
  }

  /** It is built, and to be kept whatever is kept already. */
  #isOnlyToBeKept(vectors: PassageVectors): boolean {
    return this.#unsaved === Number.POSITIVE_INFINITY && vectors.graph === "ready";
  }

  /** Once for the vectors that are searched now. */
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
    // Others have taken the place of these meanwhile: theirs waited.
    if (index.windowVectors.rows !== vectors) this.#goOn();
  }

  async #buildAndKeep(vectors: PassageVectors): Promise<void> {
    const { index, clock } = this.#deps;
    const isCurrent = (): boolean => !this.#isClosed && index.windowVectors.rows === vectors;
    const hasWork = (): boolean => isCurrent() && vectors.hasWork;
    // Vectors can come while the graph is saved: then it goes round once more.
    while (hasWork() || (isCurrent() && this.#isOnlyToBeKept(vectors))) {
      while (hasWork() && vectors.work(clock.monotonicMs() + SLICE_MS, clock)) await this.#rest();
      // A start adds what the kept graph lacks: it is written again only when that is much.
      if (isCurrent() && this.#unsaved >= vectors.count * UNSAVED_SHARE_MAX) await this.#keep(vectors, isCurrent);
    }
  }

  /** A question takes several rounds of the event loop, and a slice in each would make it wait as often. */
  async #rest(): Promise<void> {
    const { answering, sleep } = this.#deps;
    await (answering.isQuiet ? backgroundLane() : sleep(REST_MS));
  }

  async #keep(vectors: PassageVectors, isCurrent: () => boolean): Promise<void> {
    const { cache, logger, botId } = this.#deps;
    // Also where it fails: it is tried again when as many have come once more.
    this.#unsaved = 0;
    const era = this.#era;
    try {
      const graph = await vectors.saveGraph();
      if (graph !== undefined && isCurrent() && era === this.#era) await cache.write(graph);
    } catch (error) {
      const message = "The graph of the vectors could not be kept for the next start: it will be built again.";
      logger({ level: "warn", event: "graphNotKept", message, botId, error });
    }
  }
}
