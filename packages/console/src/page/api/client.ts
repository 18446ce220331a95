import { signal } from "@preact/signals";
import { away, noteAnswer, noteSilence, whenBack } from "../state/connection.ts";
import { csrfToken, endSession, session, whenSignedIn } from "../state/session.ts";
import type { Session } from "./types.ts";

/** The path of the admin API. */
export const BASE = "/api/v1/admin";

/** Requests in flight, for the bar at the top. */
export const pending = signal(0);

/** An answer that is not a success, with the server's own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** The server did not answer a change. It may have been made or not. */
export class NoAnswerError extends Error {}

export interface Answer<Data> {
  readonly data: Data;
  /** The whole body. */
  readonly body: { readonly total?: number; readonly next?: number };
  readonly etag: string | undefined;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** A POST that changes nothing: it may be repeated after an interruption. */
  readonly isRead?: boolean;
  /** An answer 401 is the caller's: it does not end the session. */
  readonly isSignIn?: boolean;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * One call of the admin API. Reads wait while the server is away or the session has ended, and are then repeated.
 * @throws ApiError for any other answer than a success; NoAnswerError if a change was not answered
 */
export async function call<Data>(method: Method, path: string, options: CallOptions = {}): Promise<Answer<Data>> {
  const mayRepeat = method === "GET" || options.isRead === true;
  let isRenewed = false;
  for (;;) {
    if (away.value && mayRepeat) await whenBack(options.signal);
    const response = await send(method, path, options);
    if (response === undefined) {
      if (!mayRepeat) throw new NoAnswerError();
      continue;
    }
    if (response.ok) return await answerOf<Data>(response);
    const error = refusal(response.status, await response.text(), response.headers.get("retry-after"));
    if (error.status === 403 && error.code === 10004 && !isRenewed && options.isSignIn !== true) {
      isRenewed = true;
      // Another tab has signed in: its session has another token.
      session.value = (await call<Session>("GET", "/session")).data;
      continue;
    }
    if (error.status === 401 && options.isSignIn !== true) {
      endSession();
      if (mayRepeat) {
        await whenSignedIn(options.signal);
        continue;
      }
    }
    throw error;
  }
}

export async function get<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  return (await call<Data>("GET", path, signal === undefined ? {} : { signal })).data;
}

/**
 * Reads a file of the server. It is complete: a transfer that broke off rejects.
 * @param onProgress the bytes that have arrived
 * @throws ApiError; TypeError and NoAnswerError if the server stopped answering
 */
export async function download(path: string, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<Blob> {
  const response = await send("GET", path, { signal });
  if (response === undefined) throw new NoAnswerError();
  if (!response.ok || response.body === null) {
    if (response.status === 401) endSession();
    throw refusal(response.status, await response.text(), response.headers.get("retry-after"));
  }
  let taken = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, to) => {
      taken += bytes.length;
      onProgress(taken);
      to.enqueue(bytes);
    },
  });
  // The browser may keep it on its disk.
  return new Response(response.body.pipeThrough(counted)).blob();
}

/** The path of a bot's routes. */
export function ofBot(bot: string, ...rest: readonly string[]): string {
  return ["/bots", ...[bot, ...rest].map(encodeURIComponent)].join("/");
}

async function send(method: Method, path: string, options: CallOptions): Promise<Response | undefined> {
  const { body, signal } = options;
  const headers: Record<string, string> = { ...options.headers };
  if (method !== "GET") headers["x-csrf-token"] = csrfToken();
  if (body !== undefined && !(body instanceof Blob)) headers["content-type"] = "application/json";
  pending.value += 1;
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      credentials: "same-origin",
      redirect: "error",
      cache: "no-store",
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
    if (response.status === 502 || response.status === 504) {
      noteSilence();
      return undefined;
    }
    noteAnswer();
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteSilence();
    return undefined;
  } finally {
    pending.value -= 1;
  }
}

async function answerOf<Data>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  const body = text === "" ? {} : JSON.parse(text);
  return {
    data: Array.isArray(body) ? body : (body.data ?? body),
    body,
    etag: response.headers.get("etag") ?? undefined,
  };
}

/** The error of an answer in each of its shapes: of broken rules, of all others, and plain text. */
export function refusal(status: number, text: string, after: string | null): ApiError {
  const seconds = after === null ? undefined : Number(after);
  const { message, code } = errorParts(text);
  return new ApiError(status, code, message === "" ? `HTTP ${status}` : message, seconds);
}

function errorParts(text: string): { readonly message: string; readonly code: number } {
  try {
    const body = JSON.parse(text);
    const error = body.error ?? body;
    const broken: readonly { message: string }[] = body.data?.result ?? [];
    const messages = broken.map(({ message }) => message).join("\n");
    return { message: messages === "" ? String(error.message ?? "") : messages, code: Number(error.code ?? 0) };
  } catch {
    return { message: text.slice(0, 500), code: 0 };
  }
}
