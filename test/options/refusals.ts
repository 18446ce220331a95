import { LoredexClient } from "@loredex/client";
import { type Bot, Engine as CoreEngine, type Engine, evaluate, tryEmbedder } from "@loredex/core";
import { checkEncoder, openEncoder } from "@loredex/encoder";
import { type ApiServer, createApiHandler, createApiServer } from "@loredex/http";
import { importSources, syncSources, watchSources } from "@loredex/import";
import { bytesOfFile } from "@loredex/import/files";
import { readMcpSettings, serveMcp } from "@loredex/mcp";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { checkModelServer, openOpenAiEmbedder } from "@loredex/openai";
import {
  engineOperator,
  importTarget,
  Engine as LoredexEngine,
  type Operator,
  openMetrics,
  type RunningServer,
  serve,
} from "loredex";

/** What the calls are made on. */
export interface Stage {
  readonly client: LoredexClient;
  /** In memory, with a bot named `shop`. */
  readonly engine: Engine;
  readonly bot: Bot;
  readonly operator: Operator;
  readonly api: ApiServer;
  readonly server: RunningServer;
}

/** Each parameter that takes options, with a call that gives it what a test wants to see refused. */
export const REFUSALS: Readonly<Record<string, (given: never, stage: Stage) => unknown>> = {
  "client new LoredexClient options": (given) => new LoredexClient(given),
  "client LoredexClient#search options": (given, { client }) => client.search("q", given),
  "client LoredexClient#createArticle options": (given, { client }) => client.createArticle(ARTICLE, given),
  "client LoredexClient#getArticle options": (given, { client }) => client.getArticle("a", given),
  "client LoredexClient#getArticleIfChanged options": (given, { client }) =>
    client.getArticleIfChanged("a", "t", given),
  "client LoredexClient#listArticles filter": (given, { client }) => client.listArticles(given),
  "client LoredexClient#listArticles options": (given, { client }) => client.listArticles({}, given),
  "client LoredexClient#getArticlesPage filter": (given, { client }) => client.getArticlesPage(given),
  "client LoredexClient#getArticlesPage options": (given, { client }) => client.getArticlesPage({}, given),
  "client LoredexClient#updateArticle options": (given, { client }) => client.updateArticle("a", ARTICLE, given),
  "client LoredexClient#upsertArticle options": (given, { client }) => client.upsertArticle(ARTICLE, given),
  "client LoredexClient#deleteArticle options": (given, { client }) => client.deleteArticle("a", given),
  "client LoredexClient#preview options": (given, { client }) => client.preview(ARTICLE, given),
  "client LoredexClient#batch options": (given, { client }) => client.batch([], given),
  "client LoredexClient#waitUntilActive options": (given, { client }) => client.waitUntilActive("a", given),
  "client LoredexClient#sync options": (given, { client }) => client.sync([], given),

  "core Engine.open options": (given) => CoreEngine.open(given),
  "core Engine#createBot input": (given, { engine }) => engine.createBot(given),
  "core Engine#ensureBot input": (given, { engine }) => engine.ensureBot(given),
  "core Engine#updateBot changes": (given, { engine }) => engine.updateBot("shop", given),
  "core Engine#addKey options": (given, { engine }) => engine.addKey("shop", "key", given),
  "core Engine#backup options": (given, { engine }) => engine.backup("shop", given),
  "core Engine#restore options": (given, { engine }) => engine.restore(nothing(), given),
  "core Bot#createArticle options": (given, { bot }) => bot.createArticle(ARTICLE, given),
  "core Bot#updateArticle options": (given, { bot }) => bot.updateArticle("a", ARTICLE, given),
  "core Bot#previewArticle options": (given, { bot }) => bot.previewArticle(ARTICLE, given),
  "core Bot#deleteArticle options": (given, { bot }) => bot.deleteArticle("a", given),
  "core Bot#listArticles filter": (given, { bot }) => bot.listArticles(given),
  "core Bot#articlePage request": (given, { bot }) => bot.articlePage(given),
  "core Bot#importDocument options": (given, { bot }) => bot.importDocument(DOCUMENT, given),
  "core Bot#putSourceArgument argument": (given, { bot }) => bot.putSourceArgument("docs", given),
  "core Bot#putSourceArgument options": (given, { bot }) => bot.putSourceArgument("docs", ARGUMENT, given),
  "core Bot#moveSource argument": (given, { bot }) => bot.moveSource("docs", "docs", given),
  "core Bot#listDocuments filter": (given, { bot }) => bot.listDocuments(given),
  "core Bot#removeDocument options": (given, { bot }) => bot.removeDocument("d", given),
  "core Bot#search options": (given, { bot }) => bot.search("q", given),
  "core Bot#explain options": (given, { bot }) => bot.explain("q", "d", given),
  "core evaluate options": (given, { bot }) => evaluate(bot, [], given),
  "core tryEmbedder offer": (given) => tryEmbedder("mine", given),

  "encoder checkEncoder model": (given) => checkEncoder(given),
  "encoder openEncoder model": (given) => openEncoder(given),
  "encoder openEncoder options": (given) => openEncoder(MODEL, given),
  "minilm openMiniLm options": (given) => openMiniLm(given),
  "multilingual openMultilingual options": (given) => openMultilingual(given),
  "openai checkModelServer options": (given) => checkModelServer(given),
  "openai openOpenAiEmbedder options": (given) => openOpenAiEmbedder(given),

  "http createApiHandler options": (given, { engine }) => createApiHandler(engine, given),
  "http createApiServer options": (given, { engine }) => createApiServer(engine, given),
  "http ApiServer#listen options": (given, { api }) => api.listen(given),
  "http ApiServer#close options": (given, { api }) => api.close(given),

  "import importSources options": (given, { bot }) => importSources(bot, [], given),
  "import syncSources options": (given, { bot }) => syncSources(bot, given),
  "import watchSources options": (given, { bot }) => watchSources(bot, given),
  "import bytesOfFile options": (given) => bytesOfFile("nothing.txt", given),

  "loredex Engine.open options": (given) => LoredexEngine.open(given),
  "loredex serve options": (given) => serve(given),
  "loredex RunningServer#close options": (given, { server }) => server.close(given),
  "loredex openMetrics options": (given) => openMetrics(given),
  "loredex engineOperator options": (given, { engine }) => engineOperator(engine, given),
  "loredex Operator#createBot settings": (given, { operator }) => operator.createBot(given),
  "loredex Operator#ensureBot settings": (given, { operator }) => operator.ensureBot(given),
  "loredex Operator#setBot changes": (given, { operator }) => operator.setBot("shop", given),
  "loredex Operator#addKey options": (given, { operator }) => operator.addKey("shop", "key", given),
  "loredex Operator#importDocument origin": (given, { operator }) => operator.importDocument("shop", DOCUMENT, given),
  "loredex Operator#putSourceArgument argument": (given, { operator }) =>
    operator.putSourceArgument("shop", "docs", given, {}),
  "loredex Operator#putSourceArgument options": (given, { operator }) =>
    operator.putSourceArgument("shop", "docs", ARGUMENT, given),
  "loredex Operator#moveSource argument": (given, { operator }) => operator.moveSource("shop", "docs", "docs", given),
  "loredex Operator#listDocuments filter": (given, { operator }) => operator.listDocuments("shop", given),
  "loredex Operator#removeDocument by": (given, { operator }) => operator.removeDocument("shop", "d", given),
  "loredex Operator#search options": (given, { operator }) => operator.search("shop", "q", given),
  "loredex Operator#explain options": (given, { operator }) => operator.explain("shop", "q", "d", given),
  "loredex Operator#backup options": (given, { operator }) => operator.backup("shop", given),

  "mcp serveMcp options": (given) => serveMcp(given),
  "mcp readMcpSettings given": (given) => readMcpSettings(given, {}),

  // The target of an import hands over to a bot or to an operator.
  "import ImportTarget#importDocument options": (given, { operator }) =>
    importTarget(operator, "shop").importDocument(DOCUMENT, given),
  "import ImportTarget#removeDocument options": (given, { operator }) =>
    importTarget(operator, "shop").removeDocument("d", given),
  "core ImportTarget#putSourceArgument argument": (given, { operator }) =>
    importTarget(operator, "shop").putSourceArgument("docs", given),
  "core ImportTarget#putSourceArgument options": (given, { operator }) =>
    importTarget(operator, "shop").putSourceArgument("docs", ARGUMENT, given),
};

