import type { EmbeddedQuestion, SharedEmbedder } from "../../embedding/shared-embedder.ts";
import type { CutDocument } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import { TokenCodeCache } from "../../index/token-codes/held-codes.ts";
import { KeptTokenCodes } from "../../index/token-codes/kept-codes.ts";
import type { BotState } from "../../log/state.ts";
import type { Readiness } from "../../model/missing.ts";
import type { Quality, Upgrade } from "../../model/types.ts";
import type { VectorStats } from "../../model/vector-stats.ts";
import type { JobTurn } from "../../nodes/job-turn.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log-event.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { BlockStore } from "../../storage/block-store.ts";
import { GraphBuilder, type GraphBuilderDeps } from "../graph-builder.ts";
import type { VectorsRecord } from "./embed-windows.ts";
import { EmbedderUse, type EmbedderUseDeps } from "./embedder-use.ts";
import type { IndexedVersion } from "./missing-vectors.ts";
import { TokenCodesJob } from "./token-codes-job.ts";
import { upgradeOf, vectorFigures } from "./vector-figures.ts";
import { type SavedByDocument, VectorsInIndex } from "./vectors-in-index.ts";

/** The surroundings of a bot's vectors. */
export interface VectorSurroundings extends Pick<GraphBuilderDeps, "graphs" | "graphVectorsMin" | "searchSlices"> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The token codes of all bots that are held in memory; undefined if none are made or kept. */
  readonly tokenCodeCache: TokenCodeCache | undefined;
  /** Whether vectors are made in the background. */
  readonly background: boolean;
}

export interface BotVectorsDeps extends VectorSurroundings, Pick<GraphBuilderDeps, "cache"> {
  /** The storage of the token codes; undefined if the store has none. */
  readonly blocks: BlockStore | undefined;
  readonly botId: string;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly saved: SavedByDocument;
  /** The newest version of a document in the state; undefined if there is none that searches may see. */
  readonly newest: (id: string) => Pick<IndexedVersion, "version" | "document"> | undefined;
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  /** See {@link VectorUpgradeDeps.turn}. */
  readonly turn?: JobTurn | undefined;
  readonly onUnfinished: (unfinished: boolean) => void;
}

