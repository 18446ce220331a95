import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { Connection } from "./connection.ts";
import type { ApiEngine } from "./engine.ts";
import { Exchanges, PROBES } from "./exchange.ts";
import { type ApiServerOptions, type ServerSettings, serverSettings } from "./options.ts";
import { refusalOf } from "./refusal.ts";
import { splitTarget } from "./request-target.ts";
import type { ServerState } from "./routes/health.ts";

const HEADER_BYTES_MAX = 16_384;
/** Leaves the engine two of the ten seconds within which a process that is told to stop should be gone. */
const CLOSE_TIMEOUT_MS = 8_000;
/** How long a closing server waits for a request on connections that have none, since it may be on its way. */
const CLOSE_GRACE_MS = 500;

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** For example `127.0.0.1`, or `0.0.0.0` for every interface. */
  readonly host: string;
}

export interface CloseOptions {
  /** How long it goes on as before, "not ready", in milliseconds. Default 0. */
  readonly drainMs?: number;
  /** After how many milliseconds more it cuts off what is not done. Default 8,000. */
  readonly timeoutMs?: number;
}

/** The HTTP API of one engine. It does not close the engine. */
export interface ApiServer {
  /** Rejects with Node's error if the address cannot be had. Once in a server's life. */
  listen(options: ListenOptions): Promise<{ readonly url: string; readonly port: number }>;
  /**
   * Reports "not ready" and goes on as before for `drainMs` (default 0), so that whoever sends requests here can turn to another server; then takes no more connections, answers what it has begun and ends every connection after its answer.
   * What is not done `timeoutMs` (default 8,000) after that is cut off. Resolves when all connections are gone.
   */
  close(options?: CloseOptions): Promise<void>;
  /** Answers `/health` and `/ready`, also while it closes, for whoever was asked on another port; false, with nothing done, for any other path. */
  probe(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createApiServer(engine: ApiEngine, options: ApiServerOptions = {}): ApiServer {
  return new NodeApiServer(engine, serverSettings(options));
}

class NodeApiServer implements ApiServer {
  readonly #settings: ServerSettings;
  readonly #server: Server;
  readonly #exchanges: Exchanges;
  readonly #connections = new Map<unknown, Connection>();
  readonly #state: { isReady: boolean; isClosing: boolean; readonly condition: ServerState["condition"] };
  #closing: Promise<void> | undefined;

  constructor(engine: ApiEngine, settings: ServerSettings) {
    this.#settings = settings;
    this.#state = { isReady: true, isClosing: false, condition: () => engine.condition() };
    this.#exchanges = new Exchanges(engine, settings, this.#state);
    this.#server = hardenedServer(settings);
    const handle = (awaitsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) =>
      this.#enqueue(request, response, awaitsContinue);
    this.#server
      .on("connection", (socket) => this.#adopt(socket))
      .on("request", handle(false))
      .on("checkContinue", handle(true))
      .on("checkExpectation", handle(false))
      .on("connect", (_request, socket) => this.#refuse(socket, "CONNECT"))
      .on("clientError", (error, socket) => this.#refuse(socket, codeOf(error)));
  }

  listen({ port, host }: ListenOptions): Promise<{ url: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port, host }, () => {
        this.#server.off("error", reject);
        const address = this.#server.address();
        if (address === null || typeof address === "string") reject(new Error("the server has no network address"));
        else resolve({ url: urlOf(address), port: address.port });
      });
    });
  }

  close({ drainMs = 0, timeoutMs = CLOSE_TIMEOUT_MS }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#drain(drainMs).then(() => this.#end(timeoutMs));
    return this.#closing;
  }

  probe(request: IncomingMessage, response: ServerResponse): boolean {
    if (!PROBES.has(splitTarget(request.url ?? "").path)) return false;
    void this.#exchanges.handle(request, response, { awaitsContinue: false });
    return true;
  }

  async #drain(drainMs: number): Promise<void> {
    this.#state.isReady = false;
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    this.#state.isClosing = true;
  }

  #end(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const grace = setTimeout(() => this.#destroyConnections("idle"), Math.min(CLOSE_GRACE_MS, timeoutMs));
      const deadline = setTimeout(() => this.#destroyConnections("all"), timeoutMs);
      // Also called, with an error, if the server never listened: then there is nothing to wait for.
      // As a server of HTTP it would close at once what waits for its next request, which may be on its way.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(grace);
        clearTimeout(deadline);
        this.#server.close(() => resolve());
      });
    });
  }

  #destroyConnections(which: "idle" | "all"): void {
    for (const connection of this.#connections.values()) {
      if (which === "all" || connection.isIdle) connection.destroy();
    }
  }

  #adopt(socket: Socket): void {
    this.#exchanges.connected();
    const { connectionsMax, connectionRequestsMax } = this.#settings;
    if (this.#connections.size >= connectionsMax && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, connectionRequestsMax, () => {
      if (this.#state.isClosing) socket.destroySoon();
    });
    this.#connections.set(socket, connection);
    socket.once("close", () => this.#connections.delete(socket));
  }

  /** Closes the connection that has had nothing to do for longest, or else the one whose request has been on its way for longest. False if all are answered. */
  #makeRoom(): boolean {
    let [idle, receiving]: (readonly [unknown, Connection])[] = [];
    for (const each of this.#connections) {
      const { isIdle, isReceiving, sinceMs } = each[1];
      if (isIdle && sinceMs < (idle?.[1].sinceMs ?? Number.POSITIVE_INFINITY)) idle = each;
      if (isReceiving && sinceMs < (receiving?.[1].sinceMs ?? Number.POSITIVE_INFINITY)) receiving = each;
    }
    const [socket, connection] = idle ?? receiving ?? [];
    connection?.destroy();
    return this.#connections.delete(socket);
  }

  #enqueue(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const run = () => void this.#exchanges.handle(request, response, { awaitsContinue });
    this.#connections.get(request.socket)?.enqueue({ request, response, run });
  }

  #refuse(socket: unknown, reason: string): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    if (reason === "ECONNRESET" || reason === "EPIPE") {
      connection.destroy();
      return;
    }
    const { status, requestId, code, text } = refusalOf(reason);
    if (connection.refuse(text)) {
      const message = `what came over a connection was refused with ${status}`;
      this.#settings.logger({ level: "info", event: "connectionRefused", message, requestId, status, reason, code });
    }
  }
}

/** node:http with every limit set that it leaves open. */
function hardenedServer({ timeouts, connectionRequestsMax }: ServerSettings): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1_000, Math.floor(timeouts.headersMs / 4))),
    maxHeaderSize: HEADER_BYTES_MAX,
    // Without a Host header Node would answer by itself, and not in our shape.
    requireHostHeader: false,
  });
  // The size of all headers is limited already; beyond a number of them Node would drop the rest without a word.
  server.maxHeadersCount = 0;
  // What is sent on beyond the last answer of a connection is not kept.
  server.maxRequestsPerSocket = connectionRequestsMax;
  // Who stalls is told from who waits: a sender by its body, a reader by the pieces of its answer.
  server.timeout = 0;
  return server;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
