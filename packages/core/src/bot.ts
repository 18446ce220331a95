import { WindowClock } from "./accounting/window-clock.ts";
import type { IdMaker } from "./article/identifier.ts";
import { articleView } from "./article/view.ts";
import { STATUSES } from "./document/shape.ts";
import { LoredexError } from "./domain/errors.ts";
import type { Explanation } from "./domain/explanation.ts";
import { NAME_CHARACTERS_MAX } from "./domain/limits.ts";
import { INDEX_QUEUE_LENGTH_MAX, QUALITIES } from "./domain/options.ts";
import type { BotRecord } from "./domain/records.ts";
import type {
  Article,
  ArticleFilter,
  ArticleWrite,
  BotInfo,
  BotStats,
  DocumentFilter,
  DocumentStatus,
  ImportOptions,
  ImportOutcome,
  Quality,
  Registration,
  SearchOptions,
  SearchResult,
  StoredDocument,
} from "./domain/types.ts";
import { requireOneOf, Violations } from "./domain/validation.ts";
import type { EmbeddedQuestion, SharedEmbedder } from "./embedding/shared-embedder.ts";
import { explain } from "./explain.ts";
import { Ingest, type IngestedArticle } from "./ingest.ts";
import { cutDocument } from "./query/embedded-texts.ts";
import { parseSearchRequest, requestBody } from "./query/request.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { frozen } from "./runtime/frozen.ts";
import { search } from "./search.ts";
import type { IndexChange } from "./state/apply.ts";
import { articlesIn, documentsIn, idsOfSource, registrationsIn } from "./state/listings.ts";
import { newestVersion, newestVersionNumber, searchableIds } from "./state/newest-version.ts";
import type { BotState, VersionedArticle } from "./state/state.ts";
import type { FirstSnapshot, Store } from "./storage/store.ts";
import type { Analyzer } from "./text/analyzer.ts";
import { statsOf } from "./upkeep/bot-stats.ts";
import { BotVectors, type VectorSurroundings } from "./upkeep/bot-vectors.ts";
import { IndexQueue } from "./upkeep/index-queue.ts";
import { recoverBot } from "./upkeep/recover-bot.ts";
import { Snapshots } from "./upkeep/snapshots.ts";

/** The graph of the bot's vectors, in its store. */
const GRAPH_CACHE = "graph";

/** What a bot is opened with. */
export interface BotParts extends VectorSurroundings {
  readonly info: () => BotInfo;
  readonly store: Store;
  readonly analyzer: Analyzer;
  readonly ids: IdMaker;
  /** Undefined: found by words alone. */
  readonly embedder: SharedEmbedder | undefined;
  /** Told when vectors are missing, and when none are any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
}

/**
 * One tenant with its knowledge: articles, imported documents, agents and channels, and the search over all of it.
 * Get one from {@link Engine.bot}. Every write is durable when its promise resolves; reads see what is durable.
 */
export class Bot {
  readonly #parts: BotParts;
  readonly #state: BotState;
  readonly #index: SearchIndex;
  readonly #ingest: Ingest;
  readonly #queue: IndexQueue;
  readonly #snapshots: Snapshots;
  readonly #vectors: BotVectors;
  #closing: Promise<void> | undefined;

