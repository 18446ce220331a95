import type { IncomingMessage, ServerResponse } from "node:http";
import type { ByteHold } from "./admission/shared-bytes.ts";
import type { Reply } from "./reply.ts";

/** How long, and for how many bytes, a refused upload is still taken in after its answer, so that the sender gets to read it. */
const LINGER_MS = 1_000;
const LINGER_BYTES_MAX = 16 * 1_048_576;

export interface SendOptions {
  readonly requestId: string;
  /** End the connection after this answer. */
  readonly close: boolean;
  /** How long the client may take for one piece of the answer. */
  readonly stallMs: number;
  /** Where pieces are counted that are made and not taken yet. */
  readonly unsentBytes: ByteHold;
  /** Waits until the next piece may be made. */
  readonly turn: () => Promise<void>;
}

/** Headers of every answer. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "cache-control": "no-store", "x-content-type-options": "nosniff" };
}

/**
 * Sends an answer. A body of one slice has a length; a longer one is streamed, each slice made when the client has taken the one before.
 * Resolves when the answer was handed over or the client is gone.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  options: SendOptions,
): Promise<void> {
  const { requestId, close } = options;
  const slices = reply.slices[Symbol.iterator]();
  const first = slices.next();
  const second = first.done ? first : slices.next();
  const headers = { ...reply.headers, ...commonHeaders(requestId) };
  if (close) response.shouldKeepAlive = false;
  const hasBody = request.method !== "HEAD";
  let ending = "";
  if (first.done) {
    response.writeHead(reply.status, headers);
  } else if (second.done) {
    response.writeHead(reply.status, { ...headers, "content-length": Buffer.byteLength(first.value) });
    if (hasBody) ending = first.value;
  } else {
    response.writeHead(reply.status, headers);
    if (hasBody) await stream(response, [first.value, second.value], slices, options);
  }
  if (close && !request.complete) {
    response.write(ending);
    await linger(request, response);
    ending = "";
  }
  // Headers and body in one piece: as two writes they would cost the system calls of a second answer.
  if (response.destroyed) return;
  response.end(ending);
  watchTheEnd(response, options);
}

async function stream(
  response: ServerResponse,
  ready: readonly string[],
  rest: Iterator<string>,
  options: SendOptions,
): Promise<void> {
  // As bytes they lie outside the heap, and are what they are counted as.
  const counted = (slice: string): Buffer => {
    const bytes = Buffer.from(slice);
    options.unsentBytes.add(bytes.length);
    return bytes;
  };
  for (const bytes of ready.map(counted)) {
    if (!(await write(response, bytes, options))) return;
  }
  for (let next = rest.next(); !next.done; next = rest.next()) {
    if (!(await write(response, counted(next.value), options))) return;
  }
}

/** Resolves when there is room for more: false if the client is gone. Lets other requests have their turn in any case. */
function write(response: ServerResponse, bytes: Buffer, { stallMs, unsentBytes, turn }: SendOptions): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stallMs);
    // Where the system takes a slice at once, "drain" comes before any other event.
    const settle = () => {
      clearTimeout(stalled);
      unsentBytes.take(bytes.length);
      response.off("drain", settle);
      response.off("close", settle);
      void turn().then(() => resolve(!response.destroyed));
    };
    if (response.write(bytes)) {
      settle();
    } else {
      response.on("drain", settle);
      response.on("close", settle);
    }
  });
}

/** The last piece, where the system did not take it at once, or stands behind another answer. */
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

/** Closing a socket with unread input resets it, and the answer is lost with it: so take in some of the rest first. */
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
