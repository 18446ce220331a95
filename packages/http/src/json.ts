import { JSON_DEPTH_MAX, JSON_VALUES_MAX, jsonContents, readJson, refuseLosses } from "@loredex/core";
import { violation } from "./errors.ts";

/** A JSON object as it was sent. `__proto__` is an own key like any other. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON object from a request's body.
 * @throws ValidationError with field `body` and a type:
 * - `json`: not UTF-8, not JSON, not an object, too deep, too many values, or a number that overflows
 * - `duplicateKey`: keys that appear twice, with their names
 * - `exactInteger`: whole numbers that JavaScript cannot represent exactly, with their fields
 */
export function parseJsonObject(bytes: Uint8Array): JsonRecord {
  if (bytes.length === 0) throw refused("The request needs a JSON object as its body.");
  const written = checkSize(bytes);
  const text = decode(bytes);
  const value = parse(text);
  if (!isRecord(value)) throw refused("The body must be a JSON object, in curly brackets.");
  const contents = jsonContents(value);
  if (contents.overflows) throw refused("A number in the body is too large: its magnitude must stay below 1.8e308.");
  refuseLosses(text, contents, written);
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    // Without ignoreBOM a byte order mark would be dropped silently. JSON sent over a network must not have one.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused("The body is not valid UTF-8.");
  }
  if (text.startsWith("\uFEFF")) throw refused("The body must not start with a byte order mark.");
  return text;
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    const detail = error instanceof Error ? `: ${error.message}` : "";
    throw refused(`The body is not valid JSON${detail}`);
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Refuses JSON that would take long to parse, before it is parsed: a mebibyte may hold half a million levels or values.
 * Returns the number of keys, if the bytes are JSON.
 */
function checkSize(bytes: Uint8Array): number {
  let depth = 0;
  let values = 1;
  let keys = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === COLON) {
      values += 1;
      if (byte === COLON) keys += 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > JSON_DEPTH_MAX) throw tooDeep();
    if (values > JSON_VALUES_MAX) throw refused(`The body has more than ${JSON_VALUES_MAX} keys and values.`);
  }
  return keys;
}

/** The index of the closing quote of the string that opens at `start`; the end of the body if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error for a body with more levels than are read. */
export function tooDeep() {
  return refused(`The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
}

function refused(message: string) {
  return violation(message, "body", "json");
}