/** What is no mistake there though it is no object: a name alone, or nothing. */
export const ALSO_TAKEN: Readonly<Record<string, readonly unknown[]>> = {
  "loredex Operator#importDocument origin": ["text", null],
  "loredex Operator#removeDocument by": ["text", null],
};

const MADE_BY_CALLERS = "callers make it, and Loredex calls it";

/** Classes and interfaces whose methods no caller calls. */
export const CALLED_BY_LOREDEX: Readonly<Record<string, string>> = {
  Answering: MADE_BY_CALLERS,
  ApiEngine: MADE_BY_CALLERS,
  ApiHandlerOptions: MADE_BY_CALLERS,
  ApiServerOptions: MADE_BY_CALLERS,
  Creation: MADE_BY_CALLERS,
  EngineOptions: MADE_BY_CALLERS,
  ImportSourcesOptions: MADE_BY_CALLERS,
  LoredexClientOptions: MADE_BY_CALLERS,
  RecoveryVisitor: MADE_BY_CALLERS,
  SalvageVisitor: MADE_BY_CALLERS,
  ServeOptions: MADE_BY_CALLERS,
  Storage: MADE_BY_CALLERS,
  StorageInspection: MADE_BY_CALLERS,
  Store: MADE_BY_CALLERS,
  SyncOptions: MADE_BY_CALLERS,
  SyncSourcesOptions: MADE_BY_CALLERS,
  WatchSourcesOptions: MADE_BY_CALLERS,
};

