import {
  ADMIN_ADDRESS_CHARACTERS_MAX,
  ADMIN_ADDRESSES_MAX,
  DOCUMENT_STATES,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  GOLDEN_DOCUMENTS_MAX,
  GOLDEN_LINES_MAX,
  GOLDEN_QUESTIONS_MAX,
  GOLDEN_UNITS_MAX,
  KEY_ORIGIN_CHARACTERS_MAX,
  KEY_ORIGINS_MAX,
  KEY_REQUESTS_PER_MINUTE_MAX,
  LANGUAGE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  QUALITIES,
  QUERY_CHARACTERS_MAX,
  QUESTION_LOG_DAYS_MAX,
  RESOURCE_ID_CHARACTERS_MAX,
  SEARCH_QUALITIES,
  SIGN_IN_CHARACTERS_MAX,
  SOURCE_NAME_CHARACTERS_MAX,
  VOCABULARY_IGNORED_MAX,
  VOCABULARY_LINE_CHARACTERS_MAX,
  VOCABULARY_PINS_MAX,
  VOCABULARY_SYNONYMS_MAX,
  VOCABULARY_TEXT_CHARACTERS_MAX,
  VOCABULARY_UNITS_MAX,
} from "@loredex/core";
import { nullable } from "./nullable.ts";
import { ref } from "./reference.ts";
import { SearchRequestOptions } from "./search-options.ts";

// The schemas of the admin API, by name.

type Properties = Readonly<Record<string, object>>;

const text = { type: "string" };
const flag = { type: "boolean" };
const count = { type: "integer", minimum: 0 };
const score = { type: "number", minimum: 0, maximum: 1 };
const time = { type: "string", format: "date-time" };
const named = { ...text, minLength: 1, maxLength: NAME_CHARACTERS_MAX };
const idOf = { ...text, minLength: 1, maxLength: RESOURCE_ID_CHARACTERS_MAX };
const listOf = (items: object, maxItems?: number) => ({
  type: "array",
  ...(maxItems === undefined ? {} : { maxItems }),
  items,
});
const orWord = (schema: object, word: string) => ({ anyOf: [schema, { const: word }] });
/** An object with what the library's types of the same name have. It may get more fields. */
const open = (description: string, required: readonly string[] = [], properties: Properties = {}) => ({
  type: "object",
  description,
  ...(required.length === 0 ? {} : { required, properties }),
  additionalProperties: true,
});

