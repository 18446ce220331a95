import {
  A_STATUS,
  ADMIN_QUERY_OPTIONS,
  ADMIN_SEARCH_OPTIONS,
  type AdminQueryOptions,
  type AdminSearchOptions,
  type Answers,
  type Asked,
  BACKUP_OPTIONS,
  conditional,
  type Data,
  DOCUMENTS_OPTIONS,
  type DocumentsRequest,
  GAPS_OPTIONS,
  type GivenGolden,
  type GivenVocabulary,
  HISTORY_OPTIONS,
  type HistoryRequest,
  isEnded,
  JOB_WAIT_OPTIONS,
  type JobWaitOptions,
  RESTORE_OPTIONS,
  SOME_BYTES,
  sentOf,
  type Tagged,
  UNDO_OPTIONS,
  UPLOAD_OPTIONS,
  type VersionedGolden,
  type VersionedVocabulary,
  withoutTag,
} from "./admin-calls.ts";
import { type AdminEvent, eventsOf } from "./admin-events.ts";
import type { components } from "./api-types.ts";
import type { CallOptions, ConditionalOptions } from "./calls.ts";
import { LoredexError } from "./error.ts";
import { A_BOOLEAN, A_TEXT, anObject, type OptionKinds } from "./known-options.ts";
import { CALL_OPTIONS, CLIENT_OPTIONS, CONDITIONAL_OPTIONS, requireArguments } from "./option-tables.ts";
import { bodyOf, type Sent, Transport, type TransportOptions } from "./transport.ts";
import type { ArticleChanges, NewArticle, QueryAnswer } from "./types.ts";
import { until } from "./until.ts";

type Schemas = components["schemas"];
type Written = Schemas["ArticleWritten"];

/**
 * Client of the admin API of a server with `--console`, for an admin key. A `bot` is its id or its name. The types of what calls take and return are those of
 * the API's description. Calls throw a LoredexError for a refusal, and a TypeError for an unknown option and for a value of a wrong kind.
 */
