import type { EmbeddedQuestion, SharedEmbedder } from "../../embedding/shared-embedder.ts";
import type { CutDocument } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import { TokenCodeCache } from "../../index/token-codes/held-codes.ts";
import { KeptTokenCodes } from "../../index/token-codes/kept-codes.ts";
import type { BotState } from "../../log/state.ts";
import type { Readiness } from "../../model/missing.ts";
import type { Quality, Upgrade } from "../../model/types.ts";
import type { VectorStats } from "../../model/vector-stats.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log-event.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { BlockStore } from "../../storage/block-store.ts";
import { GraphBuilder, type GraphBuilderDeps } from "../graph-builder.ts";
import { EmbedderUse, type EmbedderUseDeps } from "./embedder-use.ts";
import { MissingVectors, type NewestDocument } from "./missing-vectors.ts";
import { NOTHING_SAVED, type SavedByDocument } from "./static-vectors.ts";
import { TokenCodesJob } from "./token-codes-job.ts";
import { upgradeOf, vectorFigures, type WatchedVectors, watched } from "./vector-figures.ts";
import type { VectorsRecord } from "./vector-upgrade.ts";
import { VectorsInIndex } from "./vectors-in-index.ts";

/** What the vectors of a bot need of the world. */
export interface VectorSurroundings extends Pick<GraphBuilderDeps, "graphs" | "graphVectorsMin" | "answering"> {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** What is held in memory of the token codes, of all bots; undefined where none are made or kept. */
  readonly tokenCodeCache: TokenCodeCache | undefined;
  /** Whether vectors are made without anybody waiting for them. */
  readonly background: boolean;
}

export interface BotVectorsDeps extends VectorSurroundings, Pick<GraphBuilderDeps, "cache"> {
  /** Where the token codes are kept; undefined where the store has no place for them. */
  readonly blocks: BlockStore | undefined;
  readonly botId: string;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly saved: SavedByDocument;
  readonly newest: NewestDocument;
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  readonly onUnfinished: (unfinished: boolean) => void;
}

