import { jsonPieces } from "@loredex/core";

/** An answer as data: a route returns it, and `response.ts` sends it. */
export interface Reply {
  readonly status: number;
  /** The headers, with lower-case names. `content-length` and the headers of every answer are added when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in slices that are made one at a time while they are sent. */
  readonly slices: Iterable<string | Buffer>;
  /** A body that comes bit by bit, instead of slices. It is never compressed. Its `return` is called, whatever becomes of the answer. */
  readonly stream?: AsyncIterator<string | Uint8Array>;
}

/** UTF-16 units after which a slice of a long list is sent. */
const SLICE_LENGTH = 65_536;

/** The bytes that are handed over at once. */
const SLICE_BYTES = 65_536;

/** Bytes in slices. */
export function bytesInSlices(bytes: Uint8Array): Iterable<Buffer> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < all.length; at += SLICE_BYTES) yield all.subarray(at, at + SLICE_BYTES);
    },
  };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const TEXT_TYPE = { "content-type": "text/plain; charset=utf-8" };

type Headers = Readonly<Record<string, string>>;

export function jsonReply(status: number, value: unknown, headers: Headers = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, slices: { [Symbol.iterator]: () => jsonPieces(value) } };
}

export function textReply(status: number, text: string, headers: Headers = {}): Reply {
  return { status, headers: { ...TEXT_TYPE, ...headers }, slices: [text] };
}

/** An answer without a body: 204 or 304. */
export function emptyReply(headers: Headers, status: 204 | 304 = 204): Reply {
  return { status, headers, slices: [] };
}

/** Sends a client to another address, which is relative: what stands in front of this server may have a prefix. */
export function redirectReply(location: string): Reply {
  return { status: 302, headers: { location, "content-length": "0" }, slices: [] };
}

/** JSON with one array: the text before its elements, the elements, and the text after them. */
export interface JsonArray {
  readonly head: string;
  readonly rows: Iterable<unknown>;
  readonly tail: string;
}

/** An answer that may be long. Its rows, which may be long too, become text only when they are sent. */
export function arrayReply(status: number, array: JsonArray, headers: Headers = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, slices: { [Symbol.iterator]: () => arraySlices(array) } };
}

/** The text of an array, in slices that are made one at a time. */
export function* arraySlices({ head, rows, tail }: JsonArray): Generator<string> {
  let slice = head;
  let separator = "";
  for (const row of rows) {
    slice += separator;
    separator = ",";
    for (const piece of jsonPieces(row)) {
      slice += piece;
      if (slice.length < SLICE_LENGTH) continue;
      yield slice;
      slice = "";
    }
  }
  yield slice + tail;
}
