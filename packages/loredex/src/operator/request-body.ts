import { JSON_DEPTH_MAX, ValidationError } from "@loredex/core";

/** Deeper than anything that an operation takes: metadata, in a document, in its place among the parameters. */
const DEPTH_MAX = 2 * JSON_DEPTH_MAX;

/**
 * What a command asks a running server, as it is sent. What is nested so deeply that it cannot be written is cut off below all that an operation
 * takes: it is refused where it was too deep, in the words that are the same without a server.
 * @throws ValidationError for what is no JSON: that is no fault of the connection
 */
export function requestBody(parameters: readonly unknown[]): Buffer {
  try {
    return Buffer.from(written(parameters));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ValidationError([{ message: `it cannot be sent as JSON: ${why}`, field: "document", type: "json" }]);
  }
}

function written(parameters: readonly unknown[]): string {
  try {
    return JSON.stringify(parameters);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutOff(parameters, DEPTH_MAX));
  }
}

function cutOff(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutOff(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutOff(item, levels - 1)]));
}
