import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { ValidationError } from "../../src/model/errors.ts";
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_METADATA_BYTES_MAX,
  SOURCE_PROBLEM_CHARACTERS_MAX,
  SOURCE_PROBLEMS_MAX,
  SOURCES_MAX,
} from "../../src/model/limits.ts";
import type { ArgumentReport, DocumentOrigin, SourceArgument } from "../../src/model/sources.ts";
import type {
  BotSettings,
  ContentDocumentInput,
  Metadata,
  QnaDocumentInput,
  SearchOptions,
} from "../../src/model/types.ts";

/** More characters than a document's text may have, more than any other text, and more entries than any list. */
const LONG = "x".repeat(DOCUMENT_BYTES_MAX + 1);
const OTHER_LONG = "x".repeat(DOCUMENT_METADATA_BYTES_MAX + 1);
const MANY = SOURCES_MAX + 1;
/** The texts that are searched. */
const SEARCHED = /(?:\.md|\.answer|\.body)$/;

type Fields = Readonly<Record<string, unknown>>;
/** All fields of a shape, so that a new field does not compile before it stands here. */
type Whole<Shape> = { readonly [Name in keyof Required<Shape>]: unknown };

const METADATA = { title: "A title", list: ["one"], nested: { name: "value" } };
const PAGE: Whole<ContentDocumentInput> = {
  resourceDocId: "page",
  type: "DOCUMENT",
  status: "active",
  url: "https://example.com/",
  metaData: METADATA,
  content: [{ md: "Text." }],
};
const QUESTION: Whole<QnaDocumentInput> = {
  resourceDocId: "question",
  type: "QNA",
  status: "active",
  url: "https://example.com/",
  metaData: METADATA,
  question: "Why?",
  answer: "Because.",
  alternatives: ["How come?"],
};
const ORIGIN: Whole<DocumentOrigin> = { source: "handbook", argument: "docs", path: "a.md", digest: "abc" };
const ARGUMENT: Whole<Omit<SourceArgument, "importedAt" | "report">> = {
  name: "docs",
  kind: "folder",
  path: "/docs",
  ids: "docs/",
  settings: { depth: "two" },
};
const SETTINGS: Whole<BotSettings> = {
  name: "grown",
  quotaCharacters: 1_000,
  rateCharactersPerMinute: 1_000,
  quotaBytes: 100_000,
  rateBytesPerMinute: 100_000,
  importBytes: 100_000,
  language: "en",
  embedder: "none",
  quality: "fast",
  questionLog: true,
  questionLogDays: 7,
  gapScore: 0.5,
};
const ARTICLE = {
  title: "A title",
  body: "Text.",
  metadata: { product: "x" } satisfies Metadata,
  source: "https://example.com/",
  activeOn: [{ agent: "support", channel: "web" }],
};
const ASKED: Whole<Pick<SearchOptions, "filters">> = { filters: { "metaData.product": "x" } };

/** Each place of a shape that holds a text, a list or names of its own, and the shape with that place grown beyond every maximum. */
function* grown(value: unknown, place: string, within: (value: unknown) => unknown): Generator<[string, unknown]> {
  if (typeof value === "string") yield [place, within(SEARCHED.test(place) ? LONG : OTHER_LONG)];
  if (Array.isArray(value)) {
    yield [`${place} (entries)`, within(Array(MANY).fill(value[0]))];
    yield* grown(value[0], `${place}.0`, (inner) => within([inner]));
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Fields;
    yield [`${place} (names)`, within({ ...fields, [OTHER_LONG]: 1 })];
    const more = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, 1]));
    yield [`${place} (entries)`, within({ ...fields, ...more })];
    for (const [name, inner] of Object.entries(fields))
      yield* grown(inner, `${place}.${name}`, (other) => within({ ...fields, [name]: other }));
  }
}

let engine: Engine;
let bot: Bot;

beforeAll(async () => {
  engine = await Engine.open({ background: false });
  const { bot: made } = await engine.createBot({ name: "taken", embedder: "none" });
  bot = await engine.bot(made.id);
  await bot.createArticle(ARTICLE);
});

afterAll(() => engine.close());

/** A call that takes a shape, and the shape. */
type Call = readonly [name: string, shape: unknown, take: (value: never) => Promise<unknown>];

const DOCUMENT = PAGE as Fields;
const calls: readonly Call[] = [
  ["importDocument: a document", PAGE, (value) => bot.importDocument(value)],
  ["importDocument: a question", QUESTION, (value) => bot.importDocument(value)],
  ["importDocument: source", ORIGIN, (source) => bot.importDocument(DOCUMENT, { source })],
  ["removeDocument: source", ORIGIN, (source) => bot.removeDocument("page", { source })],
  ["putSourceArgument: source", "handbook", (source) => bot.putSourceArgument(source, ARGUMENT as never)],
  ["putSourceArgument", ARGUMENT, (argument) => bot.putSourceArgument("handbook", argument)],
  ["moveSource: to", "manual", (to) => bot.moveSource("handbook", to, ARGUMENT as never)],
  ["ownedDocuments", ["handbook"], (sources) => bot.ownedDocuments(sources)],
  ["createArticle", ARTICLE, (article) => bot.createArticle(article)],
  ["previewArticle", ARTICLE, (article) => bot.previewArticle(article)],
  ["createBot", SETTINGS, (settings) => engine.createBot(settings)],
  ["updateBot", SETTINGS, (settings) => engine.updateBot("taken", settings)],
  ["addKey: name", "shop", (name) => engine.addKey("taken", name)],
  [
    "addKey",
    { scope: "all", requestsPerMinute: 1, origins: ["https://example.com"] },
    (options) => engine.addKey("taken", "shop", options),
  ],
  ["putAgent", "support", (name) => bot.putAgent(name, true)],
  ["putChannel", "web", (name) => bot.putChannel(name, true)],
  ["search: query", "a question", (query) => bot.search(query)],
  ["suggest: prefix", "typed", (prefix) => bot.suggest(prefix)],
  ["suggest", { limit: 5 }, (options) => bot.suggest("typed", options)],
  ["search", ASKED, (options) => bot.search("a question", options)],
];

const places = calls.flatMap(([name, shape, take]) =>
  [...grown(shape, name, (value) => value)].map(([place, value]) => ({ place, value, take })),
);

describe("every text, list and name that a call takes", () => {
  it("is found by the walk through the shapes", () => {
    expect(places.length).toBeGreaterThan(80);
  });

  it.each(places)("has a maximum: $place", async ({ place, value, take }) => {
    const error = await take(value as never).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error, place).toBeInstanceOf(ValidationError);
    // An error repeats no more than the beginning of what is too long.
    expect((error as Error).message.length).toBeLessThan(20_000);
  });

  it("is cut in the report of an import, whose problems come from pages of others", async () => {
    const problem = { place: OTHER_LONG, message: OTHER_LONG };
    const counts = { added: 0, changed: 0, unchanged: 0, removed: 0, failed: MANY };
    const report: ArgumentReport = { ...counts, problems: Array(MANY).fill(problem), notes: Array(MANY).fill(problem) };
    await bot.putSourceArgument("reported", ARGUMENT as never, { imported: true, report });
    const [source] = (await bot.listSources()).filter(({ name }) => name === "reported");
    const kept = source?.arguments[0]?.report;
    expect(kept?.problems).toHaveLength(SOURCE_PROBLEMS_MAX);
    expect(kept?.problems[0]?.message).toHaveLength(SOURCE_PROBLEM_CHARACTERS_MAX);
  });
});
