import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerSettings } from "./options.ts";

const HEADER_BYTES_MAX = 16_384;

/** node:http, or node:https, with every limit set that it leaves open. */
export function hardenedServer({ timeouts, connectionRequestsMax, tls }: ServerSettings): Server {
  const options: ServerOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1_000, Math.floor(timeouts.headersMs / 4))),
    maxHeaderSize: HEADER_BYTES_MAX,
    // Without a Host header Node would answer by itself, and not in our shape.
    requireHostHeader: false,
  };
  const server =
    tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tlsOptions(tls, timeouts) });
  // The size of all headers is limited already; beyond a number of them Node would drop the rest without a word.
  server.maxHeadersCount = 0;
  // What is sent on beyond the last answer of a connection is not kept.
  server.maxRequestsPerSocket = connectionRequestsMax;
  // Who stalls is told from who waits: a sender by its body, a reader by the pieces of its answer.
  server.timeout = 0;
  return server;
}

/** What the process or its environment may say of older versions does not hold here. */
export const TLS_VERSION_MIN = "TLSv1.2";

function tlsOptions({ cert, key }: NonNullable<ServerSettings["tls"]>, { headersMs }: ServerSettings["timeouts"]) {
  return { cert, key, minVersion: TLS_VERSION_MIN, handshakeTimeout: headersMs } as const;
}
