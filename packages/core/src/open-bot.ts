import { BotRoom, ROOM_MAXIMA, type RoomMaxima } from "./accounting/bot-room.ts";
import type { WindowClock } from "./accounting/window-clock.ts";
import type { IdMaker } from "./article/identifier.ts";
import { limitsOf } from "./domain/bot-limits.ts";
import { LoredexError } from "./domain/errors.ts";
import type { Explanation } from "./domain/explanation.ts";
import type { Readiness } from "./domain/missing.ts";
import type { BotInfo, BotStats, Quality, SearchOptions, SearchResult, Upgrade } from "./domain/types.ts";
import type { OpenBotFigures } from "./domain/work.ts";
import type { SharedEmbedder } from "./embedding/shared-embedder.ts";
import { explain } from "./explain.ts";
import { Ingest } from "./ingest.ts";
import { Articles } from "./knowledge/articles.ts";
import { ImportedDocuments } from "./knowledge/imported-documents.ts";
import { Registrations } from "./knowledge/registrations.ts";
import { Sources } from "./knowledge/sources.ts";
import { type DerivedData, GRAPH_CACHE, TOKEN_CODE_BLOCKS } from "./operator/backup-derived.ts";
import { passageLinesInSteps } from "./query/passage-lines.ts";
import { parseSearchRequest, requestBody } from "./query/request.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { AnswerLine } from "./runtime/answer-line.ts";
import type { Occupation } from "./runtime/kept-open.ts";
import type { SharedTurns } from "./runtime/shared-turns.ts";
import { Turns } from "./runtime/steps.ts";
import { succeeds } from "./runtime/succeeds.ts";
import { type Asking, search } from "./search.ts";
import { lastKnownWriteMs } from "./state/last-write.ts";
import { newestVersion, newestVersionNumber } from "./state/newest-version.ts";
import type { BotState } from "./state/state.ts";
import type { FirstSnapshot, Purged } from "./storage/store.ts";
import type { Analyzer } from "./text/analyzer.ts";
import { statsOf } from "./upkeep/bot-stats.ts";
import { BotVectors, type VectorSurroundings } from "./upkeep/bot-vectors.ts";
import { Indexing, type IndexingParts } from "./upkeep/indexing.ts";
import { estimatedBytes, memoryMeasure } from "./upkeep/memory-estimate.ts";
import { type RecoveredBot, type RecoveryParts, recoverBot } from "./upkeep/recover-bot.ts";
import { Snapshots } from "./upkeep/snapshots.ts";

/** What a bot is opened with. */
export interface BotParts extends RecoveryParts, VectorSurroundings, Pick<IndexingParts, "written"> {
  /** The time of its rate window, which goes on while it is not open. */
  readonly windowClock: (lastAdmissionMs: number) => WindowClock;
  readonly ids: IdMaker;
  /** The turns in which long lists are made: one line for the lists of all bots. */
  readonly listing: Turns;
  /** The turns in which questions are answered: those of all bots. */
  readonly answering: SharedTurns;
  /** Undefined: found by words alone. */
  readonly embedder: SharedEmbedder | undefined;
  /** What the bot may hold; default: as much as any bot may. */
  readonly maxima?: RoomMaxima;
  /** Told of every record that was written, and of every one that could not be. */
  readonly onWritten: () => void;
  readonly onWriteFailed: (error: unknown) => void;
  /** Told when vectors are missing, and when none are any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
}

/** A bot on its store: what it knows, the index over it, and all that goes on in the background. */
export class OpenBot {
  readonly #parts: BotParts;
  readonly id: string;
  readonly #state: BotState;
  readonly #index: SearchIndex;
  readonly #ingest: Ingest;
  readonly #indexing: Indexing;
  readonly #snapshots: Snapshots;
  readonly #line: AnswerLine;
  readonly #vectors: BotVectors;
  readonly #articles: Articles;
  readonly #documents: ImportedDocuments;
  readonly #sources: Sources;
  readonly #agents: Registrations;
  readonly #channels: Registrations;
  #closing: Promise<void> | undefined;
  #wasLetGo = false;
  #lastWriteMs: number;

