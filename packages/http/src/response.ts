import type { IncomingMessage, ServerResponse } from "node:http";
import type { ByteHold } from "./admission/shared-bytes.ts";
import { acceptedCoding } from "./compression/accepted-coding.ts";
import { CODER_BYTES, type Coder, type Compressor } from "./compression/compressor.ts";
import { isEligible, varying } from "./compression/eligible.ts";
import type { Reply } from "./reply.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** The time and the bytes for which a refused upload is still read after its answer, so that the sender can read the answer. */
const LINGER_MS = 1_000;
const LINGER_BYTES_MAX = 16 * 1_048_576;

export interface SendOptions {
  /** The headers of every answer to this request. The reply's own headers win. */
  readonly common: Readonly<Record<string, string>>;
  /** Whether the connection ends after this answer. */
  readonly close: boolean;
  /** The longest time for one piece of the answer, in milliseconds. */
  readonly stallMs: number;
  /** Counts the pieces that are made and not taken yet. */
  readonly unsentBytes: ByteHold;
  /** Compresses answers; undefined if they are sent uncompressed. */
  readonly compressor: Compressor | undefined;
  /** Yields to other requests, until the next piece may be made. */
  readonly lane: () => Promise<void>;
}

/** Headers of every answer. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { ...SECURITY_HEADERS, "x-request-id": requestId };
}

/**
 * Sends an answer. A body of one slice has a length. A longer body is streamed: each slice is made when the client has taken the previous one.
 * Resolves when the answer was handed over or the client has left.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  options: SendOptions,
): Promise<void> {
  if (reply.stream !== undefined) return sendStream(request, response, { ...reply, stream: reply.stream }, options);
  const { close } = options;
  const slices = reply.slices[Symbol.iterator]();
  const first = slices.next();
  const second = first.done ? first : slices.next();
  if (close) response.shouldKeepAlive = false;
  const isAsked = request.method !== "HEAD";
  const bodyBytes = first.done ? 0 : Buffer.byteLength(first.value);
  const { headers, coder } = codingOf(request, response, reply, bodyBytes, options);
  let ending: string | Buffer = "";
  try {
    if (first.done) {
      response.writeHead(reply.status, headers);
    } else if (second.done) {
      const body = coder === undefined ? first.value : await coded(coder, bytesOf(first.value), options);
      const bytes = coder === undefined ? bodyBytes : Buffer.byteLength(body);
      const length = "content-encoding" in headers && !isAsked ? {} : { "content-length": bytes };
      if (response.destroyed) return;
      response.writeHead(reply.status, { ...headers, ...length });
      if (isAsked) ending = body;
    } else {
      response.writeHead(reply.status, headers);
      if (isAsked) await stream(response, [first.value, second.value], slices, coder, options);
    }
  } finally {
    coder?.close();
  }
  if (close && !request.complete) {
    response.write(ending);
    await linger(request, response);
    ending = "";
  }
  // Headers and body in one write: two writes would cost the system calls of a second answer.
  if (response.destroyed) return;
  response.end(ending);
  watchTheEnd(response, options);
}

/** Sends a body that comes bit by bit. A body that breaks off cuts the connection, so that the client sees that the end is missing. */
async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, stream }: Reply & Required<Pick<Reply, "stream">>,
  options: SendOptions,
): Promise<void> {
  const gone = (): void => void stream.return?.();
  response.once("close", gone);
  try {
    if (response.destroyed) return;
    if (options.close) response.shouldKeepAlive = false;
    response.writeHead(status, { ...options.common, ...headers });
    if (request.method !== "HEAD") {
      response.flushHeaders();
      for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
        const bytes = Buffer.from(next.value);
        options.unsentBytes.add(bytes.length);
        if (!(await write(response, bytes, options))) return;
      }
    }
    response.end();
    watchTheEnd(response, options);
  } finally {
    response.off("close", gone);
    await stream.return?.();
  }
}

function bytesOf(slice: string | Buffer): Buffer {
  return typeof slice === "string" ? Buffer.from(slice) : slice;
}

interface Coded {
  readonly headers: Readonly<Record<string, string>>;
  /** The coder of the body, which must be closed. */
  readonly coder?: Coder;
}