/** The vectors of one bot: by which embedder they are made and its questions are asked, and what the index has of them. */
export class BotVectors {
  readonly #deps: EmbedderUseDeps;
  readonly #state: BotState;
  readonly #graph: GraphBuilder;
  readonly #inIndex: VectorsInIndex;
  readonly #kept: KeptTokenCodes;
  readonly #tokenCodes: TokenCodesJob | undefined;
  /** Until the index has got them: they hold a piece of the snapshot in memory. */
  #saved: SavedByDocument;
  #isDamageTold = false;
  /** Undefined for none. */
  #use: EmbedderUse | undefined;
  /** Resolves when those that were used before have ended. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor({ saved, state, blocks, tokenCodeCache, ...deps }: BotVectorsDeps) {
    const { index, newest, clock, logger, botId } = deps;
    this.#state = state;
    this.#saved = saved;
    this.#graph = new GraphBuilder(deps);
    this.#inIndex = new VectorsInIndex({ state, index, graph: this.#graph, clock });
    const missing = new MissingVectors({ state, index, newest });
    const held = tokenCodeCache ?? new TokenCodeCache(0);
    this.#kept = new KeptTokenCodes({ blocks, held, onLost: (ids, why) => this.#onTokenCodesLost(ids, why) });
    this.#tokenCodes = tokenCodeCache && new TokenCodesJob({ kept: this.#kept, index, clock, logger, botId });
    this.#deps = { ...deps, tokenCodes: this.#tokenCodes, graph: this.#graph, inIndex: this.#inIndex, missing };
  }

  /**
   * The bot's embedder from now on; undefined for none. Vectors of another one are made anew, in the background. Where it has a
   * static embedder, everything has a vector when this resolves.
   */
  async use(embedder: SharedEmbedder | undefined): Promise<void> {
    const before = this.#use;
    // Also those that were replaced while yet others came to their end: what one still has on its way to the log must not come behind
    // what the next one finds or makes.
    this.#ended = Promise.all([this.#ended, before?.end()]);
    const use = embedder === undefined ? undefined : new EmbedderUse(embedder, this.#deps, this.#ended);
    this.#use = use;
    this.#deps.index.windowVectors.use();
    if (use === undefined) this.#deps.onUnfinished(false);
    await this.#ended;
    await this.#deleteUnwantedTokenCodes(embedder);
    await use?.begin(this.#saved, before?.upgrade !== undefined);
    if (this.#use === use) this.#saved = NOTHING_SAVED;
  }

  /**
   * The question's vector: by the embedder for the best quality, by its static embedder for the fast one, or where the embedder
   * gives none in time; undefined if the question is to be answered by words. Never rejects. The encoder has the question when this
   * returns, unless it is still to be opened: whoever called can do something else meanwhile.
   */
  embedQuestion(text: string, quality: Quality): Promise<EmbeddedQuestion | undefined> {
    const hasVectors = (this.#deps.index.windowVectors.rows?.count ?? 0) > 0 || this.#state.vectors.size > 0;
    if (this.#use === undefined || !hasVectors) return Promise.resolve(undefined);
    return this.#use.embedQuestion(text, quality);
  }

  /** Makes the first vector of a text that comes into the index; undefined where there is no static embedder. */
  get encode(): ((text: string) => Int8Array | undefined) | undefined {
    return this.#use?.encode;
  }

  /**
   * Searches see this version of the document now, which was cut like this for them and came with so many first vectors. Returns what is left to
   * be done.
   */
  onIndexed(id: string, cut: CutDocument, firstVectors: number): Sliced<void> | undefined {
    this.#graph.add(firstVectors);
    this.#inIndex.takeStored(id);
    this.#tokenCodes?.leaveOld(id);
    return this.#use?.onIndexed(id, cut);
  }

  /** The state has more vectors of this document. */
  onVectors(id: string): void {
    this.#inIndex.takeStored(id);
  }

  onRemoved(id: string): void {
    this.#use?.upgrade?.remove(id);
  }

  /** Searches do not see it any more. */
  onLeft(id: string): void {
    this.#tokenCodes?.leaveOld(id);
  }

  /** About what telling where token codes are takes in memory. */
  get tokenCodesBytes(): number {
    return this.#kept.figures.memoryBytes;
  }

  /** The token codes of the passages' tokens for questions of the best quality; it is not open where none are kept. */
  tokenCodesFor(quality: Quality): KeptTokenCodes | undefined {
    return quality === "best" ? this.#kept : undefined;
  }

  /** Resolves when every passage has its vector, or will get none for now. */
  async whenUpgraded(): Promise<Upgrade> {
    const use = this.#use;
    if (use !== undefined) {
      await use.whenUpgraded();
      await this.#graph.settled();
    }
    return upgradeOf(use);
  }

  /** Resolves when the embedder reads questions or cannot be used now; at once where questions of this quality do not need it. */
  async whenReady(quality: Quality): Promise<Readiness> {
    if (quality === "fast") return {};
    await this.#use?.whenOpened();
    const missing = this.#use?.shared.missing;
    return missing === undefined ? {} : { missing };
  }

  /** The token codes that are kept, once the embedder that gives them is opened; undefined where there are none. */
  async tokenCodes(): Promise<ReturnType<KeptTokenCodes["everything"]>> {
    await this.#use?.whenOpened();
    return this.#kept.everything();
  }

  /** Has {@link stats} tell of an embedder that is missing although nothing has needed it yet. */
  async look(): Promise<void> {
    await this.#use?.shared.look();
  }

  /** Has what is missing made; resolves with whether nothing is left that can be made, or with false when that has to wait. */
  async workOff(): Promise<boolean> {
    return (await this.#use?.workOff()) ?? true;
  }

  /** Whether something is being made that would have to be begun anew. */
  get isWorking(): boolean {
    return this.#use?.upgrade?.isWorking === true || this.#graph.isWorking;
  }

  /** Whether what is left can only be tried anew after the next start, or when the bot has changed. */
  get hasGivenUp(): boolean {
    const { upgrade } = this.#use ?? {};
    return upgrade !== undefined && (upgrade.hasStopped || (upgrade.length === 0 && upgrade.givenUp > 0));
  }

  stats(): VectorStats {
    const { index } = this.#deps;
    const isTokenCodesFileUnusable = this.#tokenCodes?.isUnusable === true;
    const [state, graph, use, kept] = [this.#state, this.#graph, this.#use, this.#kept];
    return vectorFigures({ state, index, graph, use, kept, isTokenCodesFileUnusable });
  }

  /** Those of its {@link stats} that are watched. */
  figures(): WatchedVectors {
    return watched(this.stats());
  }

  /** Nothing is kept beside the history any more that knows of vectors that are gone. Resolves with what has it kept anew, which must be called. */
  async forgetGone(): Promise<() => void> {
    const endPurge = await this.#kept.beginPurge();
    const keepAnew = (): void => {
      endPurge();
      this.#graph.keepAnew();
    };
    try {
      await this.#graph.forgetGone();
      return keepAnew;
    } catch (error) {
      keepAnew();
      throw error;
    }
  }

  /** Stops; what is missing is made after the next start. */
  async close(): Promise<void> {
    await Promise.all([this.#ended, this.#use?.end()]);
    await this.#graph.close();
    this.#kept.close();
  }

  /**
   * Deletes the token codes of a bot whose embedder gives none, or that is to have none. Those of an embedder that is not to be had here stay for whoever has it. A file
   * that cannot be deleted is deleted at another start.
   */
  async #deleteUnwantedTokenCodes(embedder: SharedEmbedder | undefined): Promise<void> {
    const isWanted = this.#tokenCodes !== undefined && (embedder?.hasEmbedder === true || embedder?.isStandIn === true);
    if (!isWanted) await this.#kept.clear().catch(() => undefined);
  }

  /** What was lost is made again. Damage is told once: there may be much of it. */
  #onTokenCodesLost(ids: readonly string[], why: "damaged" | "purged"): void {
    const { logger, botId } = this.#deps;
    const what = {
      damaged: "Token codes are damaged on the disk.",
      purged: "A purge could not write the token codes anew, and has deleted them.",
    };
    if (why === "purged" || !this.#isDamageTold) {
      const message = `${what[why]} They are made again; until then their documents are found without reranking.`;
      logger({ level: "warn", event: "tokenCodesDropped", message, botId });
    }
    if (why === "damaged") this.#isDamageTold = true;
    for (const id of ids) this.#use?.addForTokenCodes(id);
  }

  /** Lets go of the vectors, which the last snapshot still wanted. */
  release(): void {
    this.#deps.index.windowVectors.use();
  }
}
