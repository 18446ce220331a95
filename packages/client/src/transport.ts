import type { components } from "./api-types.ts";
import type { ConditionalOptions } from "./calls.ts";
import { ARTICLE_NOT_FOUND, LoredexError, parsed, refusalOf } from "./error.ts";
import { onAbort } from "./on-abort.ts";
import { type Pace, REAL_PACE } from "./pace.ts";

type Schemas = components["schemas"];

/** Options of a client. */
export interface TransportOptions {
  /** For example `https://help.example.com`; a path before `/api/v1` is kept. */
  readonly baseUrl: string;
  /** The bot's key. */
  readonly key: string;
  /** Maximum attempts of one request, the first one included. 1 never sends again. Default 8. */
  readonly attemptsMax?: number;
  /** Maximum total wait of one call between its attempts, in seconds; default 300. A longer `Retry-After` is not waited for. */
  readonly waitSecondsMax?: number;
  /** Timeout of one attempt, in seconds; default 60. */
  readonly timeoutSeconds?: number;
  /** Maximum bytes of one answer, unpacked; a longer one is an error. Default 67,108,864 (64 MiB). */
  readonly answerBytesMax?: number;
  /** Called before each wait. */
  readonly onWait?: (seconds: number, error: LoredexError) => void;
  /** Sends a request like the global `fetch`, which is the default. */
  readonly fetch?: typeof fetch;
  /** Clock and randomness, for tests. */
  readonly pace?: Pace;
}

export interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below `/api/v1`. Default `/knowledge`. */
  readonly area?: "/knowledge" | "/usage" | "/admin";
  /** Path below the area. */
  readonly path: string;
  readonly json?: unknown;
  /** Bytes instead of JSON. */
  readonly bytes?: Blob | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if it may be sent again after a lost answer, although it may have been executed. */
  readonly isRepeatable: boolean;
  /** The waits of the call, if it has several requests. */
  readonly waits?: Waits;
  /** True for a batch with one operation, whose one result counts as the answer. */
  readonly isBatchOfOne?: boolean;
}

/** The waits of one call, in milliseconds: the sum so far, and its maximum. */
export interface Waits {
  ms: number;
  readonly msMax: number;
}

export interface Answer<Promised> {
  /** The parsed body; undefined for a 304, and if an earlier attempt has already deleted the article. */
  readonly json: Promised | undefined;
  readonly headers: Headers;
}

const BYTES_TYPE = "application/octet-stream";
const ANSWER_BYTES_MAX = 64 * 1_048_576;
/** The pause before the first retry of an unanswered request; each further one is twice as long, up to the second number. */
const PAUSE_MS = [250, 8_000] as const;
/** Maximum random share added to a wait, so that callers refused together do not return together. */
const JITTER = 0.1;

const NO_ADDRESS = { protocol: "", origin: "", pathname: "" };

/** Sends requests, and sends them again if that can help. */
export class Transport {
  readonly #base: string;
  readonly #options: TransportOptions;
  readonly #pace: Pace;

  constructor(options: TransportOptions) {
    const { protocol, origin, pathname } = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : NO_ADDRESS;
    if (!/^https?:$/.test(protocol))
      throw new TypeError(
        `baseUrl must be an http or https address, such as http://127.0.0.1:8080, not "${options.baseUrl}"`,
      );
    this.#base = `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}/api/v1`;
    this.#options = options;
    this.#pace = options.pace ?? REAL_PACE;
  }

  get pace(): Pace {
    return this.#pace;
  }

  get attemptsMax(): number {
    return this.#options.attemptsMax ?? 8;
  }

  get answerBytesMax(): number {
    return this.#options.answerBytesMax ?? ANSWER_BYTES_MAX;
  }

  /** Returns the waits of a new call. @param secondsMax default: the client's `waitSecondsMax` */
  newWaits(secondsMax: number = this.#options.waitSecondsMax ?? 300): Waits {
    return { ms: 0, msMax: secondsMax * 1_000 };
  }

