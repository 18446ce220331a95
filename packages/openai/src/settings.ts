import { createHash } from "node:crypto";
import { kinds, VECTOR_DIMENSIONS_MAX } from "@loredex/core";

const COUNT_MAX = 2 ** 31 - 1;

/** How to reach a model server, and how to ask it. */
export interface OpenAiOptions {
  /** Where the API begins, for example `http://127.0.0.1:8000/v1`: `/embeddings` is added. Holds no user name and no password. */
  readonly baseUrl: string;
  /** The model's name, as the server knows it. The same name is taken for the same model, wherever it is served. */
  readonly model: string;
  /** Sent as a bearer token. Default: none is sent. */
  readonly apiKey?: string;
  /**
   * How many numbers a vector has, 1 to `VECTOR_DIMENSIONS_MAX`. Servers that can shorten vectors are asked for it. With it the server need
   * not be there at the start; without it, it is asked then. Every vector is held against it.
   */
  readonly dimensions?: number;
  /** Put before every question; models of the e5 family want `query: `. Default: nothing. */
  readonly queryPrefix?: string;
  /** Put before every passage; models of the e5 family want `passage: `. Default: nothing. */
  readonly passagePrefix?: string;
  /** Sent with questions as `input_type`, for servers that tell questions from passages by it. Default: it is not sent. */
  readonly queryInputType?: string;
  /** Sent with passages as `input_type`. Default: it is not sent. */
  readonly passageInputType?: string;
  /** Share of its score against that of the words, 0 to 1. Default .5. */
  readonly weight?: number;
  /** A request for passages that takes longer has failed. Milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** A question that takes longer is answered by its words. Milliseconds; default 2,000. */
  readonly questionMsMax?: number;
  /** Passages in one request, from 1; default 16. A server that takes fewer is asked with fewer. */
  readonly textsPerRequest?: number;
  /** Requests for passages at the same time, from 1; default 2. Questions come on top. */
  readonly concurrency?: number;
  /** How often a failed request for passages is tried again before the call fails, from 0; default 3. */
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

/** The options with nothing left open, and the names that follow from them. */
export interface Settings
  extends Required<Omit<OpenAiOptions, "apiKey" | "dimensions" | "queryInputType" | "passageInputType">>,
    Pick<OpenAiOptions, "apiKey" | "dimensions" | "queryInputType" | "passageInputType"> {
  /** Where embeddings are asked for. */
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

/** @throws RangeError with one line on the first option that can't be */
export function settingsOf(options: OpenAiOptions): Settings {
  const settings = { ...DEFAULTS, ...options, url: embeddingsUrl(options.baseUrl) };
  if (settings.model.trim() === "") throw new RangeError("model must name a model of the server.");
  const { apiKey = "" } = settings;
  // What no header can hold would be quoted, key and all, by whatever sends it.
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

/** The embedder's id: letters, digits and dashes, one for each model, so that it can stand in a file's name. */
export function idOf({ model }: Settings): string {
  const readable = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, READABLE_MAX);
  return `openai-${readable === "" ? "" : `${readable.replace(/-$/, "")}-`}${digest([model])}`;
}

/** Changes with everything that the vectors of a text depend on, as far as it can be seen from here. */
export function versionOf(settings: Settings, dimensions: number): string {
  const { model, queryPrefix, passagePrefix, queryInputType = null, passageInputType = null } = settings;
  return `${dimensions}-${digest([model, queryPrefix, passagePrefix, queryInputType, passageInputType])}`;
}

const READABLE_MAX = 40;

function digest(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 8);
}