/** The vectors of one bot: its current embedder, its token codes, its graph, and its vectors in the index. */
export class BotVectors {
  readonly #deps: EmbedderUseDeps;
  readonly #state: BotState;
  readonly #graph: GraphBuilder;
  readonly #inIndex: VectorsInIndex;
  readonly #kept: KeptTokenCodes;
  readonly #tokenCodes: TokenCodesJob | undefined;
  /** The static embedder's vectors of the snapshot, until the index has them: they hold a section of the snapshot in memory. */
  #saved: SavedByDocument;
  #isDamageTold = false;
  /** Undefined without an embedder. */
  #use: EmbedderUse | undefined;
  /** Resolves when all previous uses of embedders have ended. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor({ saved, state, blocks, tokenCodeCache, ...deps }: BotVectorsDeps) {
    const { index, newest, clock, logger, botId } = deps;
    this.#state = state;
    this.#saved = saved;
    this.#graph = new GraphBuilder(deps);
    this.#inIndex = new VectorsInIndex({ state, index, graph: this.#graph, clock });
    const indexed = (id: string) => {
      const found = newest(id);
      if (found === undefined || index.versionOf(id) !== found.version) return undefined;
      return { ...found, windows: index.windowsOf(id), vectors: state.vectors.get(id) };
    };
    const held = tokenCodeCache ?? new TokenCodeCache(0);
    this.#kept = new KeptTokenCodes({ blocks, held, onLost: (ids, why) => this.#onTokenCodesLost(ids, why) });
    this.#tokenCodes = tokenCodeCache && new TokenCodesJob({ kept: this.#kept, index, clock, logger, botId });
    const own = { tokenCodes: this.#tokenCodes, graph: this.#graph, inIndex: this.#inIndex };
    this.#deps = { ...deps, ...own, indexed, saved: () => this.#saved };
  }

  /**
   * Sets the bot's embedder; undefined for none. Vectors of another embedder are made again in the background. If the embedder has a
   * static embedder, every embedding window has a vector when this resolves.
   */
  async use(embedder: SharedEmbedder | undefined): Promise<void> {
    const before = this.#use;
    // Also waits for earlier uses that are still ending: their writes to the log must not come after the vectors that the next one finds or makes.
    this.#ended = Promise.all([this.#ended, before?.end()]);
    const use = embedder === undefined ? undefined : new EmbedderUse(embedder, this.#deps, this.#ended);
    this.#use = use;
    this.#deps.index.windowVectors.use();
    if (use === undefined) this.#deps.onUnfinished(false);
    await this.#ended;
    // Token codes of an embedder that is missing here stay, for engines that have it. A file that cannot be deleted is deleted at another start.
    const keepsTokenCodes =
      this.#tokenCodes !== undefined && (embedder?.hasEmbedder === true || embedder?.isStandIn === true);
    // Beside the first vectors, since it asks the storage.
    const cleared = keepsTokenCodes ? undefined : this.#kept.clear().catch(() => undefined);
    await Promise.all([use?.begin(before?.upgrade !== undefined), cleared]);
    if (this.#use === use) this.#saved = new Map();
  }

  /**
   * The question's vector; undefined if the question is answered by BM25. Never rejects. Quality `best` uses the embedder, `fast` its static embedder;
   * `best` falls back to the static embedder if the embedder gives no vector in time. If the encoder is open, it has the question when this
   * returns: the caller can work meanwhile.
   */
  embedQuestion(text: string, quality: Quality): Promise<EmbeddedQuestion | undefined> {
    const hasVectors = (this.#deps.index.windowVectors.rows?.count ?? 0) > 0 || this.#state.vectors.size > 0;
    if (this.#use === undefined || !hasVectors) return Promise.resolve(undefined);
    return this.#use.embedQuestion(text, quality);
  }

  /** Makes the first vector of a text that is being indexed; undefined without a static embedder. */
  get encode(): ((text: string) => Int8Array | undefined) | undefined {
    return this.#use?.encode;
  }

  /**
   * Notes that searches now see this version of a document, cut like this, with this number of first vectors. Returns the remaining
   * work, if any.
   */
  onIndexed(id: string, cut: CutDocument, firstVectors: number): Sliced<void> | undefined {
    this.#graph.add(firstVectors);
    this.#inIndex.takeStored(id);
    this.#tokenCodes?.leaveOld(id);
    return this.#use?.onIndexed(id, cut);
  }

  /** Gives new vectors of the state to the index. */
  onVectors(id: string): void {
    this.#inIndex.takeStored(id);
  }

  /** Notes that documents without vectors are left to the next start, if the bot has an embedder. */
  noteUnfinished(): void {
    if (this.#use?.upgrade !== undefined || this.#use?.shared.isStandIn) this.#deps.onUnfinished(true);
  }

  /** Stops making vectors of a deleted document. */
  onRemoved(id: string): void {
    this.#use?.upgrade?.remove(id);
  }

  /** Notes that searches do not see the document any more. */
  onLeft(id: string): void {
    this.#tokenCodes?.leaveOld(id);
  }

  /** About how much memory the directory of token codes takes, in bytes. */
  get tokenCodesBytes(): number {
    return this.#kept.figures.memoryBytes;
  }

  /** The token codes for questions of the best quality. They are not open if none are kept. */
  tokenCodesFor(quality: Quality): KeptTokenCodes | undefined {
    return quality === "best" ? this.#kept : undefined;
  }

  /** Resolves when every embedding window has its vector, or will get none for now. */
  async whenUpgraded(): Promise<Upgrade> {
    const use = this.#use;
    if (use !== undefined) {
      await use.whenUpgraded();
      await this.#graph.settled();
    }
    return upgradeOf(use);
  }

  /** Resolves when the embedder reads questions, or cannot be used now; at once for a quality that does not need it. */
  async whenReady(quality: Quality): Promise<Readiness> {
    if (quality === "fast") return {};
    await this.#use?.whenOpened();
    const missing = this.#use?.shared.missing;
    return missing === undefined ? {} : { missing };
  }

  /** The kept token codes, once their embedder is open; undefined if there are none. */
  async tokenCodes(): Promise<ReturnType<KeptTokenCodes["everything"]>> {
    await this.#use?.whenOpened();
    return this.#kept.everything();
  }

  /** The kept graph, unverified; undefined if there is none. */
  keptGraph(): Promise<Uint8Array | undefined> {
    return this.#graph.kept();
  }

  /** Makes {@link stats} report an embedder that is missing although nothing has needed it yet. */
  async look(): Promise<void> {
    await this.#use?.shared.look();
  }

  /** Makes missing vectors. Resolves with true if no more can be made, or with false if the work has to wait. */
  async workOff(): Promise<boolean> {
    return (await this.#use?.workOff()) ?? true;
  }

  /** Whether vectors or a graph are being made that would have to be made again after closing. */
  get isWorking(): boolean {
    return this.#use?.upgrade?.isWorking === true || this.#graph.isWorking;
  }

  /** Whether the remaining vectors can only be tried again after the next start, or when the bot has changed. */
  get hasGivenUp(): boolean {
    const { documents, hasStopped } = this.#use?.upgrade ?? {};
    return hasStopped === true || (documents?.vectorsMissing === 0 && documents.vectorsGivenUp > 0);
  }

  /** The figures of the bot's vectors. */
  stats(): VectorStats {
    const { index } = this.#deps;
    const isTokenCodesFileUnusable = this.#tokenCodes?.isUnusable === true;
    const [state, graph, use, kept] = [this.#state, this.#graph, this.#use, this.#kept];
    return vectorFigures({ state, index, graph, use, kept, isTokenCodesFileUnusable });
  }

  /**
   * Removes deleted vectors and token codes from all files but the log and snapshots. Resolves with a function that keeps both again; it must be called.
   */
  async forgetGone(): Promise<() => void> {
    const endPurge = await this.#kept.beginPurge();
    const keepAgain = (): void => {
      endPurge();
      this.#graph.keepAgain();
    };
    try {
      await this.#graph.forgetGone();
      return keepAgain;
    } catch (error) {
      keepAgain();
      throw error;
    }
  }

  /** Stops; missing vectors are made after the next start. */
  async close(): Promise<void> {
    await Promise.all([this.#ended, this.#use?.end()]);
    await this.#graph.close();
    this.#kept.close();
  }

  /** Queues documents whose token codes were lost. Damage is logged once: there may be much of it. */
  #onTokenCodesLost(ids: readonly string[], why: "damaged" | "purged"): void {
    const { logger, botId } = this.#deps;
    const what = {
      damaged: "Token codes are damaged on the disk.",
      purged: "A purge could not write the token codes again, and has deleted them.",
    };
    if (why === "purged" || !this.#isDamageTold) {
      const message = `${what[why]} They are made again; until then their documents are found without reranking.`;
      logger({ level: "warn", event: "tokenCodesDropped", message, botId });
    }
    if (why === "damaged") this.#isDamageTold = true;
    for (const id of ids) this.#use?.addForTokenCodes(id);
  }

  /** Releases the vectors, which the last snapshot still needed. */
  release(): void {
    this.#deps.index.windowVectors.use();
  }
}