  /**
   * Sends a request, with the waits that the service asks for.
   * @throws {LoredexError} for every answer but a success and 304
   * @throws the signal's reason once the signal is aborted
   */
  async send<Promised>(sent: Sent): Promise<Answer<Promised>> {
    const { waits = this.newWaits() } = sent;
    let wasLost = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt<Promised>(sent);
      if (!(outcome instanceof LoredexError)) return outcome;
      const waitMs = this.waitMs(outcome, attempt, sent.isRepeatable);
      // A DELETE whose answer was lost, and whose article is gone, has succeeded.
      if (wasLost && sent.method === "DELETE" && outcome.code === ARTICLE_NOT_FOUND)
        return { json: undefined, headers: new Headers() };
      if (waitMs === undefined || attempt >= this.attemptsMax) throw outcome;
      wasLost ||= outcome.status === undefined;
      if (!(await this.wait(waitMs, outcome, waits, sent.signal))) throw outcome;
    }
  }

  /**
   * Sends a request once, and returns the body of the answer as it comes. The timeout holds until it begins; the signal holds to its end.
   * @throws as {@link send}
   */
  async stream(sent: Sent): Promise<ReadableStream<Uint8Array>> {
    const outcome = await this.#asked(sent, async (answer, keepSignal) => {
      if (!answer.ok || answer.body === null) return refusalOf(answer, await textOf(answer, this.answerBytesMax));
      return withEnd(answer.body, keepSignal());
    });
    if (outcome instanceof LoredexError) throw outcome;
    return outcome;
  }

  /** Waits after a failure, and returns true; false at once if that is longer than the call may wait. @throws the signal's reason once the signal is aborted */
  async wait(ms: number, error: LoredexError, waits: Waits, signal: AbortSignal | undefined): Promise<boolean> {
    if (waits.ms + ms > waits.msMax) return false;
    waits.ms += ms;
    this.#options.onWait?.(ms / 1_000, error);
    await this.#pace.sleep(ms, signal);
    return true;
  }

  /** Returns the milliseconds after which a request can be sent again; undefined if that cannot help. */
  waitMs(error: LoredexError, attempt: number, isRepeatable: boolean): number | undefined {
    const jitter = 1 + JITTER * this.#pace.random();
    if (error.isWorthWaiting) return Math.ceil((error.retryAfterSeconds ?? 0) * 1_000 * jitter);
    if (error.status !== undefined || error.isFinal || !isRepeatable) return undefined;
    return Math.ceil(Math.min(PAUSE_MS[0] * 2 ** (attempt - 1), PAUSE_MS[1]) * jitter);
  }

  #attempt<Promised>(sent: Sent): Promise<Answer<Promised> | LoredexError> {
    return this.#asked(sent, async (answer) => {
      const whole = await textOf(answer, this.answerBytesMax);
      const { response, text } =
        sent.isBatchOfOne === true && answer.ok ? onlyResult(answer, whole) : { response: answer, text: whole };
      const json = response.ok ? parsed<Promised>(text) : undefined;
      if (json !== undefined || response.status === 304) return { json, headers: response.headers };
      // Also for a success without JSON, for example a proxy's page.
      return refusalOf(response, text);
    });
  }

  /**
   * Sends a request once, and reads its answer. An error that the service or the network is the reason of is returned, for the caller may try again.
   * @param read gets a function that keeps the signal in force beyond the reading, and returns one that ends that
   */
  async #asked<Result>(
    sent: Sent,
    read: (answer: Response, keepSignal: () => () => void) => Promise<Result | LoredexError>,
  ): Promise<Result | LoredexError> {
    const { key, timeoutSeconds = 60, fetch = globalThis.fetch } = this.#options;
    const { method, area = "/knowledge", path, signal } = sent;
    const url = this.#base + area;
    const body = sent.bytes ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json));
    // Created here and not below: for an invalid header, sending again is useless.
    const headers = new Headers({ ...sent.headers, "x-api-key": key });
    if (body !== undefined) headers.set("content-type", sent.bytes === undefined ? "application/json" : BYTES_TYPE);
    signal?.throwIfAborted();
    const stop = new AbortController();
    const forget = onAbort(signal, () => stop.abort(signal?.reason));
    const inTime = this.#pace.after(timeoutSeconds * 1_000, () => stop.abort());
    let isKept = false;
    try {
      const redirect = "manual" as const;
      const request = { method, headers, redirect, signal: stop.signal, ...(body !== undefined && { body }) };
      const answer = await fetch(url + path, request);
      const redirected = redirectProblem(answer, url);
      if (redirected !== undefined) {
        answer.body?.cancel().catch(() => {});
        return redirected;
      }
      return await read(answer, () => {
        isKept = true;
        return forget;
      });
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof LoredexError) return cause;
      const untrusted = certificateProblem(cause, new URL(this.#base).origin);
      if (untrusted !== undefined) return new LoredexError({ message: untrusted, cause, isFinal: true });
      const why = stop.signal.aborted ? `within ${timeoutSeconds} s` : `(${reasonOf(cause)})`;
      return new LoredexError({ message: `No answer came from ${url} ${why}.`, cause });
    } finally {
      inTime();
      if (!isKept) forget();
    }
  }
}