/** How the answer is coded. The headers of HEAD are those of GET, with no body to compress. An app around the handler may have set a coding itself. */
function codingOf(
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  bodyBytes: number,
  { common, compressor }: SendOptions,
): Coded {
  const own = { ...common, ...reply.headers };
  const isMine = !response.hasHeader("content-encoding");
  if (compressor === undefined || !isMine || !isEligible(reply.status, own, bodyBytes)) return { headers: own };
  const headers = varying(own);
  const coding = acceptedCoding(asked["accept-encoding"]);
  if (coding === undefined) return { headers };
  if (method === "HEAD") return { headers: { ...headers, "content-encoding": coding } };
  const coder = compressor.begin(coding);
  if (coder === undefined) return { headers };
  response.once("close", () => coder.close());
  return { headers: { ...headers, "content-encoding": coding }, coder };
}

/** Compresses the whole body of one slice. */
async function coded(coder: Coder, body: Buffer, { unsentBytes }: SendOptions): Promise<Buffer> {
  const bytes = body.length + CODER_BYTES;
  unsentBytes.add(bytes);
  const all = await coder.finish(body);
  unsentBytes.take(bytes);
  return all;
}

async function stream(
  response: ServerResponse,
  ready: readonly (string | Buffer)[],
  rest: Iterator<string | Buffer>,
  coder: Coder | undefined,
  options: SendOptions,
): Promise<void> {
  const { unsentBytes, lane } = options;
  if (coder !== undefined) unsentBytes.add(CODER_BYTES);
  // Buffers lie outside the heap, and take as many bytes as are counted.
  const counted = (slice: string | Buffer): Buffer => {
    const bytes = bytesOf(slice);
    unsentBytes.add(bytes.length);
    return bytes;
  };
  /** Sends bytes, compressed if there is a coder. False if the client has left. */
  const pass = async (bytes: Buffer, isLast = false): Promise<boolean> => {
    if (coder === undefined) return write(response, bytes, options);
    const made = await (isLast ? coder.finish(bytes) : coder.code(bytes));
    unsentBytes.take(bytes.length);
    unsentBytes.add(made.length);
    if (made.length > 0) return write(response, made, options);
    // There is nothing to send yet, but compressing took time.
    await lane();
    return !response.destroyed;
  };
  for (const bytes of ready.map(counted)) {
    if (!(await pass(bytes))) return;
  }
  for (let next = rest.next(); !next.done; next = rest.next()) {
    if (!(await pass(counted(next.value)))) return;
  }
  if (coder !== undefined) await pass(Buffer.alloc(0), true);
}

/** Writes bytes. Resolves when the client can take more, or with false if it has left. Always yields to other requests. */
function write(response: ServerResponse, bytes: Buffer, { stallMs, unsentBytes, lane }: SendOptions): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stallMs);
    // If the system takes a slice at once, "drain" comes before any other event.
    const settle = () => {
      clearTimeout(stalled);
      unsentBytes.take(bytes.length);
      response.off("drain", settle);
      response.off("close", settle);
      void lane().then(() => resolve(!response.destroyed));
    };
    if (response.write(bytes)) {
      settle();
    } else {
      response.on("drain", settle);
      response.on("close", settle);
    }
  });
}

/** Watches the last piece, if the system did not take it at once or another answer is before it. */
function watchTheEnd(response: ServerResponse, { stallMs, unsentBytes }: SendOptions): void {
  if (response.writableFinished) return;
  const stalled = setTimeout(() => response.destroy(), stallMs);
  const settle = () => {
    clearTimeout(stalled);
    unsentBytes.release();
    response.off("finish", settle).off("close", settle);
  };
  response.on("finish", settle).on("close", settle);
  unsentBytes.add(response.writableLength + (response.socket?.writableLength ?? 0));
}

/** Reads some of the rest first: closing a socket with unread input resets it, and the answer is lost. */
function linger(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const settle = () => {
      clearTimeout(timer);
      request.off("data", count).off("end", settle).off("error", settle);
      response.off("close", settle);
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES_MAX) settle();
    };
    const timer = setTimeout(settle, LINGER_MS);
    request.on("error", settle).on("end", settle).on("data", count);
    response.on("close", settle);
    request.resume();
  });
}