  private constructor(parts: BotParts, { state, index, saved }: RecoveredBot) {
    const { store, clock, ids, info, maxima = ROOM_MAXIMA } = parts;
    this.#parts = parts;
    this.id = info().id;
    this.#state = state;
    this.#lastWriteMs = lastKnownWriteMs(state);
    this.#index = index;
    this.#line = new AnswerLine(parts.answering);
    this.#snapshots = new Snapshots({ ...parts, store, state, index, botId: info().id, lagBytesMax: maxima.logBytes });
    const ingest = new Ingest({
      state,
      append: (payload, onFailed, frees) => {
        const appended = store.append(payload, onFailed, frees);
        appended.then(parts.onWritten, parts.onWriteFailed);
        return appended;
      },
      limits: () => limitsOf(info()),
      clock,
      windowClock: parts.windowClock(state.lastChargeMs),
      ids,
      room: new BotRoom(
        () => {
          const { snapshotBytes, logBytesSinceSnapshot } = store.sizes();
          return snapshotBytes + logBytesSinceSnapshot;
        },
        maxima,
        () => this.#indexing.isFull,
      ),
      memory: parts.memory,
      onFull: () => this.#snapshots.writeForRoom(),
      caughtUp: () => this.#snapshots.caughtUp(),
      onApplied: (change) => {
        parts.memory?.follow();
        // Vectors come by themselves.
        if (change.kind !== "vectors") this.#lastWriteMs = clock.wallMs();
        this.#indexing.onApplied(change);
        this.#snapshots.writeIfDue();
      },
    });
    this.#ingest = ingest;
    this.#vectors = new BotVectors({
      ...parts,
      botId: info().id,
      state,
      index,
      saved,
      newest: (id) => newestVersion(state, id),
      append: (record, codes) => ingest.putVectors(record, codes),
      blocks: store.blocks?.(TOKEN_CODE_BLOCKS),
      cache: { read: () => store.readCache(GRAPH_CACHE), write: (graph) => store.writeCache(GRAPH_CACHE, graph) },
    });
    // What is stored has the words of before: it would be read anew at the next start.
    const onReadAnew = (): void => this.#snapshots.writeAnyway();
    this.#indexing = new Indexing({ ...parts, state, index, vectors: this.#vectors, onReadAnew });
    parts.memory?.measureBy(memoryMeasure(state, index, () => this.memoryBytes()));
    const writing = { state, ingest, ready: () => this.#readyForWrite(), turns: parts.listing };
    const searchable = (id: string) => index.versionOf(id);
    this.#articles = new Articles({
      ...writing,
      searchable,
      passages: passageLinesInSteps,
      // A line of their own: a long text that is looked at before it is written holds up no question.
      previews: new AnswerLine(parts.answering),
      check: () => this.#refuseIfClosed(),
    });
    this.#documents = new ImportedDocuments(writing);
    this.#sources = new Sources({ ...writing, clock });
    [this.#agents, this.#channels] = [new Registrations(writing, "agent"), new Registrations(writing, "channel")];
  }

  /** Opens a bot on its store, which is its own from now on: everything accepted before is searchable when this resolves, unless memory is short. Closes it if it rejects. */
  static async open(parts: BotParts): Promise<OpenBot> {
    const turns = new Turns(parts.clock);
    const bot = new OpenBot(parts, await recoverBot(parts, turns));
    try {
      parts.memory?.requireOpenable();
      await bot.#indexing.catchUp(turns);
      await bot.useEmbedder(parts.embedder);
      if (parts.background) void bot.#indexing.written.look();
      return bot;
    } catch (error) {
      // Nothing of it may go on by itself; what it has not read to the end is not written.
      await bot.discard();
      throw error;
    }
  }

  /** Its settings as they are now. */
  info(): BotInfo {
    return this.#parts.info();
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

  /** Answers a request as the HTTP API takes it; rejects with the signal's reason when that aborts before. */
  async search(body: unknown, quality?: Quality, signal?: AbortSignal): Promise<SearchResult[]> {
    this.#refuseIfClosed();
    const results = await search(this.#index, parseSearchRequest(body), this.#asking(quality, signal));
    this.#refuseIfClosed();
    return results;
  }

  /** Why a document stands where it stands among the answers to a question, or is not there. */
  async explain(query: string, id: string, options: SearchOptions): Promise<Explanation> {
    this.#refuseIfClosed();
    const request = parseSearchRequest(requestBody(query, options));
    const newest = (known: string): number | undefined => newestVersionNumber(this.#state, known);
    const { quality, signal } = options;
    const explanation = await explain(this.#index, request, id, newest, this.#asking(quality, signal));
    this.#refuseIfClosed();
    return explanation;
  }

  /** Has {@link stats} tell of an embedder that is missing although nothing has needed it yet. */
  async look(): Promise<void> {
    await Promise.all([this.#vectors.look(), this.#indexing.look()]);
  }

  stats(): BotStats {
    this.#refuseIfClosed();
    return statsOf({
      info: this.info(),
      state: this.#state,
      index: this.#index,
      rateUsed: this.#ingest.articles.rateUsed(),
      queue: this.#indexing.queue,
      languageChange: this.#indexing.languageChange,
      vectors: this.#vectors.stats(),
      sizes: this.figures(),
    });
  }

  /** Those of its figures that are at hand: nothing is counted for them. */
  figures(): OpenBotFigures {
    const { id, quotaCharacters } = this.info();
    return {
      id,
      quotaCharacters,
      ...this.#vectors.figures(),
      articles: this.#state.articles.size,
      documents: this.#state.documents.size,
      characterUsed: this.#state.characterUsed,
      ...this.#indexing.figures,
      diskBytes: this.#parts.store.sizes().totalBytes,
      memoryBytes: this.memoryBytes(),
      ...(this.#lastWriteMs === 0 ? {} : { lastWriteAt: new Date(this.#lastWriteMs).toISOString() }),
    };
  }

  /** Resolves when everything accepted before the call can be found by its words. */
  whenSearchable(): Promise<void> {
    this.#refuseIfClosed();
    return this.#indexing.queue.whenIdle();
  }

  /** Resolves when everything that can be found by words can be found by meaning too, or nothing more can be done for it now. */
  async whenUpgraded(): Promise<Upgrade> {
    await this.whenSearchable();
    await this.#indexing.whenLanguageChanged();
    return this.#vectors.whenUpgraded();
  }

  /** Resolves when its embedder reads questions or cannot be used now. */
  whenReady(): Promise<Readiness> {
    return this.#vectors.whenReady(this.info().quality);
  }

  /** Has its vectors made; resolves with whether nothing is left that can be made, or with false when that has to wait. */
  async workOff(): Promise<boolean> {
    if (!(await succeeds(this.whenSearchable()))) return false;
    return this.#vectors.workOff();
  }

  /** Whether what is left can only be tried anew after the next start, or when the bot has changed. */
  get hasGivenUp(): boolean {
    return this.#vectors.hasGivenUp;
  }

  /** What keeps it from being closed although nobody uses it. */
  get occupation(): Occupation {
    const { queue } = this.#indexing;
    // What waits is indexed after its next opening, when there may be memory.
    if (queue.isStalled) return "none";
    if (queue.length > 0) return "uninterruptible";
    return this.#indexing.isChangingLanguage || this.#vectors.isWorking || this.#snapshots.isWriting
      ? "interruptible"
      : "none";
  }

  /** About how much memory it takes. */
  memoryBytes(): number {
    return estimatedBytes(this.#state, this.#index) + this.#indexing.languageChangeBytes + this.#vectors.signsBytes;
  }

  /** Its words are read by this analyzer from now on: in the background, while searches go on with the words of before. */
  useLanguage(analyzer: Analyzer): void {
    this.#refuseIfClosed();
    this.#indexing.changeLanguage(analyzer);
  }

  /** Its embedder from now on; undefined for none. */
  useEmbedder(embedder: SharedEmbedder | undefined): Promise<void> {
    this.#refuseIfClosed();
    return this.#vectors.use(embedder);
  }

  /** Writes a snapshot now. */
  async snapshot(): Promise<void> {
    this.#refuseIfClosed();
    await this.#snapshots.write();
  }

  /** Leaves nothing in the store of what was deleted or replaced before the call. */
  async purge(): Promise<Purged> {
    this.#refuseIfClosed();
    // What is on its way when this is called belongs to what was before.
    await this.#ingest.applied();
    let keepAnew: (() => void) | undefined;
    try {
      return await this.#snapshots.purge(async () => {
        await this.#ingest.applied();
        await this.#indexing.leaveGone();
        keepAnew = await this.#vectors.forgetGone();
        this.#refuseIfClosed();
        // The digest of a text that is gone tells whoever guesses it that it was there.
        this.#state.creates.clear();
      });
    } finally {
      keepAnew?.();
    }
  }

  /** All of it as it is now, for a backup: encoded later, while writes go on. */
  contents(): FirstSnapshot {
    this.#refuseIfClosed();
    return this.#snapshots.contents();
  }

  /** What beside it can be made again, as soon as its embedder is opened, where it has one that can be. */
  async derived(): Promise<DerivedData> {
    this.#refuseIfClosed();
    const tokenCodes = await this.#vectors.tokenCodes();
    const graph = await this.#parts.store.readCache(GRAPH_CACHE);
    return { ...(tokenCodes === undefined ? {} : { tokenCodes }), ...(graph === undefined ? {} : { graph }) };
  }

  /** Waits for what is in flight, writes what makes the next opening quick, and releases the store. */
  close(): Promise<void> {
    this.#closing ??= this.#close().finally(() => this.#parts.memory?.close());
    return this.#closing;
  }

  /** The same for a bot whose store is about to be deleted: nothing is written that nobody will read. */
  discard(): Promise<void> {
    this.#snapshots.stop();
    return this.close();
  }

  async #close(): Promise<void> {
    this.#parts.memory?.leave();
    await this.#vectors.close();
    await this.#ingest.settled();
    // What still waits is indexed at the next start: closing must be quick.
    await this.#indexing.close();
    await this.#snapshots.close();
    this.#vectors.release();
    await this.#parts.store.close();
  }

  /** It is about to be closed, and can be opened again. */
  letGo(): void {
    this.#parts.memory?.leave();
    this.#wasLetGo = true;
  }
  /** Whether it was closed only because others needed its place. */
  get wasLetGo(): boolean {
    return this.#wasLetGo;
  }
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined)
      throw new LoredexError("CLOSED", "The bot is closed: its engine was closed, or it was removed.");
  }

  #asking(quality: Quality = this.info().quality, signal?: AbortSignal): Asking {
    const embed = (question: string) => this.#vectors.embedQuestion(question, quality);
    const check = (): void => this.#refuseIfClosed();
    return { line: this.#line, embed, signs: this.#vectors.signsFor(quality), check, signal };
  }

  /** Waits while too much waits to be indexed: otherwise it awaits nothing that takes time. */
  async #readyForWrite(): Promise<void> {
    this.#refuseIfClosed();
    await this.#indexing.queue.whenRoom();
    this.#refuseIfClosed();
  }
}