/** The same stream, which calls back once it has ended, failed or been cancelled. */
function withEnd(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    } catch (error) {
      ended();
      controller.error(error);
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    ended();
    return reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** Returns the answer that the only operation of a batch would have had alone. */
function onlyResult(answer: Response, whole: string): { readonly response: Response; readonly text: string } {
  return responseOf(parsed<Schemas["BatchAnswered"]>(whole)?.results?.[0], answer.headers);
}

/** Returns a batch's result as an answer of its own. @param given the headers of the batch's answer */
export function responseOf(
  result: Schemas["BatchAnswered"]["results"][number] | undefined,
  given: Headers,
): { readonly response: Response; readonly text: string } {
  if (result === undefined) return { response: new Response("", { status: 502 }), text: "" };
  const { status, body, retryAfter } = result;
  const headers = new Headers(given);
  headers.set("content-type", typeof body === "string" ? "text/plain" : "application/json");
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { response: new Response(text, { status, headers }), text };
}

/** "fetch failed" alone helps nobody: its cause names the failure, sometimes only by a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

/**
 * Reads the body of an answer as text. It is streamed, and abandoned if it is too long.
 * @param bytesMax maximum bytes, unpacked
 * @throws {LoredexError} `isTooLong`
 */
async function textOf(response: Response, bytesMax: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length;
    if (bytes > bytesMax) {
      // The error has the reason of the cancellation.
      reader.cancel().catch(() => {});
      throw new LoredexError({
        message: `The answer is longer than ${bytesMax} bytes. Ask for less (fewer documents or articles, no content), or set answerBytesMax.`,
        status: response.status,
        isTooLong: true,
        isFinal: true,
      });
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Error codes for certificates, as OpenSSL and Node name them. */
const CODE = /CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER|GET_CRL)|^HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)/;
/** The issuer is unknown here; other codes mean errors with any issuer. */
const UNKNOWN_ISSUER = /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED/;

/**
 * Returns the certificate's problem and the remedy; undefined for other errors, and in browsers, which do not name the problem. Sending again does not help.
 */
function certificateProblem(error: unknown, address: string): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!(cause instanceof Error) || !CODE.test(code)) return undefined;
  const mend = UNKNOWN_ISSUER.test(code)
    ? "If it is one of your own, start the program with the file of the certificate, or of who issued it, in NODE_EXTRA_CA_CERTS."
    : "The server needs another certificate, or baseUrl the name that this one is for.";
  return `The certificate of ${address} is not trusted (${cause.message || code}). ${mend}`;
}

const STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the error of an answer that redirects, or that was redirected; undefined for every other answer. Loredex never redirects, and the key is only for the
 * given address. Browsers tell neither the status nor the target.
 * @param url the requested address
 */
function redirectProblem(response: Response, url: string): LoredexError | undefined {
  const { status, type, redirected, headers } = response;
  if (type !== "opaqueredirect" && !redirected && !STATUSES.has(status)) return undefined;
  const to = redirected ? response.url : headers.get("location");
  // The caller's own `fetch` may have followed it.
  const sent = redirected ? "the key may have been sent there" : "the key was sent nowhere else";
  return new LoredexError({
    message: `${url} redirects to ${(to && resolved(to, url)) || "another address"}. Loredex never redirects, and ${sent}: give the server's own address as baseUrl.`,
    ...(STATUSES.has(status) && { status }),
    isFinal: true,
  });
}

/** Resolves the target, without its query, which may contain secrets. */
function resolved(to: string, url: string): string | undefined {
  try {
    const { origin, pathname } = new URL(to, url);
    return origin === "null" ? undefined : origin + pathname;
  } catch {
    return undefined;
  }
}

/** The header of a change that holds only for a version. */
export function ifMatch({ ifMatch }: ConditionalOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { "if-match": ifMatch };
}

/** The body of an answer that must have one. @throws LoredexError */
export function bodyOf<Promised>({ json }: Answer<Promised>): Promised {
  if (json === undefined) throw new LoredexError({ message: "The answer has no body, and not as Loredex does." });
  return json;
}
