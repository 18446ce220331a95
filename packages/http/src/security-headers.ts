import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

/**
 * The headers that make browsers treat an answer as data alone.
 * It is no page, has no scripts, stands in no frame, and is shown to no page of another origin unless CORS allows it.
 * A page of the server sets its needs in its own headers.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** For a year a browser uses only https for this name, on every port. */
const STRICT_TRANSPORT = { "strict-transport-security": "max-age=31536000" };

const NO_HEADERS: Readonly<Record<string, string>> = {};

/**
 * HSTS, only over the server's own TLS, and only to a client that asked for a name: browsers ignore it otherwise.
 * `localhost` is excluded: other servers of the machine may not use TLS.
 */
export function strictTransport(socket: Duplex | null): Readonly<Record<string, string>> {
  const name = socket instanceof TLSSocket && "servername" in socket ? socket.servername : undefined;
  if (typeof name !== "string" || name === "" || name === "localhost" || name.endsWith(".localhost")) return NO_HEADERS;
  return STRICT_TRANSPORT;
}