  private constructor(parts: BotParts, { state, index, saved }: Awaited<ReturnType<typeof recoverBot>>) {
    const { store, clock, ids, info, logger } = parts;
    this.#parts = parts;
    this.#state = state;
    this.#index = index;
    this.#snapshots = new Snapshots({ store, state, index, logger, botId: info().id });
    this.#queue = new IndexQueue((id) => this.#indexNow(id), clock, logger, INDEX_QUEUE_LENGTH_MAX);
    this.#ingest = new Ingest({
      state,
      append: (payload) => store.append(payload),
      limits: info,
      clock,
      windowClock: new WindowClock(clock, state.lastChargeMs),
      ids,
      onApplied: (change) => this.#onApplied(change),
    });
    this.#vectors = new BotVectors({
      ...parts,
      botId: info().id,
      state,
      index,
      saved,
      newest: (id) => newestVersion(state, id),
      append: (record, codes) => this.#ingest.putVectors(record, codes),
      cache: { read: () => store.readCache(GRAPH_CACHE), write: (graph) => store.writeCache(GRAPH_CACHE, graph) },
    });
  }

  /** Opens a bot on its store, which is its own from now on: everything accepted before is searchable when this resolves. */
  static async open(parts: BotParts): Promise<Bot> {
    const recovered = await recoverBot(parts);
    const { state, index } = recovered;
    const bot = new Bot(parts, recovered);
    for (const id of searchableIds(state)) {
      if (index.versionOf(id) !== newestVersionNumber(state, id)) bot.#queue.add(id);
    }
    await bot.#queue.whenIdle();
    await bot.useEmbedder(parts.embedder);
    return bot;
  }

  get id(): string {
    return this.info().id;
  }

  /** Its settings as they are now. */
  info(): BotInfo {
    return this.#parts.info();
  }

  /**
   * Creates an article; see {@link ArticleInput}.
   * @throws ValidationError, then QuotaExceededError, then RateExceededError; nothing is changed or charged then
   */
  async createArticle(input: unknown): Promise<ArticleWrite> {
    await this.#readyForWrite();
    return this.#written(await this.#ingest.createArticle(input));
  }

  /**
   * Changes an article; see {@link ArticlePatch}. An update that changes nothing writes nothing.
   * @throws LoredexError `ARTICLE_NOT_FOUND`, then as {@link createArticle}
   */
  async updateArticle(id: string, patch: unknown): Promise<ArticleWrite> {
    await this.#readyForWrite();
    return this.#written(await this.#ingest.updateArticle(id, patch));
  }

  /**
   * Deletes an article: the very next search does not find it.
   * @throws LoredexError `ARTICLE_NOT_FOUND`
   */
  async deleteArticle(id: string): Promise<void> {
    await this.#readyForWrite();
    await this.#ingest.deleteArticle(id);
  }

  getArticle(id: string): Article | undefined {
    this.#refuseIfClosed();
    const article = this.#state.articles.get(id);
    return article === undefined ? undefined : this.#articleOf(article);
  }

  /** The newest accepted versions, oldest `createdAt` first, ties by id. */
  listArticles(filter: ArticleFilter = {}): Article[] {
    this.#refuseIfClosed();
    return articlesIn(this.#state, filter).map((article) => this.#articleOf(article));
  }

  /** The articles whose `activeOn` names this agent, registered or not, in the order of {@link listArticles}. */
  articlesOfAgent(agent: string): Article[] {
    return this.listArticles().filter(({ activeOn }) => activeOn.some((entry) => entry.agent === agent));
  }

  /**
   * Imports a document; see {@link DocumentInput}. One with the same `resourceDocId` is replaced whole; the same again does nothing.
   * @throws ValidationError naming every broken rule
   */
  async importDocument(input: unknown, { source }: ImportOptions = {}): Promise<ImportOutcome> {
    await this.#readyForWrite();
    return this.#ingest.importDocument(input, source);
  }

  /** Ids of the documents that an import with this source brought last, in no order. */
  documentsOfSource(source: string): string[] {
    this.#refuseIfClosed();
    return idsOfSource(this.#state, source);
  }

  getDocument(id: string): StoredDocument | undefined {
    this.#refuseIfClosed();
    return frozen(this.#state.documents.get(id)?.document);
  }

  /** Imported documents by id. */
  listDocuments(filter: DocumentFilter = {}): StoredDocument[] {
    this.#refuseIfClosed();
    return documentsIn(this.#state, filter).map(frozen);
  }

  /** @throws LoredexError `DOCUMENT_NOT_FOUND`, ValidationError */
  async setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    await this.#readyForWrite();
    requireOneOf("status", status, STATUSES);
    await this.#ingest.setDocumentStatus(id, status);
  }

  /** @throws LoredexError `DOCUMENT_NOT_FOUND` */
  async removeDocument(id: string): Promise<void> {
    await this.#readyForWrite();
    await this.#ingest.removeDocument(id);
  }

  /** Registers an agent, or changes whether it is active. */
  async putAgent(name: string, active: boolean): Promise<void> {
    await this.#register({ kind: "agentPut", name, active });
  }
  /** @throws LoredexError `REGISTRATION_NOT_FOUND` */
  async removeAgent(name: string): Promise<void> {
    this.#requireRegistered(this.#state.agents, "agent", name);
    await this.#register({ kind: "agentDelete", name });
  }
  /** By name. */
  listAgents(): Registration[] {
    return registrationsIn(this.#state.agents);
  }

  /** Registers a channel, or changes whether it is active. */
  async putChannel(name: string, active: boolean): Promise<void> {
    await this.#register({ kind: "channelPut", name, active });
  }
  /** @throws LoredexError `REGISTRATION_NOT_FOUND` */
  async removeChannel(name: string): Promise<void> {
    this.#requireRegistered(this.#state.channels, "channel", name);
    await this.#register({ kind: "channelDelete", name });
  }
  /** By name. */
  listChannels(): Registration[] {
    return registrationsIn(this.#state.channels);
  }

  /**
   * Finds the documents that answer a question, best first; see {@link SearchOptions}.
   * @throws ValidationError naming every broken rule, with the API's field names (`options.topK`)
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    return this.searchRequest(requestBody(query, options), options.quality);
  }

  /** The same, with a request as the HTTP API takes it: `{ query, filters?, options? }`. */
  async searchRequest(body: unknown, quality?: Quality): Promise<SearchResult[]> {
    this.#refuseIfClosed();
    const results = await search(this.#index, parseSearchRequest(body), this.#embedBy(quality));
    this.#refuseIfClosed();
    return results;
  }

  /**
   * Why a document stands where it stands among the answers to a question, or is not there: with the same options, the numbers
   * are those of {@link search}. An id that the bot does not know is explained as well: `outcome` is `unknown`.
   * @throws ValidationError as {@link search}
   */
  async explain(query: string, id: string, options: SearchOptions = {}): Promise<Explanation> {
    this.#refuseIfClosed();
    const request = parseSearchRequest(requestBody(query, options));
    const newest = (known: string): number | undefined => newestVersionNumber(this.#state, known);
    const explanation = await explain(this.#index, request, id, newest, this.#embedBy(options.quality));
    this.#refuseIfClosed();
    return explanation;
  }

  stats(): BotStats {
    this.#refuseIfClosed();
    return statsOf({
      info: this.info(),
      state: this.#state,
      index: this.#index,
      rateUsed: this.#ingest.rateUsed(),
      queue: this.#queue,
      vectors: this.#vectors.stats(),
      diskBytes: this.#parts.store.sizes().totalBytes,
    });
  }

  /** Resolves when everything accepted before the call can be found by its words. */
  whenSearchable(): Promise<void> {
    this.#refuseIfClosed();
    return this.#queue.whenIdle();
  }

  /**
   * Resolves when everything that can be found by words can be found by meaning too, or the embedder is not to be had:
   * `stats().vectors` tells. At once for a bot without an embedder.
   */
  async whenUpgraded(): Promise<void> {
    await this.whenSearchable();
    await this.#vectors.whenUpgraded();
  }

  /** Its embedder from now on; undefined for none. The engine does this. */
  useEmbedder(embedder: SharedEmbedder | undefined): Promise<void> {
    this.#refuseIfClosed();
    return this.#vectors.use(embedder);
  }

  /** Writes a snapshot now, so that the next start replays no log. Snapshots are written by themselves as the log grows. */
  async snapshot(): Promise<void> {
    this.#refuseIfClosed();
    await this.#snapshots.write();
  }

  /** All of it as it is now, for a backup: encoded later, while writes go on. */
  contents(): FirstSnapshot {
    this.#refuseIfClosed();
    return this.#snapshots.contents();
  }

  /** Waits for what is in flight and releases the store. The engine does this. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#vectors.close();
    await this.#ingest.settled();
    // What still waits is indexed at the next start: closing must be quick.
    await this.#queue.close();
    await this.#snapshots.close();
    this.#vectors.release();
    await this.#parts.store.close();
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined)
      throw new LoredexError("CLOSED", "The bot is closed: its engine was closed, or it was removed.");
  }

  #embedBy(quality = this.info().quality): (question: string) => Promise<EmbeddedQuestion | undefined> {
    requireOneOf("quality", quality, QUALITIES);
    return (question) => this.#vectors.embedQuestion(question, quality);
  }

  /** Waits while too much waits to be indexed: otherwise it awaits nothing that takes time. */
  async #readyForWrite(): Promise<void> {
    this.#refuseIfClosed();
    await this.#queue.whenRoom();
    this.#refuseIfClosed();
  }

  async #register(record: Extract<BotRecord, { readonly name: string }>): Promise<void> {
    await this.#readyForWrite();
    const violations = new Violations();
    violations.string("name", record.name, { min: 1, max: NAME_CHARACTERS_MAX });
    violations.throwIfAny();
    await this.#ingest.register(record);
  }

  #requireRegistered(registered: ReadonlyMap<string, boolean>, what: string, name: string): void {
    if (registered.has(name)) return;
    throw new LoredexError("REGISTRATION_NOT_FOUND", `There is no ${what} named ${name}.`);
  }

  #written({ article, characterUsed }: IngestedArticle): ArticleWrite {
    // Between the write and this answer a later one may have come: the caller is told of its own.
    const now = this.#state.articles.get(article.id);
    const version = now?.fields === article ? now.version : -1;
    return { article: this.#articleOf({ fields: article, version }), characterUsed };
  }

  #articleOf({ fields, version }: VersionedArticle): Article {
    return frozen(articleView(fields, this.#index.versionOf(fields.id) === version ? "active" : "uploading"));
  }

  #onApplied(change: IndexChange): void {
    if (change.kind === "index") this.#queue.add(change.id);
    else if (change.kind === "remove") {
      this.#queue.remove(change.id);
      this.#index.remove(change.id);
      this.#vectors.onRemoved(change.id);
    } else if (change.kind === "amend") this.#amend(change.id);
    else if (change.kind === "vectors") this.#vectors.onVectors(change.id);
    this.#snapshots.writeIfDue();
  }

  /** Metadata is seen by the next search; but a version that still waits is only ever seen whole. */
  #amend(id: string): void {
    const newest = newestVersion(this.#state, id);
    if (newest !== undefined && this.#index.versionOf(id) === newest.version) this.#index.amend(newest.document);
  }

  #indexNow(id: string): void {
    const newest = newestVersion(this.#state, id);
    if (newest === undefined) return;
    const cut = cutDocument(newest.document);
    this.#index.replace(newest.document, newest.version, cut);
    this.#vectors.onIndexed(id, cut);
  }
}
