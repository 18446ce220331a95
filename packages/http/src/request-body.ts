import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpError } from "./errors.ts";
import { tooDeep } from "./json.ts";

/** The limits of one body, and where it is counted. */
export interface BodyRules {
  readonly bytesMax: number;
  /** The longest time for {@link PIECE_BYTES} of the body, or for the rest, in milliseconds. */
  readonly pieceMs: number;
  /** Counts its bytes while they are held. */
  readonly count: (bytes: number) => void;
  /** Aborted with the reason when the body is not wanted any more. */
  readonly signal: AbortSignal;
}

const PIECE_BYTES = 65_536;

/** The client left before its request was complete, so there is no one to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/** The bytes that the request declares for its body; undefined for a chunked body, whose length is only known at its end. */
function declaredBytes(request: IncomingMessage): number | undefined {
  if (request.headers["transfer-encoding"] !== undefined) return undefined;
  // Node has checked that it is a whole number.
  return Number(request.headers["content-length"] ?? 0);
}

/** The body of one request, which is read on demand. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #rules: BodyRules;
  /** The client waits for `100 Continue` before it sends its body. */
  readonly #awaitsContinue: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, rules: BodyRules, awaitsContinue: boolean) {
    this.#request = request;
    this.#response = response;
    this.#rules = rules;
    this.#awaitsContinue = awaitsContinue;
  }

  /**
   * Reads the body.
   * @throws HttpError `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `REQUEST_TIMEOUT`; the signal's reason; ClientGoneError; Error if an app has read it and left
   * nothing
   */
  async read(): Promise<Uint8Array> {
    if (this.#request.readableDidRead) return this.#left();
    const declared = declaredBytes(this.#request);
    if (declared === 0) return Buffer.alloc(0);
    if (declared !== undefined && declared > this.#rules.bytesMax) throw this.#tooLarge();
    if (isCompressed(this.#request)) throw new HttpError("UNSUPPORTED_MEDIA_TYPE", COMPRESSED);
    if (!isJsonInUtf8(this.#request)) throw new HttpError("UNSUPPORTED_MEDIA_TYPE");
    if (this.#awaitsContinue) this.#response.writeContinue();
    return this.#collect();
  }

  /**
   * The body as it arrives, of any type. A sender may take as long as it likes, if each {@link PIECE_BYTES} come in time.
   * @throws as {@link read}, from the first step on
   */
  async *stream(bytesMax: number): AsyncGenerator<Uint8Array, void, undefined> {
    const request = this.#request;
    const declared = declaredBytes(request);
    if (declared === 0) return;
    if (declared !== undefined && declared > bytesMax) throw tooLarge(bytesMax);
    if (isCompressed(request)) throw new HttpError("UNSUPPORTED_MEDIA_TYPE", COMPRESSED);
    const { signal, pieceMs } = this.#rules;
    signal.throwIfAborted();
    if (request.destroyed) throw new ClientGoneError();
    STREAMED.add(request);
    if (this.#awaitsContinue) this.#response.writeContinue();
    // Leaving early must not destroy the connection: the client still has to read its answer.
    const parts: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
    let [bytes, counted, leftMs] = [0, 0, pieceMs];
    try {
      for (;;) {
        const sinceMs = performance.now();
        const part = await arrived(parts.next(), leftMs, signal);
        if (part.done === true) return;
        bytes += part.value.length;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        // The time of the taker is not the sender's.
        leftMs -= performance.now() - sinceMs;
        if (bytes - counted >= PIECE_BYTES) [counted, leftMs] = [bytes, pieceMs];
        yield part.value;
      }
    } finally {
      void parts.return?.();
      request.resume();
    }
  }

  /**
   * Whether the connection must end after the answer: a body that was refused or ignored is still arriving and is not known to be small.
   * (Node also ends it if the client waited for `100 Continue` in vain.)
   */
  get spoilsConnection(): boolean {
    if (this.#request.complete) return false;
    const declared = declaredBytes(this.#request);
    return declared === undefined || declared > this.#rules.bytesMax;
  }

  /** The body that an app's parser has read and left on the request. */
  #left(): Uint8Array {
    const bytes = bytesLeft(this.#request);
    if (bytes === undefined) throw new Error(READ_BEFORE);
    if (bytes.length > this.#rules.bytesMax) throw this.#tooLarge();
    if (bytes.length > 0 && !isJsonInUtf8(this.#request)) throw new HttpError("UNSUPPORTED_MEDIA_TYPE");
    return bytes;
  }

  #collect(): Promise<Buffer> {
    const request = this.#request;
    // The client may have left while the bot was being opened. No event will come then.
    if (request.destroyed) return Promise.reject(new ClientGoneError());
    const { bytesMax, pieceMs, count, signal } = this.#rules;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let counted = 0;
      const late = (): void => {
        // The time limit begins again with each piece.
        if (bytes - counted < PIECE_BYTES) {
          fail(new HttpError("REQUEST_TIMEOUT"));
          return;
        }
        counted = bytes;
        timer.refresh();
      };
      const timer = setTimeout(late, pieceMs);
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", unwanted);
        request.off("data", take).off("end", end).off("error", gone).off("close", gone);
      };
      const fail = (error: unknown) => {
        stop();
        reject(error);
      };
      const take = (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bytesMax) {
          fail(this.#tooLarge());
          return;
        }
        chunks.push(chunk);
        count(chunk.length);
      };
      const end = () => {
        stop();
        resolve(Buffer.concat(chunks, bytes));
      };
      const gone = () => fail(new ClientGoneError());
      const unwanted = () => fail(signal.reason);
      signal.addEventListener("abort", unwanted, { once: true });
      request.on("data", take).on("end", end).on("error", gone).on("close", gone);
    });
  }

  #tooLarge(): HttpError {
    return tooLarge(this.#rules.bytesMax);
  }
}

function tooLarge(bytesMax: number): HttpError {
  return new HttpError("BODY_TOO_LARGE", `The request body is too large: at most ${bytesMax} bytes are taken.`);
}

/** Requests whose bodies are streamed. */
const STREAMED = new WeakSet<IncomingMessage>();

/** Whether a request's body is streamed: the time of a whole request does not hold for it. */
export function isStreamed(request: IncomingMessage): boolean {
  return STREAMED.has(request);
}

/** Waits for a part of a body. @throws HttpError `REQUEST_TIMEOUT` after `ms` milliseconds; the signal's reason; ClientGoneError */
async function arrived<Part>(part: Promise<Part>, ms: number, signal: AbortSignal): Promise<Part> {
  let stop = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new HttpError("REQUEST_TIMEOUT")), ms);
    const unwanted = (): void => reject(signal.reason);
    signal.addEventListener("abort", unwanted, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", unwanted);
    };
  });
  const known = part.catch(() => Promise.reject(new ClientGoneError()));
  return Promise.race([known, late]).finally(stop);
}

const READ_BEFORE =
  "The request's body was read before the request came to Loredex, and is not on request.body: mount the handler before what reads bodies.";

/** The bytes of a parsed body; undefined if there is none. An object becomes JSON again, so that one reader applies all rules. */
function bytesLeft(request: IncomingMessage): Uint8Array | undefined {
  const body: unknown = "body" in request ? request.body : undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  return typeof body === "object" && body !== null ? Buffer.from(asJson(body)) : undefined;
}

function asJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    // Parsers read any depth, but writing JSON takes a stack frame per level.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

const COMPRESSED = "The request body must not be compressed: send it as it is, without Content-Encoding.";

function isCompressed({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
}

const CONTENT_TYPE = /^application\/json[ \t]*(?:;(.*))?$/i;
const CHARSET = /^charset=(?:"utf-?8"|utf-?8)$/i;

function isJsonInUtf8(request: IncomingMessage): boolean {
  const type = CONTENT_TYPE.exec(request.headers["content-type"] ?? "");
  if (type === null) return false;
  const parameters = (type[1] ?? "").split(";").map((parameter) => parameter.trim());
  return parameters.every((parameter) => !/^charset\b/i.test(parameter) || CHARSET.test(parameter));
}
