import type { CallOptions, ConditionalOptions, ListOptions, PageOptions, UpsertOptions } from "./calls.ts";
import { type OptionNames, optionProblems } from "./known-options.ts";
import type { SyncOptions } from "./sync.ts";
import type { TransportOptions } from "./transport.ts";
import type { ArticleFilter, SearchOptions } from "./types.ts";

/** The names of the options of a client's calls: others are refused. */

export const CLIENT_OPTIONS: OptionNames<TransportOptions> = {
  baseUrl: true,
  key: true,
  attemptsMax: true,
  waitSecondsMax: true,
  timeoutSeconds: true,
  answerBytesMax: true,
  onWait: true,
  fetch: true,
  pace: true,
};

export const CALL_OPTIONS: OptionNames<CallOptions> = { signal: true };
export const CONDITIONAL_OPTIONS: OptionNames<ConditionalOptions> = { ...CALL_OPTIONS, ifMatch: true };
export const CREATE_OPTIONS: OptionNames<CallOptions & { idempotencyKey?: string }> = {
  ...CALL_OPTIONS,
  idempotencyKey: true,
};
export const LIST_OPTIONS: OptionNames<ListOptions> = { ...CALL_OPTIONS, pageSize: true };
export const PAGE_OPTIONS: OptionNames<PageOptions> = { ...CALL_OPTIONS, limit: true, after: true };
export const UPSERT_OPTIONS: OptionNames<UpsertOptions> = { ...CALL_OPTIONS, by: true };
export const WAIT_OPTIONS: OptionNames<CallOptions & { timeoutSeconds?: number }> = {
  ...CALL_OPTIONS,
  timeoutSeconds: true,
};
export const ARTICLE_FILTER: OptionNames<ArticleFilter> = { id: true, title: true, metadata: true };

export const SEARCH_OPTIONS: OptionNames<SearchOptions & CallOptions> = {
  ...CALL_OPTIONS,
  filters: true,
  topK: true,
  includeFaqs: true,
  includeContent: true,
  onlyActiveIntents: true,
};

export const SYNC_OPTIONS: OptionNames<SyncOptions> = {
  ...CALL_OPTIONS,
  by: true,
  where: true,
  remove: true,
  keep: true,
  allowEmpty: true,
  dryRun: true,
  onProgress: true,
};

/**
 * Refuses unknown options: a mistyped one would be ignored.
 * @throws TypeError naming every unknown one, and the option that was likely meant
 */
export function requireKnownOptions<Options>(given: Options, names: OptionNames<Options>): void {
  const problems = optionProblems(given, names);
  if (problems.length > 0) throw new TypeError(problems.map(({ message }) => message).join("; "));
}
