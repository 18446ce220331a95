import { JSON_DEPTH_MAX } from "@loredex/core";
import { violation } from "./errors.ts";

/** A JSON object as it was sent. `__proto__` is an own key like any other. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON object from a request's body.
 * @throws ValidationError with field `body` and type `json`: not UTF-8, not JSON, not an object, too deep, or a number that overflows
 */
export function parseJsonObject(bytes: Uint8Array): JsonRecord {
  if (bytes.length === 0) throw refused("The request needs a JSON object as its body.");
  const value = parse(decode(bytes));
  if (!isRecord(value)) throw refused("The body must be a JSON object, in curly brackets.");
  checkValue(value, 1);
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    // Without ignoreBOM a byte order mark would vanish unseen; JSON sent over a network must not have one.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused("The body is not valid UTF-8.");
  }
  if (text.startsWith("\uFEFF")) throw refused("The body must not start with a byte order mark.");
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? `: ${error.message}` : "";
    throw refused(`The body is not valid JSON${detail}`);
  }
}

/** Recursion goes no deeper than the limit that it checks. */
function checkValue(value: unknown, depth: number): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw refused("A number in the body is too large: its magnitude must stay below 1.8e308.");
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > JSON_DEPTH_MAX) throw refused(`The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
  for (const inner of Object.values(value)) checkValue(inner, depth + 1);
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string) {
  return violation(message, "body", "json");
}
