import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Metrics } from "./metrics.ts";

/** Where metrics are asked for. */
export interface MetricsPlace {
  /** 0 picks a free one. */
  readonly port: number;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
}

export interface MetricsServer {
  /** For example `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  /** At once: whoever asks for metrics asks again. */
  close(): Promise<void>;
}

const PATH = "/metrics";
/** A handful of collectors may ask; each is done in milliseconds. */
const CONNECTIONS_MAX = 32;
const TIMEOUT_MS = 10_000;

/** Rejects with Node's error if the address cannot be had. */
export function serveMetrics(metrics: Metrics, { port, host = "127.0.0.1" }: MetricsPlace): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    void answer(metrics, request, response);
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = TIMEOUT_MS;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      const address = server.address();
      const got = typeof address === "object" ? address?.port : undefined;
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${got ?? port}${PATH}`, close });
    });
  });
}

async function answer(metrics: Metrics, { method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url?.split("?")[0] !== PATH)
    return end(response, 404, "There is nothing at this path; metrics are at /metrics.\n");
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return end(response, 405, "Metrics can be read with GET.\n");
  }
  try {
    const text = await metrics.text();
    response.setHeader("content-type", metrics.contentType);
    end(response, 200, method === "HEAD" ? "" : text);
  } catch {
    end(response, 500, "The metrics could not be collected.\n");
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}
