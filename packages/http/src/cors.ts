import type { IncomingMessage } from "node:http";
import type { KeyInfo } from "@loredex/core";

/** The rights of pages of other origins: none, except for the origins that the operator has listed for a key. */

const ALLOWED_HEADERS = [
  "content-type",
  "x-api-key",
  "authorization",
  "x-request-id",
  "idempotency-key",
  "if-match",
  "if-none-match",
].join(", ");

const EXPOSED_HEADERS = ["x-request-id", "retry-after", "etag", "idempotent-replayed", "x-loredex-stale"].join(", ");

/** The seconds for which a browser may remember the answer to a preflight. A key that is revoked meanwhile is refused nevertheless. */
const PREFLIGHT_SECONDS = "600";

type Headers = Readonly<Record<string, string>>;

const NO_HEADERS: Headers = {};

/** The CORS headers of every answer to a key. */
export function headersForKey(request: IncomingMessage, { origins }: KeyInfo): Headers {
  if (origins.length === 0) return NO_HEADERS;
  const origin = originOf(request);
  if (origin === undefined || !origins.includes(origin)) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}

/**
 * The CORS headers of the answer to OPTIONS. A browser asks before it sends a key, so the key is still unknown.
 * @param methods the methods that the path allows
 * @param isListed whether any key lists an origin
 */
export function headersForOptions(
  request: IncomingMessage,
  methods: string,
  isListed: (origin: string) => boolean,
): Headers {
  const origin = originOf(request);
  if (origin === undefined || request.headers["access-control-request-method"] === undefined) return NO_HEADERS;
  if (!isListed(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": PREFLIGHT_SECONDS,
  };
}

/** The origin of a request; undefined also if it was sent twice, as it is ambiguous then. */
function originOf({ headersDistinct }: IncomingMessage): string | undefined {
  const origins = headersDistinct.origin ?? [];
  return origins.length === 1 ? origins[0] : undefined;
}
