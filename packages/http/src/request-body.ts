import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpError } from "./errors.ts";
import { tooDeep } from "./json.ts";

/** What one body may take of what all share. */
export interface BodyRules {
  readonly bytesMax: number;
  /** How long its sender may take for {@link PIECE_BYTES} of it, or for the rest. */
  readonly pieceMs: number;
  /** Where its bytes are counted while they are held. */
  readonly count: (bytes: number) => void;
  /** Aborted with the reason why nobody wants the body any more. */
  readonly signal: AbortSignal;
}

const PIECE_BYTES = 65_536;

/** The client went away before its request was whole: there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/** Bytes that the request declares for its body; undefined for a chunked one, whose length shows at its end. */
function declaredBytes(request: IncomingMessage): number | undefined {
  if (request.headers["transfer-encoding"] !== undefined) return undefined;
  // Node has checked that it is a plain number.
  return Number(request.headers["content-length"] ?? 0);
}

/** One request's body, not read until asked for. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #rules: BodyRules;
  /** The client waits for a go-ahead before it sends its body. */
  readonly #awaitsContinue: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, rules: BodyRules, awaitsContinue: boolean) {
    this.#request = request;
    this.#response = response;
    this.#rules = rules;
    this.#awaitsContinue = awaitsContinue;
  }

  /** @throws HttpError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT; what the signal is aborted with; ClientGoneError; Error where an app has read it and left nothing */
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
   * Whether the connection must end after the answer because of what is still to come: a body that was refused or ignored and
   * is not known to be small. (Node ends it as well where a go-ahead was waited for and not given.)
   */
  get spoilsConnection(): boolean {
    if (this.#request.complete) return false;
    const declared = declaredBytes(this.#request);
    return declared === undefined || declared > this.#rules.bytesMax;
  }

  /** What an app's parser has left of a body that it has read. */
  #left(): Uint8Array {
    const bytes = bytesLeft(this.#request);
    if (bytes === undefined) throw new Error(READ_BEFORE);
    if (bytes.length > this.#rules.bytesMax) throw this.#tooLarge();
    if (bytes.length > 0 && !isJsonInUtf8(this.#request)) throw new HttpError("UNSUPPORTED_MEDIA_TYPE");
    return bytes;
  }

  #collect(): Promise<Buffer> {
    const request = this.#request;
    // The client may have left while the bot was being opened: then no event will come any more.
    if (request.destroyed) return Promise.reject(new ClientGoneError());
    const { bytesMax, pieceMs, count, signal } = this.#rules;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let counted = 0;
      const late = (): void => {
        // Time is counted again with each piece that has come.
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
    return new HttpError(
      "BODY_TOO_LARGE",
      `The request body is too large: at most ${this.#rules.bytesMax} bytes are taken.`,
    );
  }
}

const READ_BEFORE =
  "The request's body was read before the request came to Loredex, and is not on request.body: mount the handler before what reads bodies.";

/** Undefined where there is nothing. What was parsed becomes JSON again, so that every rule on bodies is kept by one reader. */
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
    // Parsers read any depth, and writing it takes a step of the stack for each level.
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
