import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerSettings } from "./options.ts";

const HEADER_BYTES_MAX = 16_384;

/** A server of node:http or node:https with every limit set that Node leaves open. */
export function hardenedServer({ timeouts, connectionRequestsMax, tls }: ServerSettings): Server {
  const options: ServerOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1_000, Math.floor(timeouts.headersMs / 4))),
    maxHeaderSize: HEADER_BYTES_MAX,
    // Without a Host header Node would answer by itself, in another form than ours.
    requireHostHeader: false,
  };
  const server =
    tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tlsOptions(tls, timeouts) });
  // The size of all headers is limited already. Beyond a number of headers Node would silently drop the rest.
  server.maxHeadersCount = 0;
  // Node does not keep requests that follow the last answer of a connection.
  server.maxRequestsPerSocket = connectionRequestsMax;
  // Stalls are detected elsewhere: a sender's by its body, a reader's by the pieces of its answer.
  server.timeout = 0;
  return server;
}

/** The oldest version of TLS. It overrides settings of the process and its environment. */
export const TLS_VERSION_MIN = "TLSv1.2";

function tlsOptions({ cert, key }: NonNullable<ServerSettings["tls"]>, { headersMs }: ServerSettings["timeouts"]) {
  return { cert, key, minVersion: TLS_VERSION_MIN, handshakeTimeout: headersMs } as const;
}
