import type { BotsInUse } from "./bots-in-use.ts";
import type { DocumentPage, DocumentPageRequest } from "./model/document-page.ts";
import type { ContentChangeOptions } from "./model/entity-tags.ts";
import type { Explanation, SearchAnswer } from "./model/explanation.ts";
import { A_BOOLEAN, A_SIGNAL, A_STRING, A_STRING_OR_MORE, listOf, oneOf, optional } from "./model/known-options.ts";
import type { Readiness } from "./model/missing.ts";
import * as tables from "./model/option-tables.ts";
import { DOCUMENT_STATUSES, SEARCH_QUALITIES, type SearchQuality } from "./model/options.ts";
import type { NotingOptions, QueryAnswer, QueryOptions } from "./model/queries.ts";
import { requireArguments } from "./model/require-options.ts";
import type { ArgumentOptions, ArgumentPlace, OwnedDocument, SourceInfo } from "./model/sources.ts";
import type { SuggestAnswer, Suggestion, SuggestOptions } from "./model/suggestions.ts";
import type {
  Article,
  ArticleChangeOptions,
  ArticleCreateOptions,
  ArticleKeys,
  ArticleListRequest,
  ArticlePage,
  ArticlePageRequest,
  ArticlePreview,
  ArticlePreviewOptions,
  ArticleUpsert,
  ArticleWrite,
  BotInfo,
  DocumentFilter,
  DocumentStatus,
  ImportOptions,
  ImportOutcome,
  Registration,
  RemoveOptions,
  SearchOptions,
  SearchResult,
  StoredDocument,
  Upgrade,
  WriteOptions,
} from "./model/types.ts";
import type { BotStats, BotUsage } from "./model/usage.ts";
import type { Vocabulary } from "./model/vocabulary-types.ts";
import { type AnswerOptions, withStaleness } from "./questions.ts";
import { requestBody } from "./search/request.ts";

const REQUEST_KINDS = {
  quality: optional(oneOf(SEARCH_QUALITIES)),
  signal: optional(A_SIGNAL),
  noting: tables.NOTING_OPTIONS,
};

/**
 * One tenant with its knowledge: articles, imported documents, agents and channels, and the search over all of it.
 * Get one from {@link Engine.bot}. Every write is durable when its promise resolves; reads see what is durable.
 * A handle is valid as long as its engine is open: if the bot was evicted meanwhile, the next call opens its store again.
 * So every call may throw what {@link Engine.bot} throws, and `CLOSED` once the engine is closed. A call with an unknown option, or with a value of
 * a wrong type, throws a ValidationError.
 */
export class Bot {
  readonly id: string;
  readonly #bots: BotsInUse;
  readonly #observed: ReturnType<BotsInUse["observedBy"]>;

  /** @internal */
  constructor(id: string, bots: BotsInUse, openedMs = 0) {
    this.id = id;
    this.#bots = bots;
    this.#observed = bots.observedBy(id, openedMs);
  }

  /** The bot's current settings. @throws LoredexError `BOT_NOT_FOUND` once it was removed */
  info(): BotInfo {
    return this.#bots.info(this.id);
  }

  /**
   * Creates an article; see {@link ArticleInput}. With an idempotency key, the article is created once, however often the call is repeated.
   * @throws ValidationError; then LoredexError `IDEMPOTENCY_KEY_REUSED` for a key that was used with another input; then QuotaExceededError;
   * then RateExceededError. A failed call changes and charges nothing, and its key may be used again.
   */
  async createArticle(input: unknown, options: ArticleCreateOptions = {}): Promise<ArticleWrite> {
    requireArguments("Bot.createArticle", { options }, { options: tables.ARTICLE_CREATE_OPTIONS });
    return this.#observed("create", (bot) => bot.articles.create(input, options), options);
  }

  /**
   * Changes an article; see {@link ArticlePatch}. An update that changes nothing writes nothing.
   * @throws LoredexError `ARTICLE_NOT_FOUND`; then ValidationError; then LoredexError `ARTICLE_CHANGED` if `ifMatch` is given and does not
   * match; then as {@link createArticle}
   */
  async updateArticle(id: string, patch: unknown, options: ArticleChangeOptions = {}): Promise<ArticleWrite> {
    requireArguments("Bot.updateArticle", { id, options }, { id: A_STRING, options: tables.ARTICLE_CHANGE_OPTIONS });
    return this.#observed("update", (bot) => bot.articles.update(id, patch, options), options);
  }

