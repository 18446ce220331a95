import type { Sliced } from "../scheduling/time-slices.ts";

/** JSON is yielded in pieces of about this many UTF-16 units: a fraction of a millisecond's work. */
const PIECE_UNITS = 65_536;

/** A value of less weight is written at once: taking it apart would take longer. */
const SMALL_WEIGHT = 4_096;
/** The weight of brackets, quotation marks or a number. */
const NODE_WEIGHT = 4;

/** The keys of an object, in the order in which they are written. */
export type KeysOf = (object: object) => readonly string[];

/** The order of `JSON.stringify`. */
export const keysInOrder: KeysOf = (object) => Object.keys(object);
/** The order of canonical JSON. */
export const keysSorted: KeysOf = (object) => Object.keys(object).sort();

/**
 * The JSON of a value in pieces of some 65,536 characters; joined, they equal `JSON.stringify` of the value. The value must be plain JSON data;
 * undefined fields are left out. There is at least one piece.
 */
export function* jsonPieces(value: unknown, keysOf: KeysOf = keysInOrder): Generator<string, void> {
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
  else if (keysOf === keysInOrder && weightUpTo(SMALL_WEIGHT, value) < SMALL_WEIGHT) yield JSON.stringify(value);
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

/** About the length of a value's JSON, in UTF-16 units; counting stops at `max`. */
export function weightUpTo(max: number, value: unknown): number {
  if (typeof value === "string") return value.length + NODE_WEIGHT;
  if (typeof value !== "object" || value === null) return NODE_WEIGHT;
  let weight = NODE_WEIGHT;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && weight < max; i++) weight += weightUpTo(max - weight, value[i]);
    return weight;
  }
  for (const key of Object.keys(value)) {
    if (weight >= max) break;
    weight += key.length + weightUpTo(max - weight, Reflect.get(value, key));
  }
  return weight;
}

/** The JSON of a string in pieces. A surrogate pair is never divided: half of one would be written as an escape. */
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

/** The JSON of a value as bytes, after `headBytes` zeros; undefined if all of it is longer than `bytesMax`. Sliced work. */
export function* jsonBytesInSlices(
  value: unknown,
  headBytes: number,
  bytesMax: number,
): Sliced<Uint8Array | undefined> {
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
