import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "@loredex/http";
import type { Metrics } from "./metrics.ts";

/** The address where monitoring asks. */
export interface ProbePlace {
  /** 0 picks a free port. */
  readonly port: number;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
}

/** The answers at that address. At least one of them is given. */
export interface Probes {
  /** At `/metrics`. */
  readonly metrics?: Metrics | undefined;
  /** Answers `/health` and `/ready`; false for any other path. */
  readonly probe?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface ProbeServer {
  /** For example `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Closes at once: monitoring asks again. */
  close(): Promise<void>;
}

export const METRICS_PATH = "/metrics";
/** The most connections: a few collectors may ask, and each is answered in milliseconds. */
const CONNECTIONS_MAX = 32;
const TIMEOUT_MS = 10_000;

/** Serves probes and metrics. Rejects with Node's error if the address is not available. */
export function serveProbes(probes: Probes, { port, host = "127.0.0.1" }: ProbePlace): Promise<ProbeServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    void answer(probes, request, response);
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
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${got ?? port}`, close });
    });
  });
}

async function answer(probes: Probes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { metrics, probe } = probes;
  if (probe?.(request, response) === true) return;
  const { method, url } = request;
  if (metrics === undefined || url?.split("?")[0] !== METRICS_PATH) return end(response, 404, nothingBut(probes));
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

function nothingBut({ metrics, probe }: Probes): string {
  const [said, there] = ["There is nothing at this path;", `metrics are at ${METRICS_PATH}.\n`];
  if (probe === undefined) return `${said} ${there}`;
  return `${said} what there is: /health, /ready${metrics === undefined ? "" : `, ${METRICS_PATH}`}.\n`;
}

function end(response: ServerResponse, status: number, text: string): void {
  const type = response.hasHeader("content-type") ? {} : { "content-type": "text/plain; charset=utf-8" };
  response.writeHead(status, { ...SECURITY_HEADERS, ...type }).end(text);
}
