import type { Analyzer } from "./analysis/analyzer.ts";
import { Articles } from "./articles/articles.ts";
import type { IdMaker } from "./articles/identifier.ts";
import { openFiguresOf, type StatsDeps, statsOf, usageOf } from "./background/bot-stats.ts";
import { BotVectors, type VectorSurroundings } from "./background/embedding/bot-vectors.ts";
import { graphCache } from "./background/graph-builder.ts";
import { Indexer, type IndexerDeps } from "./background/indexer.ts";
import { memoryMeasure } from "./background/memory-estimate.ts";
import { type RecoveredBot, type RecoveryDeps, recoverBot } from "./background/recovery.ts";
import { Snapshotter } from "./background/snapshotter.ts";
import { Registrations } from "./catalog/registrations.ts";
import type { SharedEmbedder } from "./embedding/shared-embedder.ts";
import { ImportedDocuments } from "./imports/imported-documents.ts";
import { Sources } from "./imports/sources.ts";
import { passageLinesInSlices } from "./index/passage-lines.ts";
import type { SearchIndex } from "./index/search-index.ts";
import { Ingest } from "./ingest.ts";
import { lastKnownWriteMs } from "./log/last-write.ts";
import { newestVersion } from "./log/newest-version.ts";
import type { BotState } from "./log/state.ts";
import { limitsOf } from "./model/bot-limits.ts";
import { LoredexError } from "./model/errors.ts";
import type { Readiness } from "./model/missing.ts";
import type { BotInfo, Upgrade } from "./model/types.ts";
import type { BotStats, BotUsage } from "./model/usage.ts";
import type { OpenBotFigures } from "./model/work.ts";
import { Following } from "./nodes/following.ts";
import { JobTurn } from "./nodes/job-turn.ts";
import { type DerivedData, TOKEN_CODE_BLOCKS } from "./operations/backup-derived.ts";
import type { Occupation } from "./platform/open-on-demand.ts";
import { succeeds } from "./platform/succeeds.ts";
import { Questions, type QuestionsDeps } from "./questions.ts";
import { BotCapacity, CAPACITY_MAXIMA, type CapacityMaxima, storedBytes } from "./quotas/bot-capacity.ts";
import type { WindowClock } from "./quotas/window-clock.ts";
import { SearchQueue } from "./scheduling/search-queue.ts";
import { TimeSlices } from "./scheduling/time-slices.ts";
import type { FirstSnapshot, Purged } from "./storage/store.ts";
import { BotVocabulary } from "./vocabulary/bot-vocabulary.ts";

/** The dependencies of an open bot. */
export interface BotDeps extends RecoveryDeps, VectorSurroundings, Pick<IndexerDeps, "written"> {
  /** Makes the clock of the bot's rate windows, which continues while the bot is closed. */
  readonly windowClock: (state: Pick<BotState, "lastChargeMs">) => Pick<WindowClock, "nowMs">;
  /** Repeats work that another node was quicker than; see `nodes/decide-again.ts`. */
  readonly again: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly ids: IdMaker;
  /** The time slices in which long lists are made: one queue for all bots. */
  readonly listSlices: TimeSlices;
  /** The time slices in which questions are answered: shared by all bots. */
  readonly searchSlices: TimeSlices;
  /** Undefined: searches use BM25 alone. */
  readonly embedder: SharedEmbedder | undefined;
  /** The logger of the open bot's background jobs; `logger` is that of its recovery. */
  readonly jobLogger: RecoveryDeps["logger"];
  /** The capacity of the bot; default: the maximum of any bot. */
  readonly maxima?: CapacityMaxima;
  /** Called for every written record; `onWriteFailed` is called for every failed write, `note` for every answered search. */
  readonly onWritten: () => void;
  readonly note: QuestionsDeps["note"];
  readonly onWriteFailed: (error: unknown) => void;
  /** Called with true when vectors are missing, and with false when none are any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
}

/** An open bot: its store, state, index and background jobs. */
export class OpenBot {
  readonly #deps: BotDeps;
  readonly id: string;
  /** About how much memory the bot takes, in bytes. */
  readonly memoryBytes: () => number;
  readonly #state: BotState;
  readonly #index: SearchIndex;
  readonly #ingest: Ingest;
  readonly #indexing: Indexer;
  readonly #snapshots: Snapshotter;
  readonly #questions: Questions;
  readonly #vectors: BotVectors;
  readonly #articles: Articles;
  readonly #documents: ImportedDocuments;
  readonly #sources: Sources;
  readonly #agents: Registrations;
  readonly #channels: Registrations;
  readonly vocabulary: BotVocabulary;
  /** Brings what other nodes have written. */
  readonly following: Following;
  #closing: Promise<void> | undefined;
  #wasEvicted = false;
  #lastWriteMs: number;

