import type { IncomingMessage } from "node:http";

/** Whether the Authorization header has the scheme Bearer, with a possible key. */
export function hasBearer({ headersDistinct }: IncomingMessage): boolean {
  const { authorization = [] } = headersDistinct;
  return authorization.length === 1 && Boolean(BEARER.exec(authorization[0] ?? "")?.[1]);
}

const BEARER = /^bearer(?: +([^\s]*))?$/i;

/**
 * The key of a request: from `x-api-key`, or from `Authorization` with the scheme Bearer.
 * Undefined if there is none, if a header was sent twice, or if two different keys were sent.
 */
export function keyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const keys = headersDistinct["x-api-key"] ?? [];
  const authorizations = headersDistinct.authorization ?? [];
  if (keys.length > 1 || authorizations.length > 1) return undefined;
  const [key] = keys;
  // Other schemes are for others, such as a proxy.
  const bearer = BEARER.exec(authorizations[0] ?? "");
  if (bearer === null) return key;
  const [, token = ""] = bearer;
  return key === undefined || key === token ? token : undefined;
}