  /**
   * Updates the one article whose metadata equals the input's (`===`) under each key of `by`, or creates it if there is none.
   * Two concurrent calls never create two articles.
   * @throws ValidationError, also if the input has no such value; LoredexError `SEVERAL_ARTICLES` if more than one article matches; then as
   * {@link updateArticle} or {@link createArticle}
   */
  async upsertArticle(by: ArticleKeys, input: unknown, options: WriteOptions = {}): Promise<ArticleUpsert> {
    requireArguments("Bot.upsertArticle", { by, options }, { by: A_STRING_OR_MORE, options: tables.WRITE_OPTIONS });
    return this.#observed("upsert", (bot) => bot.articles.upsert(by, input), options);
  }

  /**
   * Previews a create, or with `id` an update, of these fields: nothing is written or charged.
   * @throws ValidationError, LoredexError `ARTICLE_NOT_FOUND`: as the write itself; the signal's reason if it aborts
   */
  async previewArticle(input: unknown, options: ArticlePreviewOptions = {}): Promise<ArticlePreview> {
    requireArguments("Bot.previewArticle", { options }, { options: tables.ARTICLE_PREVIEW_OPTIONS });
    return this.#bots.use(this.id, (bot) => bot.articles.preview(input, options));
  }

  /**
   * Deletes an article: the very next search does not find it.
   * @throws LoredexError `ARTICLE_NOT_FOUND`, then `ARTICLE_CHANGED` if `ifMatch` is given and does not match
   */
  async deleteArticle(id: string, options: ArticleChangeOptions = {}): Promise<void> {
    requireArguments("Bot.deleteArticle", { id, options }, { id: A_STRING, options: tables.ARTICLE_CHANGE_OPTIONS });
    await this.#observed("delete", (bot) => bot.articles.delete(id, options), options);
  }

  /** The newest accepted version of an article; undefined if there is none. */
  async getArticle(id: string): Promise<Article | undefined> {
    requireArguments("Bot.getArticle", { id }, { id: A_STRING });
    return this.#bots.use(this.id, (bot) => bot.articles.get(id));
  }
  /** Lists the newest accepted versions, in the order of `sort`: by default oldest `createdAt` first, ties by id. */
  async listArticles(request: ArticleListRequest = {}): Promise<Article[]> {
    requireArguments("Bot.listArticles", { request }, { request: tables.ARTICLE_LIST_REQUEST });
    return this.#bots.use(this.id, (bot) => bot.articles.list(request));
  }

  /**
   * A page of {@link listArticles}. The order of pages is stable while others write: no article comes twice, and an article that exists all the
   * time is never left out. With a `sort` by `updatedAt` or `title` that holds for articles that are not changed meanwhile: a change moves an article.
   * @throws ValidationError for a limit out of range or an `after` that no page had
   */
  async articlePage(request: ArticlePageRequest = {}): Promise<ArticlePage> {
    requireArguments("Bot.articlePage", { request }, { request: tables.ARTICLE_PAGE_REQUEST });
    return this.#bots.use(this.id, (bot) => bot.articles.page(request));
  }

  /** The articles whose `activeOn` names this agent, registered or not, in the order of {@link listArticles}. */
  async articlesOfAgent(agent: string): Promise<Article[]> {
    requireArguments("Bot.articlesOfAgent", { agent }, { agent: A_STRING });
    return this.#bots.use(this.id, (bot) => bot.articles.ofAgent(agent));
  }

