import { JSON_DEPTH_MAX, ValidationError } from "@loredex/core";

/** Deeper than any operation's parameters: metadata, in a document, among the parameters. */
const DEPTH_MAX = 2 * JSON_DEPTH_MAX;

/**
 * Encodes the parameters of a command for a running server. Values nested more deeply than any operation takes are cut off below that depth.
 * The server then refuses the depth with the same message as without a server.
 * @throws ValidationError if they cannot be JSON, which is no fault of the connection
 */
export function requestBody(parameters: readonly unknown[]): Buffer {
  try {
    return Buffer.from(written(parameters));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ValidationError([{ message: `it cannot be sent as JSON: ${why}`, field: "document", type: "json" }]);
  }
}

/** Checks the depth first: newer versions of Node write any depth, and older ones overflow. */
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
