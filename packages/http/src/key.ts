import type { IncomingMessage } from "node:http";

/** Whether the authorization of a request is of the scheme Bearer, with something that could be a key. */
export function hasBearer({ headersDistinct }: IncomingMessage): boolean {
  const { authorization = [] } = headersDistinct;
  return authorization.length === 1 && Boolean(BEARER.exec(authorization[0] ?? "")?.[1]);
}

const BEARER = /^bearer(?: +([^\s]*))?$/i;

/**
 * The key of a request: in `x-api-key`, or in `Authorization` with the scheme Bearer. Undefined where there is none, or none that is meant
 * for certain: a header that was sent twice, or two keys that differ.
 */
export function keyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const keys = headersDistinct["x-api-key"] ?? [];
  const authorizations = headersDistinct.authorization ?? [];
  if (keys.length > 1 || authorizations.length > 1) return undefined;
  const [key] = keys;
  // Another scheme is another one's business: that of a proxy, say.
  const bearer = BEARER.exec(authorizations[0] ?? "");
  if (bearer === null) return key;
  const [, token = ""] = bearer;
  return key === undefined || key === token ? token : undefined;
}
