import type {
  ArticleSort,
  BatchOptions,
  CallOptions,
  ConditionalOptions,
  ListOptions,
  PageOptions,
  SuggestOptions,
  UpsertOptions,
} from "./calls.ts";
import { A_FILTER, METADATA_VALUE } from "./filter-kinds.ts";
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_SIGNAL,
  A_STRING,
  A_STRING_OR_MORE,
  A_TEXT,
  aNumber,
  anObjectWith,
  argumentProblems,
  aWholeNumber,
  kind,
  listOf,
  type OptionKinds,
  oneOf,
  type ParameterKinds,
  recordOf,
  required,
} from "./known-options.ts";
import type { Pace } from "./pace.ts";
import type { SyncOptions } from "./sync.ts";
import type { TransportOptions } from "./transport.ts";
import type { ArticleFilter, Feedback, QueryOptions, SearchOptions } from "./types.ts";

/** The options of a client's calls; others are refused. */

const PAGE_ARTICLES_MAX = 1_000;
const GROUP_SIZE_MAX = 100;
const SUGGESTIONS_MAX = 20;
/** The largest request body, written at the default rate of 15,000 characters a minute, takes 70 minutes. */
const BATCH_WAIT_SECONDS_MAX = 7_200;

export const CLIENT_OPTIONS: OptionKinds<TransportOptions> = {
  baseUrl: required(A_TEXT),
  key: required(A_STRING),
  attemptsMax: aWholeNumber(1),
  waitSecondsMax: aNumber(0),
  timeoutSeconds: aNumber(0),
  answerBytesMax: aWholeNumber(1),
  onWait: A_FUNCTION,
  fetch: A_FUNCTION,
  pace: anObjectWith<Pace>("a pace", "sleep", "after", "nowMs", "random"),
};

export const CALL_OPTIONS: OptionKinds<CallOptions> = { signal: A_SIGNAL };
export const CONDITIONAL_OPTIONS: OptionKinds<ConditionalOptions> = { ...CALL_OPTIONS, ifMatch: A_STRING };
export const CREATE_OPTIONS: OptionKinds<CallOptions & { idempotencyKey?: string }> = {
  ...CALL_OPTIONS,
  idempotencyKey: A_STRING,
};
const ARTICLE_SORT = oneOf<ArticleSort>([
  "createdAt:asc",
  "createdAt:desc",
  "updatedAt:asc",
  "updatedAt:desc",
  "title:asc",
  "title:desc",
]);
export const LIST_OPTIONS: OptionKinds<ListOptions> = {
  ...CALL_OPTIONS,
  pageSize: aWholeNumber(1, PAGE_ARTICLES_MAX),
  sort: ARTICLE_SORT,
};
export const PAGE_OPTIONS: OptionKinds<PageOptions> = {
  ...CALL_OPTIONS,
  sort: ARTICLE_SORT,
  limit: aWholeNumber(1, PAGE_ARTICLES_MAX),
  after: A_STRING,
};
export const BATCH_OPTIONS: OptionKinds<BatchOptions> = {
  ...CALL_OPTIONS,
  waitSecondsMax: aNumber(0, BATCH_WAIT_SECONDS_MAX),
  onProgress: A_FUNCTION,
};
export const UPSERT_OPTIONS: OptionKinds<UpsertOptions> = { ...CALL_OPTIONS, by: required(A_STRING_OR_MORE) };
export const WAIT_OPTIONS: OptionKinds<CallOptions & { timeoutSeconds?: number }> = {
  ...CALL_OPTIONS,
  timeoutSeconds: aNumber(0),
};
export const ARTICLE_FILTER: OptionKinds<ArticleFilter> = {
  id: A_STRING,
  title: A_STRING,
  metadata: recordOf(METADATA_VALUE),
};

const REQUEST_ID = kind<string>(
  "requestId",
  "1 to 128 letters, digits and signs of ._:/+=@-",
  (given) => typeof given === "string" && /^[\w.:/+=@-]{1,128}$/.test(given),
);

export const FEEDBACK: OptionKinds<Feedback> = {
  requestId: required(A_TEXT),
  resourceDocId: A_TEXT,
  helpful: required(A_BOOLEAN),
  comment: A_STRING,
};

export const SEARCH_OPTIONS: OptionKinds<SearchOptions & CallOptions> = {
  ...CALL_OPTIONS,
  filters: A_FILTER,
  topK: aWholeNumber(1),
  includeFaqs: A_BOOLEAN,
  includeContent: A_BOOLEAN,
  onlyActiveIntents: A_BOOLEAN,
  context: oneOf(["none", "passage", "section", "page"]),
  contextCharacters: aWholeNumber(1),
  offset: aWholeNumber(0),
  minScore: aNumber(0, 1),
  requestId: REQUEST_ID,
};

export const SUGGEST_OPTIONS: OptionKinds<SuggestOptions> = {
  ...CALL_OPTIONS,
  limit: aWholeNumber(1, SUGGESTIONS_MAX),
};

export const QUERY_OPTIONS: OptionKinds<QueryOptions & CallOptions> = {
  ...SEARCH_OPTIONS,
  facets: listOf(A_STRING, "a list of fields"),
  groupBy: A_STRING,
  groupSize: aWholeNumber(1, GROUP_SIZE_MAX),
};

export const SYNC_OPTIONS: OptionKinds<SyncOptions> = {
  ...CALL_OPTIONS,
  by: required(A_TEXT),
  where: recordOf(METADATA_VALUE),
  remove: A_BOOLEAN,
  keep: listOf(METADATA_VALUE),
  allowEmpty: A_BOOLEAN,
  dryRun: A_BOOLEAN,
  onProgress: A_FUNCTION,
};

/**
 * Refuses arguments of a wrong kind, and options that are unknown or of a wrong kind. A mistyped option would be ignored, and the string "false" would count as
 * true.
 * @param call the function's name, which begins the message: `LoredexClient.search`
 * @param given the arguments, by the names of the parameters
 * @throws TypeError naming every wrong one, the given value and the expected kind
 */
export function requireArguments<Given extends object>(
  call: string,
  given: Given,
  kinds: ParameterKinds<NoInfer<Given>>,
): void {
  const problems = argumentProblems(given, kinds);
  if (problems.length > 0) throw new TypeError(`${call}: ${problems.map(({ message }) => message).join("; ")}`);
}