const WORKS = "it works for the call, and may have more of its own";
const ARTICLE_FIELDS = "the fields of an article, which the server holds against its rules";
const GIVEN_BACK = "what Loredex itself has given";
const WHOLE = "a value of which no part may be left out: what is mistyped is missing";
const HIDES = "an error that threw another one would hide what went wrong";

/** Types of parameters, or parameters, that are objects and hold no options, each with the reason. */
export const NO_OPTIONS: Readonly<Record<string, string>> = {
  Answering: WORKS,
  ApiEngine: WORKS,
  Engine: WORKS,
  ImportTarget: WORKS,
  Operator: WORKS,
  'Pick<Bot, "listSources" | "moveSource">': WORKS,
  WatchedEngine: WORKS,
  NewArticle: ARTICLE_FIELDS,
  ArticleChanges: ARTICLE_FIELDS,
  "Partial<NewArticle> & { id?: string }": ARTICLE_FIELDS,
  Article: GIVEN_BACK,
  'Pick<OpenedBot, "id" | "key">': GIVEN_BACK,
  WorkEvent: GIVEN_BACK,
  "LogEvent | HttpLogEvent": GIVEN_BACK,
  "import isLeft 0": GIVEN_BACK,
  Certificate: WHOLE,
  ModelFile: WHOLE,
  SystemUsers: WHOLE,
  WorkerModel: WHOLE,
  DamagePlace: HIDES,
  Problem: HIDES,
  "{ cause?: unknown }": HIDES,
  "{ cause?: unknown; mend?: string | undefined; lasts?: boolean }": HIDES,
};

const ARTICLE = { title: "Refunds", body: "Refunds take five days." };
const DOCUMENT = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "Refunds take five days." }] };
const ARGUMENT = { name: "docs", kind: "folder", path: "/docs", ids: "" } as const;
const MODEL = {
  packageName: "@loredex/none",
  directory: "nowhere",
  program: new URL("file:///nowhere.js"),
  weight: 0.5,
  calibrate: (cosine: number) => cosine,
};

async function* nothing(): AsyncGenerator<Uint8Array> {}