  /**
   * Imports a document; see {@link DocumentInput}. A document with the same `resourceDocId` is replaced whole; an identical one changes nothing.
   * @throws ValidationError naming every broken rule, or, with the type `otherSource`, the source that owns the id
   */
  async importDocument(input: unknown, options: ImportOptions = {}): Promise<ImportOutcome> {
    requireArguments("Bot.importDocument", { options }, { options: tables.IMPORT_OPTIONS });
    return this.#observed("import", (bot) => bot.documents.import(input, options), {
      outcomeOf: (outcome) => outcome,
    });
  }

  /** The ids of a source's documents, in no order. */
  async documentsOfSource(source: string): Promise<string[]> {
    requireArguments("Bot.documentsOfSource", { source }, { source: A_STRING });
    return (await this.ownedDocuments([source])).map(({ id }) => id);
  }
  /** The documents of these sources, each with its argument and its file, in no order. */
  async ownedDocuments(sources: readonly string[]): Promise<readonly OwnedDocument[]> {
    requireArguments("Bot.ownedDocuments", { sources }, { sources: listOf(A_STRING, "a list of names") });
    return this.#bots.use(this.id, (bot) => bot.sources.owned(sources));
  }

  /** The sources of imported documents, by name. */
  listSources(): Promise<SourceInfo[]> {
    return this.#bots.use(this.id, (bot) => bot.sources.list());
  }

  /**
   * Records an argument of a source's import, so that a later import knows it again. Creates the source if it is missing.
   * @throws ValidationError
   */
  async putSourceArgument(source: string, argument: ArgumentPlace, options: ArgumentOptions = {}): Promise<void> {
    requireArguments(
      "Bot.putSourceArgument",
      { source, options },
      { source: A_STRING, options: tables.ARGUMENT_OPTIONS },
    );
    await this.#bots.use(this.id, (bot) => bot.sources.putArgument(source, argument, options));
  }

  /**
   * Renames a source (its own name keeps it), and gives one of its arguments another place; its documents stay as they are.
   * A source that has the new name and no documents is forgotten.
   * @throws LoredexError `SOURCE_NOT_FOUND`, `SOURCE_EXISTS`, ValidationError
   */
  async moveSource(source: string, to: string, argument: ArgumentPlace): Promise<void> {
    requireArguments("Bot.moveSource", { source, to }, { source: A_STRING, to: A_STRING });
    await this.#bots.use(this.id, (bot) => bot.sources.move(source, to, argument));
  }

  /**
   * Removes a source with all its documents. Resolves with the number of documents. Another call continues a removal that broke off.
   * @throws LoredexError `SOURCE_NOT_FOUND`
   */
  async removeSource(source: string): Promise<number> {
    requireArguments("Bot.removeSource", { source }, { source: A_STRING });
    const removed = new Set<string>();
    return this.#bots.use(this.id, (bot) => bot.sources.remove(source, removed));
  }

  /** An imported document; undefined if there is none. */
  async getDocument(id: string): Promise<StoredDocument | undefined> {
    requireArguments("Bot.getDocument", { id }, { id: A_STRING });
    return this.#bots.use(this.id, (bot) => bot.documents.get(id));
  }
  /** Lists imported documents by id. */
  async listDocuments(filter: DocumentFilter = {}): Promise<StoredDocument[]> {
    requireArguments("Bot.listDocuments", { filter }, { filter: tables.DOCUMENT_FILTER });
    return this.#bots.use(this.id, (bot) => bot.documents.list(filter));
  }
  /** A page of all articles and imported documents, without their content. Writes between two pages move rows. @throws ValidationError */
  async documentPage(request: DocumentPageRequest = {}): Promise<DocumentPage> {
    requireArguments("Bot.documentPage", { request }, { request: tables.DOCUMENT_PAGE_REQUEST });
    return this.#bots.use(this.id, (bot) => bot.documents.page(request));
  }
  /** Sets the status of an imported document. @throws LoredexError `DOCUMENT_NOT_FOUND`, ValidationError */
  async setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    requireArguments("Bot.setDocumentStatus", { id, status }, { id: A_STRING, status: oneOf(DOCUMENT_STATUSES) });
    await this.#observed("status", (bot) => bot.documents.setStatus(id, status));
  }
  /** Removes an imported document. @throws LoredexError `DOCUMENT_NOT_FOUND` */
  async removeDocument(id: string, options: RemoveOptions = {}): Promise<void> {
    requireArguments("Bot.removeDocument", { id, options }, { id: A_STRING, options: tables.REMOVE_OPTIONS });
    await this.#observed("remove", (bot) => bot.documents.remove(id, options));
  }
  /** Registers an agent, or changes whether it is active. */
  async putAgent(name: string, active: boolean): Promise<void> {
    requireArguments("Bot.putAgent", { name, active }, { name: A_STRING, active: A_BOOLEAN });
    await this.#bots.use(this.id, (bot) => bot.agents.put(name, active));
  }
  /** Removes an agent. @throws LoredexError `REGISTRATION_NOT_FOUND` */
  async removeAgent(name: string): Promise<void> {
    requireArguments("Bot.removeAgent", { name }, { name: A_STRING });
    await this.#bots.use(this.id, (bot) => bot.agents.remove(name));
  }
  /** Lists the registered agents by name. */
  listAgents(): Promise<Registration[]> {
    return this.#bots.use(this.id, (bot) => bot.agents.list());
  }
  /** Registers a channel, or changes whether it is active. */
  async putChannel(name: string, active: boolean): Promise<void> {
    requireArguments("Bot.putChannel", { name, active }, { name: A_STRING, active: A_BOOLEAN });
    await this.#bots.use(this.id, (bot) => bot.channels.put(name, active));
  }
  /** Removes a channel. @throws LoredexError `REGISTRATION_NOT_FOUND` */
  async removeChannel(name: string): Promise<void> {
    requireArguments("Bot.removeChannel", { name }, { name: A_STRING });
    await this.#bots.use(this.id, (bot) => bot.channels.remove(name));
  }
  /** Lists the registered channels by name. */
  listChannels(): Promise<Registration[]> {
    return this.#bots.use(this.id, (bot) => bot.channels.list());
  }

  /** The bot's vocabulary: synonyms, pinned answers and words to ignore. Its lists are empty if it was never set. */
  getVocabulary(): Promise<Vocabulary> {
    return this.#bots.use(this.id, (bot) => bot.vocabulary.get());
  }
  /**
   * Replaces the whole vocabulary, and resolves with the new one; see {@link VocabularyInput}. The very next search obeys it. `{}` empties it.
   * @throws ValidationError naming every broken rule, LoredexError `CONTENT_CHANGED` if `ifMatch` is given and does not match
   */
  setVocabulary(vocabulary: unknown, options: ContentChangeOptions = {}): Promise<Vocabulary> {
    return this.#bots.use(this.id, (bot) => bot.vocabulary.set(vocabulary, options));
  }

  /**
   * Finds the documents that answer a question, best first; see {@link SearchOptions}.
   * @throws ValidationError naming every broken rule, with the API's field names (`options.topK`); the signal's reason if it aborts
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    requireArguments("Bot.search", { options }, { options: tables.SEARCH_OPTIONS });
    return (await this.#answer(requestBody(query, options), options)).results;
  }
  /** The same, with a request body of the HTTP API: `{ query, filters?, options? }`. */
  async searchRequest(body: unknown, quality?: SearchQuality, signal?: AbortSignal): Promise<SearchResult[]> {
    return (await this.answerRequest(body, quality, signal)).results;
  }
  /** The same, and how far the results may be behind other nodes. */
  async answerRequest(
    body: unknown,
    quality?: SearchQuality,
    signal?: AbortSignal,
    noting: NotingOptions = {},
  ): Promise<SearchAnswer> {
    requireArguments("Bot.answerRequest", { quality, signal, noting }, REQUEST_KINDS);
    return this.#answer(body, { ...noting, ...(quality && { quality }), ...(signal && { signal }) });
  }
  #answer(body: unknown, options: AnswerOptions): Promise<SearchAnswer> {
    return this.#observed("search", async ({ questions }, staleMs) =>
      withStaleness({ results: await questions.search(body, options) }, staleMs),
    );
  }

  /**
   * A search that also tells the number of all documents found, counts the values of their fields, and groups the best ones; see {@link QueryOptions}.
   * Without these options the results are those of {@link search}, and so are the errors.
   */
  async query(query: string, options: QueryOptions = {}): Promise<QueryAnswer> {
    requireArguments("Bot.query", { options }, { options: tables.QUERY_OPTIONS });
    return this.#query(requestBody(query, options), options);
  }
  /** The same, with a request body of the HTTP API: `{ query, filters?, options? }`. */
  async queryRequest(
    body: unknown,
    quality?: SearchQuality,
    signal?: AbortSignal,
    noting: NotingOptions = {},
  ): Promise<QueryAnswer> {
    requireArguments("Bot.queryRequest", { quality, signal, noting }, REQUEST_KINDS);
    return this.#query(body, { ...noting, ...(quality && { quality }), ...(signal && { signal }) });
  }
  #query(body: unknown, options: AnswerOptions): Promise<QueryAnswer> {
    return this.#observed("search", async ({ questions }, staleMs) =>
      withStaleness(await questions.query(body, options), staleMs),
    );
  }

  /**
   * The texts that continue a prefix typed into a search box, best first: titles, questions of QNAs and headings.
   * @param prefix 1 to 200 characters
   * @throws ValidationError naming every broken rule; the signal's reason if it aborts
   */
  async suggest(prefix: string, options: SuggestOptions = {}): Promise<readonly Suggestion[]> {
    requireArguments("Bot.suggest", { options }, { options: tables.SUGGEST_OPTIONS });
    const { limit, signal } = options;
    return (await this.suggestRequest(limit === undefined ? { prefix } : { prefix, limit }, signal)).suggestions;
  }
  /** The same, with a request body of the HTTP API, `{ prefix, limit? }`, and how far the suggestions may be behind other nodes. */
  async suggestRequest(body: unknown, signal?: AbortSignal): Promise<SuggestAnswer> {
    requireArguments("Bot.suggestRequest", { signal }, { signal: optional(A_SIGNAL) });
    return this.#observed("suggest", async ({ questions }, staleMs) =>
      withStaleness({ suggestions: await questions.suggest(body, signal) }, staleMs),
    );
  }

  /**
   * Explains a document's rank among the answers to a question, or why it is missing. With the same options, its numbers are those of {@link search}.
   * For an id that the bot does not know, `outcome` is `unknown`. Options that only add text to results change nothing.
   * @throws ValidationError as {@link search}
   */
  async explain(query: string, id: string, options: SearchOptions = {}): Promise<Explanation> {
    requireArguments("Bot.explain", { id, options }, { id: A_STRING, options: tables.SEARCH_OPTIONS });
    return this.#bots.use(this.id, ({ questions }) => questions.explain(query, id, options));
  }

  /** The bot's figures. Checks first whether its embedder is available, and which language its newest documents are in. */
  stats(): Promise<BotStats> {
    return this.#bots.use(this.id, async (bot) => {
      await bot.probe();
      return bot.stats();
    });
  }

  /** What the bot uses of its quotas and its rate, and what it holds: the figures that its owner may see. Unlike {@link stats}, it checks nothing. */
  usage(): Promise<BotUsage> {
    return this.#bots.use(this.id, (bot) => bot.usage());
  }

  /**
   * Resolves when everything accepted before the call can be found by BM25.
   * @throws LoredexError `OUT_OF_MEMORY` while there is no memory to index it: it is kept, and indexed later
   */
  async whenSearchable(): Promise<void> {
    await this.#bots.use(this.id, (bot) => bot.whenSearchable());
  }

  /**
   * Resolves when every indexed document has its vectors, or no more can be made for now; at once for a bot without an embedder.
   * `complete` tells which. `missing` says what keeps the embedder from being used, and how to mend it.
   */
  whenUpgraded(): Promise<Upgrade> {
    return this.#bots.whenUpgraded(this.id);
  }

  /**
   * Resolves when a question need not wait for anything to be opened: for the start of a program, before its first question. The bot is open then. With
   * the quality `best` its embedder is open too, or cannot be used: `missing` says why, and names the embedder that reads questions.
   * Unlike {@link whenUpgraded} it waits for no vectors. There is no time limit: an embedder takes as long to open as it takes.
   */
  async whenReady(): Promise<Readiness> {
    // The bot is not kept open meanwhile: an embedder that never opens would keep it from being evicted.
    const { readiness } = await this.#bots.use(this.id, (bot) => ({ readiness: bot.whenReady() }));
    return readiness;
  }
  /** Writes a snapshot now, so that the next start replays no log. The engine also writes snapshots by itself as the log grows. */
  async snapshot(): Promise<void> {
    await this.#bots.use(this.id, (bot) => bot.snapshot());
  }
}
