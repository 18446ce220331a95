import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

/**
 * What tells browsers to make nothing of an answer but data: it is no page, has no scripts, stands in no frame, and is shown to no page of another
 * origin unless CORS lets it. A page of the server's own says what it needs in its own headers.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** For a year a browser asks this name by https alone, on every port of it. */
const STRICT_TRANSPORT = { "strict-transport-security": "max-age=31536000" };

const NO_HEADERS: Readonly<Record<string, string>> = {};

/**
 * Only over a TLS of the server's own, and only to a client that asked for a name: browsers take it for nothing else. One machine's `localhost`
 * has other servers, which may not speak TLS.
 */
export function strictTransport(socket: Duplex | null): Readonly<Record<string, string>> {
  const name = socket instanceof TLSSocket && "servername" in socket ? socket.servername : undefined;
  if (typeof name !== "string" || name === "" || name === "localhost" || name.endsWith(".localhost")) return NO_HEADERS;
  return STRICT_TRANSPORT;
}
