import { JSON_DEPTH_MAX, ValidationError } from "@loredex/core";

/** Deeper than anything that an operation takes: metadata, in a document, in its place among the parameters. */
const DEPTH_MAX = 2 * JSON_DEPTH_MAX;

/**
 * What a command asks a running server, as it is sent. What is nested more deeply than anything that an operation takes is cut off below
 * that: it is refused where it was too deep, in the words that are the same without a server.
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

/** Newer versions of Node write any depth, and older ones overflow: so it is looked at before. */
function written(parameters: readonly unknown[]): string {
  return JSON.stringify(isWithin(parameters, DEPTH_MAX) ? parameters : cutOff(parameters, DEPTH_MAX));
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isWithin(item, levels - 1));
}

function cutOff(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutOff(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutOff(item, levels - 1)]));
}