/** An object of these fields alone. Those of `optional` may be missing. */
function object(required: Properties, optional: Properties = {}) {
  const names = Object.keys(required);
  return {
    type: "object",
    ...(names.length === 0 ? {} : { required: names }),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const limit = { ...count, maximum: Number.MAX_SAFE_INTEGER };
const settings = {
  name: named,
  quotaCharacters: limit,
  rateCharactersPerMinute: limit,
  quotaBytes: orWord(limit, "auto"),
  rateBytesPerMinute: orWord(limit, "auto"),
  importBytes: orWord(limit, "none"),
  language: { ...text, maxLength: LANGUAGE_CHARACTERS_MAX },
  embedder: text,
  quality: { type: "string", enum: QUALITIES },
  questionLog: flag,
  questionLogDays: { type: "integer", minimum: 1, maximum: QUESTION_LOG_DAYS_MAX },
  gapScore: score,
};
const { name, ...otherSettings } = settings;
const known = { ...settings, id: text, createdAt: time, hasKey: flag };
const fault = object({ kind: text, message: text });
const advice = listOf(object({ kind: text, mend: text, story: text }, { writtenIn: text }));
const figures = open("Figures that are known without opening the bot, as of `KnownFigures` of the library.");
const NearestDocument = object({ id: text, score }, { title: text });
const pair = { type: "array", items: text, minItems: 2, maxItems: 2 };
const origin = { ...text, minLength: 1, maxLength: KEY_ORIGIN_CHARACTERS_MAX };
const key = { scope: { type: "string", enum: ["all", "search"] }, origins: listOf(origin, KEY_ORIGINS_MAX) };
const perMinute = { requestsPerMinute: { type: "integer", minimum: 1, maximum: KEY_REQUESTS_PER_MINUTE_MAX } };
const word = { ...text, minLength: 1, maxLength: VOCABULARY_TEXT_CHARACTERS_MAX };
const line = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const lineRange = listOf(line, 2);
/** A document that should answer a golden question. */
const ofAnswer = {
  lines: {
    anyOf: [line, { ...lineRange, minItems: 2 }, listOf({ ...lineRange, minItems: 2 }, GOLDEN_LINES_MAX)],
    description: "One line, [first, last], or several of these ranges. Default: any line.",
  },
  gain: { type: "number", exclusiveMinimum: 0, description: "Default 1." },
};
const expected = object({ id: idOf }, ofAnswer);
const asked = { question: { ...text, minLength: 1, maxLength: QUERY_CHARACTERS_MAX } };
const answers = {
  anyOf: [idOf, expected, { ...listOf({ anyOf: [idOf, expected] }, GOLDEN_DOCUMENTS_MAX), minItems: 1 }],
};
const summary = {
  ...{ id: text, at: time, questions: count, missed: count },
  measures: open("Means over the questions, as of `EvaluationMeasures` of the library.", ["ndcgAt10"], {
    ndcgAt10: score,
  }),
};
const runOptions = { quality: { type: "string", enum: QUALITIES }, vocabulary: flag };

export const ADMIN_SCHEMAS = {
  AdminSignIn: object({
    key: { ...text, minLength: 1, maxLength: SIGN_IN_CHARACTERS_MAX, description: "An admin key, or a one-time code." },
  }),
  AdminSession: object(
    {
      name: { ...text, description: "Of the admin key." },
      scope: { type: "string", enum: ["write", "read"] },
      csrfToken: { ...text, description: "Sent as x-csrf-token with each change that the cookie authorises." },
      expiresAt: time,
    },
    { bots: { ...listOf(text), description: "The ids of the bots that the key may see; absent: all." } },
  ),
  AdminNothing: object({}),
  AdminBot: object(known, { fault }),
  AdminFleetBot: object(known, { fault, figures, advice }),
  AdminBotDetails: object(
    { bot: ref("AdminBot"), stats: open("The figures of `loredex bot show --json`.") },
    { advice },
  ),
  AdminBotCreate: object({ name }, otherSettings),
  AdminBotChanges: object({}, settings),
  AdminNewBot: object({ bot: ref("AdminBot"), key: { ...text, description: "Shown here alone." } }),
  AdminRestoredBot: object({ bot: ref("AdminBot") }, { key: text }),
  AdminKey: object({ name: text, ...key }, perMinute),
  AdminKeyCreate: object({ name: named }, { ...key, ...perMinute }),
  AdminNewKey: object({ key: { ...text, description: "Shown here alone." } }),
  AdminRegistration: object({ name: text, active: flag }),
  AdminActive: object({ active: flag }),
  AdminSource: object(
    { name: text, documents: count, arguments: listOf(open("As of `SourceArgument` of the library.")) },
    { takenOverBy: text },
  ),
  AdminRemoved: object({ removed: { ...count, description: "Documents." } }),
  AdminDocumentRow: object(
    {
      id: text,
      type: { type: "string", enum: DOCUMENT_TYPES },
      status: { type: "string", enum: DOCUMENT_STATES },
      characters: count,
      isArticle: flag,
    },
    {
      title: text,
      url: text,
      source: text,
      updatedAt: { ...time, description: "Of the last change. Absent for documents that an earlier version imported." },
    },
  ),
  AdminDocument: open(
    "An imported document as it is stored, or an article as searches return it.",
    ["resourceDocId", "type", "status"],
    { resourceDocId: text, type: { type: "string", enum: DOCUMENT_TYPES }, status: text },
  ),
  AdminDocumentStatus: object({ status: { type: "string", enum: DOCUMENT_STATUSES } }),
  AdminExplain: object(
    {
      query: { ...text, minLength: 1, maxLength: QUERY_CHARACTERS_MAX },
      id: idOf,
    },
    { options: nullable(ref("AdminExplainOptions")) },
  ),
  AdminExplainOptions: object(
    {},
    {
      ...SearchRequestOptions.properties,
      filters: ref("SearchFilter"),
      quality: { type: "string", enum: SEARCH_QUALITIES },
      vocabulary: ref("AdminVocabularyInput"),
    },
  ),
  AdminExplanation: open("As `Explanation` of the library."),
  AdminVocabulary: object({
    synonyms: listOf(text),
    pins: listOf(object({ question: text, document: text })),
    ignored: listOf(text),
  }),
  AdminVocabularyInput: {
    ...object(
      {},
      {
        synonyms: listOf({ ...text, minLength: 1, maxLength: VOCABULARY_LINE_CHARACTERS_MAX }, VOCABULARY_SYNONYMS_MAX),
        pins: listOf(object({ question: word, document: idOf }), VOCABULARY_PINS_MAX),
        ignored: listOf(word, VOCABULARY_IGNORED_MAX),
      },
    ),
    description: `All texts together have at most ${VOCABULARY_UNITS_MAX} UTF-16 units.`,
  },
  AdminImport: object(
    {
      addresses: {
        ...listOf({ ...text, minLength: 1, maxLength: ADMIN_ADDRESS_CHARACTERS_MAX }),
        minItems: 1,
        maxItems: ADMIN_ADDRESSES_MAX,
      },
    },
    { source: nullable({ ...text, minLength: 1, maxLength: SOURCE_NAME_CHARACTERS_MAX }) },
  ),
  AdminFileReport: object({
    file: text,
    ...{ imported: count, unchanged: count, removed: count },
    problems: listOf(object({ message: text }, { line: count })),
  }),
  AdminJob: object(
    {
      id: text,
      kind: { type: "string", enum: ["upload", "import", "sync", "run"] },
      state: { type: "string", enum: ["running", "done", "failed"] },
      startedAt: time,
      done: count,
    },
    {
      endedAt: time,
      total: count,
      message: text,
      report: {
        anyOf: [listOf(ref("AdminFileReport")), text],
        description: "Of each file; for a job of the kind run, the id of the run.",
      },
    },
  ),
  AdminGolden: object({
    questions: listOf(
      object({
        question: text,
        expected: listOf(object({ id: text, gain: { type: "number" }, lines: listOf(lineRange) })),
      }),
    ),
  }),
  AdminGoldenInput: {
    ...object({
      questions: listOf(
        {
          anyOf: [object({ ...asked, expected: answers }), object({ ...asked, id: idOf }, ofAnswer)],
          description: "With the documents that should answer, or with the id of a single one.",
        },
        GOLDEN_QUESTIONS_MAX,
      ),
    }),
    description: `All questions together, as JSON, have at most ${GOLDEN_UNITS_MAX} UTF-16 units.`,
  },
  AdminRunStart: object({}, { vocabulary: nullable(ref("AdminVocabularyInput")) }),
  AdminRunSummary: object(summary, runOptions),
  AdminRun: object({ ...summary, misses: listOf(open("As `RunMiss` of the library.")) }, runOptions),
  AdminNearestDocument: NearestDocument,
  AdminGap: object(
    {
      ...{ question: text, count, countWeek: count, countBefore: count, unhelpful: count, bestScore: score },
      ...{ examples: listOf(text), lastAskedAt: time },
    },
    { nearest: ref("AdminNearestDocument") },
  ),
  AdminQuestion: object(
    { id: count, askedAt: time, question: text, bestScore: score },
    {
      nearest: ref("AdminNearestDocument"),
      requestId: text,
      feedback: object({ helpful: flag, at: time }, { resourceDocId: text, comment: text }),
    },
  ),
  AdminFindings: object({
    neverFound: listOf(object({ id: text }, { title: text })),
    nearDuplicates: listOf(object({ ids: pair, titles: pair, similarity: score })),
    contradictions: listOf(
      object({ ids: pair, titles: pair, lines: pair, reason: { type: "string", enum: ["numbers", "negation"] } }),
    ),
    weeks: listOf(object({ week: text, questions: count, gaps: count, helpful: count, unhelpful: count })),
  }),
  AdminChange: object({ at: time, by: text, action: text }, { bot: text, target: text }),
  AdminStatus: object({
    version: text,
    condition: open("As `EngineCondition` of the library.", ["canWrite"], { canWrite: flag }),
    alerts: listOf(
      object({
        name: text,
        severity: { type: "string", enum: ["warning", "critical"] },
        meaning: text,
        bots: { ...listOf(text), description: "The ids of the bots that it concerns; empty: the server." },
      }),
    ),
  }),
};

const success = { const: true };
const many = (name: string, more: Properties = {}, optional: Properties = {}) =>
  object({ success, data: listOf(ref(name)), ...more }, optional);
const one = (name: string) => object({ success, data: ref(name) });
const next = { ...count, description: "The `before` of the next page; absent on the last one." };

/** The answers, by name. */
export const ADMIN_ANSWERS = {
  AdminSessionAnswer: one("AdminSession"),
  AdminDone: one("AdminNothing"),
  AdminBotsAnswer: many("AdminFleetBot"),
  AdminBotAnswer: one("AdminBot"),
  AdminNewBotAnswer: one("AdminNewBot"),
  AdminRestoredBotAnswer: one("AdminRestoredBot"),
  AdminBotDetailsAnswer: one("AdminBotDetails"),
  AdminKeysAnswer: many("AdminKey"),
  AdminNewKeyAnswer: one("AdminNewKey"),
  AdminRegistrationsAnswer: many("AdminRegistration"),
  AdminArticlesAnswer: many("Article"),
  AdminSourcesAnswer: many("AdminSource"),
  AdminRemovedAnswer: one("AdminRemoved"),
  AdminDocumentsAnswer: many("AdminDocumentRow", { total: { ...count, description: "Rows on all pages." } }),
  AdminDocumentAnswer: one("AdminDocument"),
  AdminResultsAnswer: many("SearchResult"),
  AdminExplanationAnswer: one("AdminExplanation"),
  AdminVocabularyAnswer: one("AdminVocabulary"),
  AdminJobAnswer: one("AdminJob"),
  AdminJobsAnswer: many("AdminJob"),
  AdminGoldenAnswer: one("AdminGolden"),
  AdminRunsAnswer: many("AdminRunSummary"),
  AdminRunAnswer: one("AdminRun"),
  AdminGapsAnswer: many("AdminGap"),
  AdminQuestionsAnswer: many("AdminQuestion"),
  AdminFindingsAnswer: one("AdminFindings"),
  AdminChangesAnswer: many("AdminChange", {}, { next }),
  AdminStatusAnswer: one("AdminStatus"),
};
