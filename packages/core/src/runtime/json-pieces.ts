import type { Steps } from "./steps.ts";

/** JSON is handed out in pieces of about this many UTF-16 units: a fraction of a millisecond's work. */
const PIECE_UNITS = 65_536;

/** The keys of an object, in the order in which they are written. */
export type KeysOf = (object: object) => readonly string[];

/** As `JSON.stringify` writes them. */
export const keysInOrder: KeysOf = (object) => Object.keys(object);
/** As canonical JSON has them. */
export const keysSorted: KeysOf = (object) => Object.keys(object).sort();

/**
 * The JSON of a value in pieces, which joined are what `JSON.stringify` gives for it. The value is JSON already but for fields that are
 * undefined, which are left out; its strings are well-formed.
 */
export function* jsonPieces(value: unknown, keysOf: KeysOf): Generator<string, void> {
  let piece = "";
  for (const part of parts(value, keysOf)) {
    piece += part;
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

function* parts(value: unknown, keysOf: KeysOf): Generator<string, void> {
  if (typeof value === "string") yield* stringParts(value);
  else if (Array.isArray(value)) {
    yield "[";
    for (const [i, item] of value.entries()) {
      if (i > 0) yield ",";
      yield* parts(item, keysOf);
    }
    yield "]";
  } else if (typeof value === "object" && value !== null) {
    let before = "{";
    for (const key of keysOf(value)) {
      const item: unknown = Reflect.get(value, key);
      if (item === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* parts(item, keysOf);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else yield JSON.stringify(value);
}

/** A pair of surrogates is never divided: the half of one would be written as an escape. */
function* stringParts(text: string): Generator<string, void> {
  if (text.length <= PIECE_UNITS) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE_UNITS);
    if (isLowSurrogate(text.charCodeAt(end))) end--;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The JSON of a value as bytes, in steps, `headBytes` zeros before it; undefined if all of it takes more than `bytesMax`. */
export function* jsonBytesInSteps(value: unknown, headBytes: number, bytesMax: number): Steps<Uint8Array | undefined> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let length = headBytes;
  for (const piece of jsonPieces(value, keysInOrder)) {
    const bytes = encoder.encode(piece);
    pieces.push(bytes);
    length += bytes.length;
    if (length > bytesMax) return undefined;
    yield;
  }
  const all = new Uint8Array(length);
  let at = headBytes;
  for (const bytes of pieces) {
    all.set(bytes, at);
    at += bytes.length;
    yield;
  }
  return all;
}
