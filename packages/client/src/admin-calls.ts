import type { components } from "./api-types.ts";
import type { CallOptions, ConditionalOptions } from "./calls.ts";
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_TEXT,
  aWholeNumber,
  type Kind,
  kind,
  type OptionKinds,
  oneOf,
} from "./known-options.ts";
import { CALL_OPTIONS, QUERY_OPTIONS, SEARCH_OPTIONS, WAIT_OPTIONS } from "./option-tables.ts";
import { ifMatch, type Sent } from "./transport.ts";
import type { QueryOptions, SearchOptions } from "./types.ts";

/** Options of the calls of the admin API. */

type Row = components["schemas"]["AdminDocumentRow"];

/** Which embedder reads the question; `words`: none, so that words alone count. Default: the bot's setting. */
export type Quality = "best" | "fast" | "words";

/** The asked page of the table of all documents. */
export interface DocumentsRequest extends CallOptions {
  /** Rows before the page. Default 0. */
  readonly offset?: number;
  /** Most rows of the page, 1 to 1,000. */
  readonly limit?: number;
  /** Default `updatedAt:desc`: the last change first. */
  readonly sort?: string;
  /** Only rows with this part in their title, id or address. */
  readonly search?: string;
  readonly type?: Row["type"];
  readonly status?: Row["status"];
}

/** The asked page of a list that begins with the newest row. */
export interface HistoryRequest extends CallOptions {
  /** Most rows, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** Only rows before this one: the `next` or the last `id` of the previous page. */
  readonly before?: number;
}

/** How a job is waited for. */
export interface JobWaitOptions extends CallOptions {
  /** Default 600. */
  readonly timeoutSeconds?: number;
  /** Called with the job after each check. */
  readonly onProgress?: (job: components["schemas"]["AdminJob"]) => void;
}

export type AdminSearchOptions = SearchOptions & CallOptions & { readonly quality?: Quality };
export type AdminQueryOptions = QueryOptions & CallOptions & { readonly quality?: Quality };

/** A bot's vocabulary, with the tag of this version. */
export interface VersionedVocabulary {
  readonly vocabulary: components["schemas"]["AdminVocabulary"];
  readonly etag: string;
}

/** A bot's golden questions, with the tag of this version. */
export interface VersionedGolden extends Readonly<components["schemas"]["AdminGolden"]> {
  readonly etag: string;
}

/** A vocabulary to write, also as it was read. */
export type GivenVocabulary = components["schemas"]["AdminVocabularyInput"] | VersionedVocabulary;
/** Golden questions to write, also as they were read. */
export type GivenGolden = components["schemas"]["AdminGoldenInput"] | VersionedGolden;

/** What is sent of what was read: its tag stands in `If-Match`, if anywhere. */
export function withoutTag(given: GivenVocabulary | GivenGolden): object {
  if ("vocabulary" in given) return given.vocabulary;
  const { etag: _, ...sent } = { etag: undefined, ...given };
  return sent;
}

type Status = components["schemas"]["AdminDocumentStatus"]["status"];
export const A_STATUS = oneOf<Status>(["active", "inactive", "pending"]);
const quality = oneOf<Quality>(["best", "fast", "words"]);
export const ADMIN_SEARCH_OPTIONS: OptionKinds<AdminSearchOptions> = { ...SEARCH_OPTIONS, quality };
export const ADMIN_QUERY_OPTIONS: OptionKinds<AdminQueryOptions> = { ...QUERY_OPTIONS, quality };
export const DOCUMENTS_OPTIONS: OptionKinds<DocumentsRequest> = {
  ...CALL_OPTIONS,
  offset: aWholeNumber(0),
  limit: aWholeNumber(1, 1_000),
  sort: A_TEXT,
  search: A_TEXT,
  type: oneOf<Row["type"]>(["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA", "EXTERNAL"]),
  status: oneOf<Row["status"]>(["active", "inactive", "pending", "uploading"]),
};
export const HISTORY_OPTIONS: OptionKinds<HistoryRequest> = {
  ...CALL_OPTIONS,
  limit: aWholeNumber(1, 1_000),
  before: aWholeNumber(0),
};
const { before: _, ...ofGaps } = HISTORY_OPTIONS;
export const GAPS_OPTIONS: OptionKinds<Omit<HistoryRequest, "before">> = ofGaps;
export const JOB_WAIT_OPTIONS: OptionKinds<JobWaitOptions> = { ...WAIT_OPTIONS, onProgress: A_FUNCTION };
export const UPLOAD_OPTIONS: OptionKinds<CallOptions & { source?: string }> = { ...CALL_OPTIONS, source: A_TEXT };
export const UNDO_OPTIONS: OptionKinds<CallOptions & { undo?: boolean }> = { ...CALL_OPTIONS, undo: A_BOOLEAN };
export const RESTORE_OPTIONS: OptionKinds<CallOptions & { as?: string }> = { ...CALL_OPTIONS, as: A_TEXT };
export const BACKUP_OPTIONS: OptionKinds<CallOptions & { questions?: boolean }> = {
  ...CALL_OPTIONS,
  questions: A_BOOLEAN,
};

/** A file, or its bytes. `openAsBlob` of `node:fs` makes a Blob of a file that is not read into memory. */
export const SOME_BYTES: Kind<Blob | Uint8Array> = kind(
  "bytes",
  "a Blob or a Uint8Array",
  (given) => given instanceof Uint8Array || given instanceof Blob,
);

/** What a call sends beside its path. */
export interface Asked {
  readonly json?: unknown;
  readonly bytes?: Blob | Uint8Array;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A request to the admin API. After a lost answer it is sent again only if it changes nothing. */
export function sentOf(method: Sent["method"], path: string, { query = {}, ...asked }: Asked): Sent {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const tail = parameters.size === 0 ? "" : `?${parameters}`;
  return { method, area: "/admin", path: path + tail, ...asked, isRepeatable: method === "GET" };
}

/** The answers whose `data` a call returns. */
export type Answers = {
  [Name in keyof components["schemas"]]: components["schemas"][Name] extends { data: unknown } ? Name : never;
}[keyof components["schemas"]];
export type Data<Name extends Answers> = components["schemas"][Name]["data"];
export type Tagged<Name extends Answers> = { readonly data: Data<Name>; readonly etag: string };

/** What a change sends that holds only for a version. */
export function conditional(options: ConditionalOptions, json?: unknown): Asked {
  return { signal: options.signal, headers: ifMatch(options), ...(json === undefined ? {} : { json }) };
}

export function isEnded(onProgress: JobWaitOptions["onProgress"]): (job: Data<"AdminJobAnswer">) => boolean {
  return (job) => {
    onProgress?.(job);
    return job.state !== "running";
  };
}
