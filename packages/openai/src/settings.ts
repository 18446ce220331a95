import { createHash } from "node:crypto";
import { kinds, VECTOR_DIMENSIONS_MAX } from "@loredex/core";

const COUNT_MAX = 2 ** 31 - 1;

/** Address of a model server, and options of its requests. */
export interface OpenAiOptions {
  /** Base address of the API, for example `http://127.0.0.1:8000/v1`: `/embeddings` is added. Holds no user name and no password. */
  readonly baseUrl: string;
  /** The model's name on the server. Equal names mean the same model, wherever it is served. */
  readonly model: string;
  /** Sent as a bearer token. Default: none is sent. */
  readonly apiKey?: string;
  /**
   * Length of a vector, 1 to `VECTOR_DIMENSIONS_MAX`. Servers that can shorten vectors are asked for it. With it the server need not run at the start; without
   * it, the server is asked then. Every vector is checked against it.
   */
  readonly dimensions?: number;
  /** Put before every question; models of the e5 family want `query: `. Default: nothing. */
  readonly queryPrefix?: string;
  /** Put before every passage; models of the e5 family want `passage: `. Default: nothing. */
  readonly passagePrefix?: string;
  /** Sent with questions as `input_type`, for servers that use it to distinguish questions from passages. Default: it is not sent. */
  readonly queryInputType?: string;
  /** Sent with passages as `input_type`. Default: it is not sent. */
  readonly passageInputType?: string;
  /** Weight of the cosine score in the hybrid score, 0 to 1; BM25 has the rest. Default .5. */
  readonly weight?: number;
  /** Timeout of a request for passages, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Timeout of a question, in milliseconds; default 2,000. After it the question is answered without the server's vector. */
  readonly questionMsMax?: number;
  /** Passages in one request, from 1; default 16. A server that takes fewer gets smaller requests. */
  readonly textsPerRequest?: number;
  /** Requests for passages at the same time, from 1; default 2. Questions are additional. */
  readonly concurrency?: number;
  /** Retries of a failed request for passages before the call fails, from 0; default 3. */
  readonly retries?: number;
  /** The first wait before a retry; each further one is twice as long, 16 times this at most. Milliseconds; default 500. */
  readonly retryMsMin?: number;
}

const OPENAI_OPTIONS: kinds.OptionKinds<OpenAiOptions> = {
  baseUrl: kinds.required(kinds.A_STRING),
  model: kinds.required(kinds.A_STRING),
  apiKey: kinds.A_STRING,
  dimensions: kinds.aWholeNumber(1, VECTOR_DIMENSIONS_MAX),
  queryPrefix: kinds.A_STRING,
  passagePrefix: kinds.A_STRING,
  queryInputType: kinds.A_STRING,
  passageInputType: kinds.A_STRING,
  weight: kinds.aNumber(0, 1),
  timeoutMs: kinds.aTimeMs(),
  questionMsMax: kinds.aTimeMs(),
  textsPerRequest: kinds.aWholeNumber(1, COUNT_MAX),
  concurrency: kinds.aWholeNumber(1, COUNT_MAX),
  retries: kinds.aWholeNumber(0, COUNT_MAX),
  retryMsMin: kinds.aTimeMs(),
};
/** The parameters of the functions that take such options. */
export const OPENAI_PARAMETERS: {
  readonly options: kinds.OptionKinds<OpenAiOptions>;
  readonly signal: kinds.Kind<AbortSignal | undefined>;
} = { options: OPENAI_OPTIONS, signal: kinds.optional(kinds.A_SIGNAL) };

/** The options with defaults, and names derived from them. */
export interface Settings
  extends Required<Omit<OpenAiOptions, "apiKey" | "dimensions" | "queryInputType" | "passageInputType">>,
    Pick<OpenAiOptions, "apiKey" | "dimensions" | "queryInputType" | "passageInputType"> {
  /** The address for embeddings. */
  readonly url: string;
}

const DEFAULTS = {
  queryPrefix: "",
  passagePrefix: "",
  weight: 0.5,
  timeoutMs: 60_000,
  questionMsMax: 2_000,
  textsPerRequest: 16,
  concurrency: 2,
  retries: 3,
  retryMsMin: 500,
};

/** @throws RangeError with one line on the first invalid option */
export function settingsOf(options: OpenAiOptions): Settings {
  const settings = { ...DEFAULTS, ...options, url: embeddingsUrl(options.baseUrl) };
  if (settings.model.trim() === "") throw new RangeError("model must name a model of the server.");
  const { apiKey = "" } = settings;
  // The error for an invalid header would quote it, key and all.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) throw new RangeError("apiKey must be of printable ASCII, without spaces.");
  return settings;
}

function embeddingsUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RangeError("baseUrl must be an address such as http://127.0.0.1:8000/v1.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new RangeError("baseUrl must hold no user name and no password; a key is given as apiKey.");
  }
  url.pathname = `${withoutEndingSlashes(url.pathname).replace(/\/embeddings$/, "")}/embeddings`;
  return url.href;
}

function withoutEndingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** The embedder's id: letters, digits and dashes, one for each model, so that it can be part of a file name. */
export function idOf({ model }: Settings): string {
  const readable = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, READABLE_MAX);
  return `openai-${readable === "" ? "" : `${readable.replace(/-$/, "")}-`}${digest([model])}`;
}

/** Returns a version that changes with everything known here that the vectors of a text depend on. */
export function versionOf(settings: Settings, dimensions: number): string {
  const { model, queryPrefix, passagePrefix, queryInputType = null, passageInputType = null } = settings;
  return `${dimensions}-${digest([model, queryPrefix, passagePrefix, queryInputType, passageInputType])}`;
}

const READABLE_MAX = 40;

function digest(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 8);
}