export class LoredexAdmin {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    requireArguments("new LoredexAdmin", { options }, { options: CLIENT_OPTIONS });
    this.#transport = new Transport(options);
  }

  /** The bots that the key may see, with their figures. */
  async listBots(options: CallOptions = {}): Promise<Data<"AdminBotsAnswer">> {
    return this.#data<"AdminBotsAnswer">("GET", this.#path("listBots", "/bots", {}, options), options);
  }
  /** Creates a bot. Its key is returned here and never again. */
  async createBot(settings: Schemas["AdminBotCreate"], options: CallOptions = {}): Promise<Data<"AdminNewBotAnswer">> {
    const path = this.#path("createBot", "/bots", { settings }, options);
    return this.#data<"AdminNewBotAnswer">("POST", path, { ...options, json: settings });
  }
  async showBot(bot: string, options: CallOptions = {}): Promise<Data<"AdminBotDetailsAnswer">> {
    return this.#data<"AdminBotDetailsAnswer">("GET", this.#path("showBot", "/bots/:bot", { bot }, options), options);
  }
  /** Changes settings: given ones replace, others stay. */
  async setBot(bot: string, changes: Schemas["AdminBotChanges"], options: CallOptions = {}) {
    const path = this.#path("setBot", "/bots/:bot", { bot, changes }, options);
    return this.#data<"AdminBotAnswer">("PUT", path, { ...options, json: changes });
  }
  /** Removes a bot with all its knowledge. */
  async removeBot(bot: string, options: CallOptions = {}): Promise<void> {
    await this.#data("DELETE", this.#path("removeBot", "/bots/:bot", { bot }, options), options);
  }

  async listKeys(bot: string, options: CallOptions = {}): Promise<Data<"AdminKeysAnswer">> {
    return this.#data<"AdminKeysAnswer">("GET", this.#path("listKeys", "/bots/:bot/keys", { bot }, options), options);
  }
  /** Adds a key to a bot, and returns it: here and never again. */
  async addKey(bot: string, key: Schemas["AdminKeyCreate"], options: CallOptions = {}): Promise<string> {
    const path = this.#path("addKey", "/bots/:bot/keys", { bot, key }, options);
    return (await this.#data<"AdminNewKeyAnswer">("POST", path, { ...options, json: key })).key;
  }
  /** Gives a key a new secret, and returns it. The old secret is invalid. */
  async rotateKey(bot: string, name: string, options: CallOptions = {}): Promise<string> {
    const path = this.#path("rotateKey", "/bots/:bot/keys/:name/rotate", { bot, name }, options);
    return (await this.#data<"AdminNewKeyAnswer">("POST", path, options)).key;
  }
  async revokeKey(bot: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#data("DELETE", this.#path("revokeKey", "/bots/:bot/keys/:name", { bot, name }, options), options);
  }

  async listAgents(bot: string, options: CallOptions = {}): Promise<Data<"AdminRegistrationsAnswer">> {
    const path = this.#path("listAgents", "/bots/:bot/agents", { bot }, options);
    return this.#data<"AdminRegistrationsAnswer">("GET", path, options);
  }
  async putAgent(bot: string, name: string, active: boolean, options: CallOptions = {}): Promise<void> {
    requireArguments("LoredexAdmin.putAgent", { active }, { active: A_BOOLEAN });
    const path = this.#path("putAgent", "/bots/:bot/agents/:name", { bot, name }, options);
    await this.#data("PUT", path, { ...options, json: { active } });
  }
  async removeAgent(bot: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#data("DELETE", this.#path("removeAgent", "/bots/:bot/agents/:name", { bot, name }, options), options);
  }
  async listAgentArticles(bot: string, name: string, options: CallOptions = {}): Promise<Data<"AdminArticlesAnswer">> {
    const path = this.#path("listAgentArticles", "/bots/:bot/agents/:name/articles", { bot, name }, options);
    return this.#data<"AdminArticlesAnswer">("GET", path, options);
  }
  async listChannels(bot: string, options: CallOptions = {}): Promise<Data<"AdminRegistrationsAnswer">> {
    const path = this.#path("listChannels", "/bots/:bot/channels", { bot }, options);
    return this.#data<"AdminRegistrationsAnswer">("GET", path, options);
  }
  async putChannel(bot: string, name: string, active: boolean, options: CallOptions = {}): Promise<void> {
    requireArguments("LoredexAdmin.putChannel", { active }, { active: A_BOOLEAN });
    const path = this.#path("putChannel", "/bots/:bot/channels/:name", { bot, name }, options);
    await this.#data("PUT", path, { ...options, json: { active } });
  }
  async removeChannel(bot: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#data(
      "DELETE",
      this.#path("removeChannel", "/bots/:bot/channels/:name", { bot, name }, options),
      options,
    );
  }

  async listSources(bot: string, options: CallOptions = {}): Promise<Data<"AdminSourcesAnswer">> {
    const path = this.#path("listSources", "/bots/:bot/sources", { bot }, options);
    return this.#data<"AdminSourcesAnswer">("GET", path, options);
  }
  /** Removes a source with its documents, and returns their number. */
  async removeSource(bot: string, source: string, options: CallOptions = {}): Promise<number> {
    const path = this.#path("removeSource", "/bots/:bot/sources/:source", { bot, source }, options);
    return (await this.#data<"AdminRemovedAnswer">("DELETE", path, options)).removed;
  }
  /** Begins a job that imports a source again. */
  async syncSource(bot: string, source: string, options: CallOptions = {}): Promise<Data<"AdminJobAnswer">> {
    const path = this.#path("syncSource", "/bots/:bot/sources/:source/sync", { bot, source }, options);
    return this.#data<"AdminJobAnswer">("POST", path, options);
  }
  /** Begins a job that imports a file of at most 64 MiB. */
  async uploadFile(
    bot: string,
    name: string,
    file: Blob | Uint8Array,
    options: CallOptions & { source?: string } = {},
  ) {
    requireArguments("LoredexAdmin.uploadFile", { name, file }, { name: A_TEXT, file: SOME_BYTES });
    const path = this.#path("uploadFile", "/bots/:bot/uploads", { bot }, options, UPLOAD_OPTIONS);
    const { signal, source } = options;
    return this.#data<"AdminJobAnswer">("POST", path, { signal, bytes: file, query: { name, source } });
  }
  /** Begins a job that imports pages of the web. */
  async importAddresses(bot: string, given: Schemas["AdminImport"], options: CallOptions = {}) {
    const path = this.#path("importAddresses", "/bots/:bot/imports", { bot, given }, options);
    return this.#data<"AdminJobAnswer">("POST", path, { ...options, json: given });
  }
  /** The last jobs of a bot that the server has run. */
  async listJobs(bot: string, options: CallOptions = {}): Promise<Data<"AdminJobsAnswer">> {
    return this.#data<"AdminJobsAnswer">("GET", this.#path("listJobs", "/bots/:bot/jobs", { bot }, options), options);
  }
  async getJob(bot: string, id: string, options: CallOptions = {}): Promise<Data<"AdminJobAnswer">> {
    const path = this.#path("getJob", "/bots/:bot/jobs/:id", { bot, id }, options);
    return this.#data<"AdminJobAnswer">("GET", path, options);
  }

  /**
   * Waits until a job has ended, and returns it: its `state` is `done` or `failed`.
   * @param options `timeoutSeconds`: default 600. `onProgress`: called with the job after each check.
   */
  async waitForJob(bot: string, id: string, options: JobWaitOptions = {}): Promise<Data<"AdminJobAnswer">> {
    this.#path("waitForJob", "/bots/:bot/jobs/:id", { bot, id }, options, JOB_WAIT_OPTIONS);
    const { signal, timeoutSeconds = 600, onProgress } = options;
    const late = new LoredexError({ message: `Job ${id} still runs after ${timeoutSeconds} s.` });
    const waiting = { timeoutSeconds, pace: this.#transport.pace, late, signal };
    return until((ended) => this.getJob(bot, id, { signal: ended }), isEnded(onProgress), waiting);
  }

  /** A page of the table of all documents: articles and imported ones. */
  async listDocuments(bot: string, options: DocumentsRequest = {}): Promise<Schemas["AdminDocumentsAnswer"]> {
    const path = this.#path("listDocuments", "/bots/:bot/documents", { bot }, options, DOCUMENTS_OPTIONS);
    const { signal, ...query } = options;
    return this.#send<Schemas["AdminDocumentsAnswer"]>("GET", path, { signal, query });
  }
  async getDocument(bot: string, id: string, options: CallOptions = {}): Promise<Data<"AdminDocumentAnswer">> {
    const path = this.#path("getDocument", "/bots/:bot/documents/:id", { bot, id }, options);
    return this.#data<"AdminDocumentAnswer">("GET", path, options);
  }
  async setDocumentStatus(
    bot: string,
    id: string,
    status: Schemas["AdminDocumentStatus"]["status"],
    options: CallOptions = {},
  ): Promise<void> {
    requireArguments("LoredexAdmin.setDocumentStatus", { status }, { status: A_STATUS });
    const path = this.#path("setDocumentStatus", "/bots/:bot/documents/:id/status", { bot, id }, options);
    await this.#data("PUT", path, { ...options, json: { status } });
  }
  async removeDocument(bot: string, id: string, options: CallOptions = {}): Promise<void> {
    await this.#data("DELETE", this.#path("removeDocument", "/bots/:bot/documents/:id", { bot, id }, options), options);
  }

  /** Creates an article. With `undo`, one that was deleted a moment ago comes back under a new id, without the rate. */
  async createArticle(bot: string, article: NewArticle, options: CallOptions & { undo?: boolean } = {}) {
    const path = this.#path("createArticle", "/bots/:bot/articles", { bot, article }, options, UNDO_OPTIONS);
    const { signal, undo } = options;
    return this.#send<Written>("POST", path, { signal, json: article, query: { undo } });
  }
  async getArticle(bot: string, id: string, options: CallOptions = {}): Promise<Data<"ArticleFound">> {
    return this.#data<"ArticleFound">(
      "GET",
      this.#path("getArticle", "/bots/:bot/articles/:id", { bot, id }, options),
      options,
    );
  }
  async updateArticle(bot: string, id: string, changes: ArticleChanges, options: ConditionalOptions = {}) {
    const path = this.#path(
      "updateArticle",
      "/bots/:bot/articles/:id",
      { bot, id, changes },
      options,
      CONDITIONAL_OPTIONS,
    );
    return this.#send<Written>("PUT", path, conditional(options, changes));
  }
  async deleteArticle(bot: string, id: string, options: ConditionalOptions = {}): Promise<void> {
    const path = this.#path("deleteArticle", "/bots/:bot/articles/:id", { bot, id }, options, CONDITIONAL_OPTIONS);
    await this.#send("DELETE", path, conditional(options));
  }
  /** Previews a create, or with `id` an update. Nothing is written. */
  async previewArticle(bot: string, article: Partial<NewArticle> & { id?: string }, options: CallOptions = {}) {
    const path = this.#path("previewArticle", "/bots/:bot/articles/preview", { bot, article }, options);
    return this.#data<"ArticlePreviewed">("POST", path, { ...options, json: article });
  }
  async listArticles(bot: string, options: CallOptions = {}): Promise<Data<"ArticleList">> {
    return this.#data<"ArticleList">(
      "GET",
      this.#path("listArticles", "/bots/:bot/articles", { bot }, options),
      options,
    );
  }
  /** What a bot uses of its limits. */
  async usage(bot: string, options: CallOptions = {}): Promise<Data<"UsageAnswered">> {
    return this.#data<"UsageAnswered">("GET", this.#path("usage", "/bots/:bot/usage", { bot }, options), options);
  }

  /** Searches a bot. The question is not kept in the question log. */
  async search(bot: string, query: string, options: AdminSearchOptions = {}): Promise<Data<"AdminResultsAnswer">> {
    requireArguments("LoredexAdmin.search", { query }, { query: A_TEXT });
    const path = this.#path("search", "/bots/:bot/search", { bot }, options, ADMIN_SEARCH_OPTIONS);
    const { signal, quality, filters = {}, ...rest } = options;
    const json = { query, filters, options: rest };
    return this.#data<"AdminResultsAnswer">("POST", path, { signal, query: { quality }, json });
  }
  /** As {@link search}, and counts and groups what is found. */
  async query(bot: string, query: string, options: AdminQueryOptions = {}): Promise<QueryAnswer> {
    requireArguments("LoredexAdmin.query", { query }, { query: A_TEXT });
    const path = this.#path("query", "/bots/:bot/query", { bot }, options, ADMIN_QUERY_OPTIONS);
    const { signal, quality, filters = {}, ...rest } = options;
    const json = { query, filters, options: rest };
    const answer = await this.#send<Schemas["QueryAnswered"]>("POST", path, { signal, query: { quality }, json });
    const { data: results, success: _, ...counted } = answer;
    return { results, ...counted };
  }
  /** Titles, questions and headings that continue a prefix. */
  async suggest(bot: string, prefix: string, options: CallOptions = {}): Promise<Data<"Suggested">> {
    requireArguments("LoredexAdmin.suggest", { prefix }, { prefix: A_TEXT });
    const path = this.#path("suggest", "/bots/:bot/suggest", { bot }, options);
    return this.#data<"Suggested">("POST", path, { ...options, json: { prefix } });
  }
  /** Explains the rank of a document, or why it is missing. */
  async explain(bot: string, asked: Schemas["AdminExplain"], options: CallOptions = {}) {
    const path = this.#path("explain", "/bots/:bot/explain", { bot, asked }, options);
    return this.#data<"AdminExplanationAnswer">("POST", path, { ...options, json: asked });
  }
  async getVocabulary(bot: string, options: CallOptions = {}): Promise<VersionedVocabulary> {
    const path = this.#path("getVocabulary", "/bots/:bot/vocabulary", { bot }, options);
    const { data, etag } = await this.#tagged<"AdminVocabularyAnswer">("GET", path, options);
    return { vocabulary: data, etag };
  }
  /** Replaces the vocabulary. A list that is left out is empty. What {@link getVocabulary} returned counts as its `vocabulary`; its `etag` is not sent. */
  async setVocabulary(bot: string, given: GivenVocabulary, options: ConditionalOptions = {}) {
    const path = this.#path("setVocabulary", "/bots/:bot/vocabulary", { bot, given }, options, CONDITIONAL_OPTIONS);
    const { etag } = await this.#tagged<"AdminDone">("PUT", path, conditional(options, withoutTag(given)));
    return { etag };
  }

  async getGolden(bot: string, options: CallOptions = {}): Promise<VersionedGolden> {
    const path = this.#path("getGolden", "/bots/:bot/golden", { bot }, options);
    const { data, etag } = await this.#tagged<"AdminGoldenAnswer">("GET", path, options);
    return { ...data, etag };
  }
  /** Replaces the golden questions. Of what {@link getGolden} returned, `etag` is not sent. */
  async setGolden(bot: string, given: GivenGolden, options: ConditionalOptions = {}): Promise<VersionedGolden> {
    const path = this.#path("setGolden", "/bots/:bot/golden", { bot, given }, options, CONDITIONAL_OPTIONS);
    const sent = conditional(options, withoutTag(given));
    const { data, etag } = await this.#tagged<"AdminGoldenAnswer">("PUT", path, sent);
    return { ...data, etag };
  }
  /** Begins a job that asks the golden questions. */
  async startRun(bot: string, given: Schemas["AdminRunStart"] = {}, options: CallOptions = {}) {
    const path = this.#path("startRun", "/bots/:bot/runs", { bot, given }, options);
    return this.#data<"AdminJobAnswer">("POST", path, { ...options, json: given });
  }
  async listRuns(bot: string, options: CallOptions = {}): Promise<Data<"AdminRunsAnswer">> {
    return this.#data<"AdminRunsAnswer">("GET", this.#path("listRuns", "/bots/:bot/runs", { bot }, options), options);
  }
  async getRun(bot: string, id: string, options: CallOptions = {}): Promise<Data<"AdminRunAnswer">> {
    return this.#data<"AdminRunAnswer">(
      "GET",
      this.#path("getRun", "/bots/:bot/runs/:id", { bot, id }, options),
      options,
    );
  }
  /** Questions that found little, grouped by meaning, worst first. */
  async listGaps(bot: string, options: Omit<HistoryRequest, "before"> = {}): Promise<Data<"AdminGapsAnswer">> {
    const path = this.#path("listGaps", "/bots/:bot/gaps", { bot }, options, GAPS_OPTIONS);
    const { signal, ...query } = options;
    return this.#data<"AdminGapsAnswer">("GET", path, { signal, query });
  }
  /** The question log, newest first. */
  async listQuestions(bot: string, options: HistoryRequest = {}): Promise<Data<"AdminQuestionsAnswer">> {
    const path = this.#path("listQuestions", "/bots/:bot/questions", { bot }, options, HISTORY_OPTIONS);
    const { signal, ...query } = options;
    return this.#data<"AdminQuestionsAnswer">("GET", path, { signal, query });
  }
  /** Deletes the question log. */
  async clearQuestions(bot: string, options: CallOptions = {}): Promise<void> {
    await this.#data("DELETE", this.#path("clearQuestions", "/bots/:bot/questions", { bot }, options), options);
  }
  async listFindings(bot: string, options: CallOptions = {}): Promise<Data<"AdminFindingsAnswer">> {
    const path = this.#path("listFindings", "/bots/:bot/findings", { bot }, options);
    return this.#data<"AdminFindingsAnswer">("GET", path, options);
  }

  /** A backup of a bot as it is now, as it comes. It is complete only with its last byte: an error of the stream says that it is not. */
  async backUp(bot: string, options: CallOptions & { questions?: boolean } = {}): Promise<ReadableStream<Uint8Array>> {
    const path = this.#path("backUp", "/bots/:bot/backup", { bot }, options, BACKUP_OPTIONS);
    const { signal, questions } = options;
    return this.#transport.stream(sentOf("GET", path, { signal, query: { questions } }));
  }
  /** Restores a bot from a backup: as it was, or under the name `as` with a new key. */
  async restore(backup: Blob | Uint8Array, options: CallOptions & { as?: string } = {}) {
    requireArguments("LoredexAdmin.restore", { backup }, { backup: SOME_BYTES });
    const path = this.#path("restore", "/restore", {}, options, RESTORE_OPTIONS);
    const { signal, as } = options;
    return this.#data<"AdminRestoredBotAnswer">("POST", path, { signal, bytes: backup, query: { as } });
  }
  /** Who has changed what, newest first. */
  async listChanges(options: HistoryRequest = {}): Promise<Schemas["AdminChangesAnswer"]> {
    const path = this.#path("listChanges", "/changes", {}, options, HISTORY_OPTIONS);
    const { signal, ...query } = options;
    return this.#send<Schemas["AdminChangesAnswer"]>("GET", path, { signal, query });
  }
  /** The server's version, condition and alerts. */
  async status(options: CallOptions = {}): Promise<Data<"AdminStatusAnswer">> {
    return this.#data<"AdminStatusAnswer">("GET", this.#path("status", "/status", {}, options), options);
  }

  /** The events of the server, as they come. They end when the server or the key ends, or when the loop is left. */
  async *events(options: CallOptions = {}): AsyncGenerator<AdminEvent, void, undefined> {
    const stream = await this.#transport.stream(sentOf("GET", this.#path("events", "/events", {}, options), options));
    yield* eventsOf(stream, this.#transport.answerBytesMax, options.signal);
  }

  /** The path of a template, after the check of a call's arguments: texts for what the template names, and objects to send. @throws TypeError */
  #path(
    call: string,
    template: string,
    given: Readonly<Record<string, string | object>>,
    options: CallOptions,
    known: OptionKinds<CallOptions> = CALL_OPTIONS,
  ): string {
    const names = template.split("/").filter((part) => part.startsWith(":"));
    const isText = (name: string): boolean => names.includes(`:${name}`);
    const kinds = Object.keys(given).map((name) => [name, isText(name) ? A_TEXT : anObject()]);
    const arguments_ = { ...given, options };
    requireArguments<object>(`LoredexAdmin.${call}`, arguments_, { ...Object.fromEntries(kinds), options: known });
    return template.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(given[name])));
  }

  async #data<Name extends Answers>(method: Sent["method"], path: string, asked: Asked): Promise<Data<Name>> {
    return (await this.#send<Schemas[Name]>(method, path, asked)).data;
  }

  async #tagged<Name extends Answers>(method: Sent["method"], path: string, asked: Asked): Promise<Tagged<Name>> {
    const answer = await this.#transport.send<Schemas[Name]>(sentOf(method, path, asked));
    return { data: bodyOf(answer).data, etag: answer.headers.get("etag") ?? "" };
  }

  /** Sends a request. After a lost answer it is sent again only if it changes nothing. */
  async #send<Promised>(method: Sent["method"], path: string, asked: Asked): Promise<Promised> {
    return bodyOf(await this.#transport.send<Promised>(sentOf(method, path, asked)));
  }
}