  private constructor(deps: BotDeps, { state, index, saved }: RecoveredBot, sinceMs: number) {
    const { store, clock, ids, info, maxima = CAPACITY_MAXIMA } = deps;
    this.#deps = deps;
    this.id = info().id;
    this.#state = state;
    this.#lastWriteMs = lastKnownWriteMs(state);
    this.#index = index;
    const turn = (job: string): JobTurn => new JobTurn(job, store.shared, clock);
    const isIndexed = (): boolean => this.#indexing.queue.length === 0;
    const isFull = (): boolean => this.#indexing.isFull;
    const ofSnapshots = { botId: info().id, lagBytesMax: maxima.logBytes, turn: turn("snapshot"), isIndexed };
    this.#snapshots = new Snapshotter({ ...deps, store, state, index, ...ofSnapshots });
    this.#ingest = new Ingest({
      state,
      append: (payload, onFailed, frees) => {
        const appended = store.append(payload, onFailed, frees);
        appended.then(deps.onWritten, deps.onWriteFailed);
        return appended;
      },
      limits: () => limitsOf(info()),
      clock,
      windowClock: deps.windowClock(state),
      ids,
      room: new BotCapacity(() => storedBytes(store), maxima, isFull),
      memory: deps.memory,
      onFull: () => this.#snapshots.writeForCapacity(),
      caughtUp: () => this.#snapshots.caughtUp(),
      onApplied: (change) => {
        // Vectors are no write of a user.
        if (change.kind !== "vectors") this.#lastWriteMs = clock.wallMs();
        this.#indexing.onApplied(change);
        this.#snapshots.writeIfDue();
      },
    });
    const applyOthers = (sequence: number, payload: Uint8Array): void => {
      const change = this.#ingest.applyOthers(sequence, payload);
      if (change.kind === "index" && state.articles.has(change.id)) this.#indexing.onOthersArticle(change.id);
    };
    this.following = new Following(store.shared, applyOthers, clock, { sinceMs });
    this.#vectors = new BotVectors({
      ...deps,
      botId: info().id,
      state,
      index,
      saved,
      newest: (id) => newestVersion(state, id),
      append: (record, codes) =>
        deps.again(() => this.following.catchUp().then(() => this.#ingest.putVectors(record, codes))),
      turn: store.shared && turn("vectors"),
      blocks: store.blocks?.(TOKEN_CODE_BLOCKS),
      cache: graphCache(store, turn("graph")),
    });
    // The stored index has the terms of before: without a snapshot, the next start would index everything again.
    const onReindexed = (): void => this.#snapshots.writeAnyway();
    this.#indexing = new Indexer({ ...deps, state, index, vectors: this.#vectors, onReindexed });
    const listing = { state, slices: deps.listSlices, searchable: (id: string) => index.versionOf(id) };
    const writing = { ...listing, ingest: this.#ingest, ready: () => this.#readyForWrite() };
    this.vocabulary = new BotVocabulary({ ...writing, clock });
    this.#questions = new Questions({
      ...deps,
      state,
      vocabulary: this.vocabulary,
      index,
      vectors: this.#vectors,
      queue: new SearchQueue(deps.searchSlices),
      suggesting: new SearchQueue(deps.searchSlices),
      ready: () => this.#indexing.whenOthersIndexed(),
      check: () => this.#refuseIfClosed(),
    });
    const measure = memoryMeasure(state, index, () => {
      return this.#indexing.languageChangeBytes + this.#vectors.tokenCodesBytes + this.vocabulary.triedBytes;
    });
    deps.memory?.measureBy(measure);
    this.memoryBytes = () => (deps.memory?.follow() ?? measure.held()).bytes;
    this.#articles = new Articles({
      ...writing,
      passages: passageLinesInSlices,
      // A queue of its own: a preview of a long text delays no question.
      previews: new SearchQueue(deps.searchSlices),
      check: () => this.#refuseIfClosed(),
    });
    [this.#documents, this.#sources] = [new ImportedDocuments(writing), new Sources({ ...writing, clock })];
    [this.#agents, this.#channels] = [new Registrations(writing, "agent"), new Registrations(writing, "channel")];
  }

  /** Opens a bot on its store, and closes the store if that fails. Everything accepted before is searchable then, unless memory is short. */
  static async open(deps: BotDeps): Promise<OpenBot> {
    const slices = new TimeSlices(deps.clock);
    const sinceMs = deps.clock.monotonicMs();
    const recovered = await recoverBot(deps, slices);
    let bot: OpenBot | undefined;
    try {
      bot = new OpenBot({ ...deps, logger: deps.jobLogger }, recovered, sinceMs);
      deps.memory?.requireOpenable();
      await bot.#indexing.catchUp(slices);
      await bot.useEmbedder(deps.embedder);
      bot.#snapshots.writeAtRest();
      if (deps.background) void bot.#indexing.written.refresh();
      return bot;
    } catch (error) {
      // No background job may continue; no snapshot of a partly read or removed bot is written.
      await (bot === undefined ? deps.store.close() : bot.discard());
      throw error;
    }
  }

  info(): BotInfo {
    return this.#deps.info();
  }
  get articles(): Articles {
    this.#refuseIfClosed();
    return this.#articles;
  }
  get documents(): ImportedDocuments {
    this.#refuseIfClosed();
    return this.#documents;
  }
  get sources(): Sources {
    this.#refuseIfClosed();
    return this.#sources;
  }
  get agents(): Registrations {
    this.#refuseIfClosed();
    return this.#agents;
  }
  get channels(): Registrations {
    this.#refuseIfClosed();
    return this.#channels;
  }

  get questions(): Questions {
    this.#refuseIfClosed();
    return this.#questions;
  }

  /** Makes {@link stats} report an embedder that is missing although nothing has needed it yet. */
  async probe(): Promise<void> {
    await Promise.all([this.#vectors.look(), this.#indexing.refreshLanguage()]);
  }

  stats(): BotStats {
    this.#refuseIfClosed();
    return statsOf(this.#figured);
  }
  /** The part of {@link stats} that its owner may see: nothing is counted for it. */
  usage(): BotUsage {
    this.#refuseIfClosed();
    return usageOf(this.#figured);
  }
  /** The figures that are at hand: nothing is counted for them. */
  figures(): OpenBotFigures {
    return openFiguresOf(this.#figured);
  }

  get #figured(): StatsDeps {
    return {
      info: this.info(),
      state: this.#state,
      index: this.#index,
      rateUsed: this.#ingest.articles.rateUsed(),
      indexing: this.#indexing,
      vectors: this.#vectors.stats(),
      diskBytes: this.#deps.store.sizes().totalBytes,
      memoryBytes: this.memoryBytes(),
      lastWriteMs: this.#lastWriteMs,
    };
  }

  /** Resolves when everything accepted before the call can be found by BM25. */
  whenSearchable(): Promise<void> {
    this.#refuseIfClosed();
    return this.#indexing.queue.whenIdle();
  }

  /** Resolves when every indexed document has its vectors, or no more can be made for now. */
  async whenUpgraded(): Promise<Upgrade> {
    await this.whenSearchable();
    await this.#indexing.whenLanguageChanged();
    return this.#vectors.whenUpgraded();
  }

  /** Resolves when its embedder reads questions, or cannot be used now. */
  whenReady(): Promise<Readiness> {
    return this.#vectors.whenReady(this.info().quality);
  }

  /** Makes missing vectors. Resolves with true if no more can be made, or with false if the work has to wait. */
  async workOff(): Promise<boolean> {
    if (!(await succeeds(this.whenSearchable()))) return false;
    return this.#vectors.workOff();
  }

  /** Whether the remaining vectors can only be tried again after the next start, or when the bot has changed. */
  get hasGivenUp(): boolean {
    return this.#vectors.hasGivenUp;
  }

  /** The reason to keep an idle bot open. */
  get occupation(): Occupation {
    const { queue } = this.#indexing;
    // Waiting documents are indexed after the next opening, when there may be memory.
    if (queue.isStalled) return "none";
    if (queue.length > 0) return "uninterruptible";
    return this.#indexing.isChangingLanguage || this.#vectors.isWorking || this.#snapshots.isWriting
      ? "interruptible"
      : "none";
  }

  /** Indexes the bot with this analyzer, in the background. Searches use the old terms meanwhile. */
  useLanguage(analyzer: Analyzer): void {
    this.#refuseIfClosed();
    this.#indexing.changeLanguage(analyzer);
  }

  /** Sets the bot's embedder; undefined for none. */
  useEmbedder(embedder: SharedEmbedder | undefined): Promise<void> {
    this.#refuseIfClosed();
    return this.#vectors.use(embedder);
  }

  /** Writes a snapshot now. */
  async snapshot(): Promise<void> {
    this.#refuseIfClosed();
    await this.#snapshots.write();
  }

  /** Erases data from the store that was deleted or replaced before the call. */
  async purge(): Promise<Purged> {
    this.#refuseIfClosed();
    // Writes in flight at the time of the call count as before it.
    await this.#ingest.applied();
    let keepAgain: (() => void) | undefined;
    try {
      return await this.#snapshots.purge(async () => {
        await this.#ingest.applied();
        await this.#indexing.leaveGone();
        keepAgain = await this.#vectors.forgetGone();
        this.#refuseIfClosed();
      });
    } finally {
      keepAgain?.();
    }
  }

  /** The bot as it is now, for a backup: encoded later, while writes continue. */
  contents(): FirstSnapshot {
    this.#refuseIfClosed();
    return this.#snapshots.contents();
  }

  /** The derived data for a backup, once the embedder is open, if the bot has a usable one. */
  async derived(): Promise<DerivedData> {
    this.#refuseIfClosed();
    const [tokenCodes, graph] = await Promise.all([this.#vectors.tokenCodes(), this.#vectors.keptGraph()]);
    return { ...(tokenCodes === undefined ? {} : { tokenCodes }), ...(graph === undefined ? {} : { graph }) };
  }

  /** Waits for writes in flight, writes a snapshot if it makes the next opening quicker, and releases the store. */
  close(): Promise<void> {
    this.#closing ??= this.#close().finally(() => this.#deps.memory?.close());
    return this.#closing;
  }

  /** The same for a bot whose store is about to be deleted: no snapshot is written. */
  discard(): Promise<void> {
    this.#snapshots.stop();
    return this.close();
  }

  async #close(): Promise<void> {
    this.#deps.memory?.leave();
    // Documents that wait may lack vectors, and only a noted bot is opened by the next start.
    if (this.#indexing.queue.length > 0) this.#vectors.noteUnfinished();
    await this.#vectors.close();
    await this.#ingest.settled();
    // Waiting documents are indexed at the next start: closing must be quick.
    await this.#indexing.close();
    await this.#snapshots.close();
    this.#vectors.release();
    await this.#deps.store.close();
  }

  /** Marks the bot as evicted: it is about to be closed, and can be opened again. */
  evict(): void {
    this.#deps.memory?.leave();
    this.#wasEvicted = true;
  }
  /** Whether it was closed only because others needed its place or its memory. */
  get wasEvicted(): boolean {
    return this.#wasEvicted;
  }
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined)
      throw new LoredexError("CLOSED", "The bot is closed: its engine was closed, or it was removed.");
  }

  /** Waits while the index queue is full; otherwise it awaits nothing that takes time. */
  async #readyForWrite(): Promise<void> {
    this.#refuseIfClosed();
    await this.#indexing.queue.whenNotFull();
    this.#refuseIfClosed();
  }
}
