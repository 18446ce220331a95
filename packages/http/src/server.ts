import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as HttpsServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { kinds, requireArguments } from "@loredex/core";
import { AN_ADMIN, type ApiAdmin } from "./admin/port.ts";
import { CERTIFICATE_OPTIONS, type Certificate, checkCertificate } from "./certificate.ts";
import { Connections } from "./connections.ts";
import { AN_ENGINE, type ApiEngine } from "./engine.ts";
import { HttpError } from "./errors.ts";
import { Exchanges, PROBES } from "./exchange.ts";
import { hardenedServer, TLS_VERSION_MIN } from "./node-server.ts";
import { API_SERVER_OPTIONS, type ApiServerOptions, type ServerSettings, serverSettings } from "./options.ts";
import { refusalOf } from "./refusal.ts";
import { splitTarget } from "./request-target.ts";
import type { ServerState } from "./routes/health.ts";
import { A_MODE, listenOnSocket, type SocketListenOptions } from "./unix-socket.ts";

/** Leaves the engine two of the ten seconds in which a stopping process should end. */
const CLOSE_TIMEOUT_MS = 8_000;
/** The wait of a closing server for requests on idle connections, since one may be on its way, in milliseconds. */
const CLOSE_GRACE_MS = 500;

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** For example `127.0.0.1`, or `0.0.0.0` for every interface. */
  readonly host: string;
}

export interface CloseOptions {
  /** How long it continues as before while it reports "not ready", in milliseconds. Default 0. */
  readonly drainMs?: number;
  /** The milliseconds after that until unfinished work is cut off. Default 8,000. */
  readonly timeoutMs?: number;
}

type EitherListenOptions = Partial<ListenOptions & SocketListenOptions>;
const EITHER = { port: kinds.A_PORT, host: kinds.A_TEXT, socket: kinds.A_TEXT, mode: A_MODE };
const LISTEN_OPTIONS: kinds.OptionKinds<EitherListenOptions> = {
  ...EITHER,
  port: kinds.required(kinds.A_PORT),
  host: kinds.required(kinds.A_TEXT),
};
const SOCKET_OPTIONS: kinds.OptionKinds<EitherListenOptions> = { ...EITHER, socket: kinds.required(kinds.A_TEXT) };
const CLOSE_OPTIONS: kinds.OptionKinds<CloseOptions> = { drainMs: kinds.aTimeMs(0), timeoutMs: kinds.aTimeMs(0) };

/** The HTTP API of one engine. It does not close the engine. */
export interface ApiServer {
  /** Listens on an address, once in a server's life. Rejects with Node's error if the address is not available. */
  listen(options: ListenOptions): Promise<{ readonly url: string; readonly port: number }>;
  /**
   * Listens on a socket in the file system instead, for programs of this machine. A socket that a dead server left behind is replaced.
   * Rejects with a SocketError that says what is wrong with the path. Rejects with a RangeError if the server uses TLS, which has no use there.
   */
  listen(options: SocketListenOptions): Promise<{ readonly url: string; readonly port: 0 }>;
  /**
   * Uses this certificate for new connections. Existing connections keep theirs.
   * @throws CertificateError if TLS cannot use it, and nothing changes; RangeError if the server was made without `tls`
   */
  useCertificate(certificate: Certificate): void;
  /**
   * Reports "not ready" and continues as before for `drainMs` (default 0), so that clients can switch to another server.
   * Then it accepts no more connections, finishes begun answers, and ends every connection after its answer.
   * Unfinished work is cut off `timeoutMs` (default 8,000) after that. Resolves when all connections are closed.
   */
  close(options?: CloseOptions): Promise<void>;
  /** Answers `/health` and `/ready` for a server on another port, also while closing. False, with nothing done, for any other path. */
  probe(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Makes a server. @throws ValidationError for an unknown option or one of a wrong kind, CertificateError for a certificate that makes no sense */
export function createApiServer(engine: ApiEngine, options: ApiServerOptions = {}): ApiServer {
  requireArguments("createApiServer", { engine, options }, { engine: AN_ENGINE, options: API_SERVER_OPTIONS });
  return new NodeApiServer(engine, serverSettings(options));
}

/**
 * Makes a server of the admin API and the console alone, for an address of its own. It opens nothing to the keys of bots, and `/` leads to the console.
 * @throws as {@link createApiServer}
 */
export function createAdminServer(admin: ApiAdmin, options: Omit<ApiServerOptions, "admin"> = {}): ApiServer {
  const { admin: _, ...known } = API_SERVER_OPTIONS;
  requireArguments("createAdminServer", { admin, options }, { admin: AN_ADMIN, options: known });
  return new NodeApiServer(engineWithoutBots(admin), { ...serverSettings({ ...options, admin }), isAdminAlone: true });
}

/** An engine that knows no key. */
function engineWithoutBots(admin: ApiAdmin): ApiEngine {
  return {
    authenticate: () => undefined,
    admitRequest: () => 0,
    catchUp: async () => undefined,
    listsOrigin: () => false,
    bot: () => Promise.reject(new HttpError("UNAUTHENTICATED")),
    insights: () => Promise.reject(new HttpError("UNAUTHENTICATED")),
    condition: () => admin.condition(),
  };
}

class NodeApiServer implements ApiServer {
  readonly #settings: ServerSettings;
  readonly #server: Server;
  readonly #exchanges: Exchanges;
  readonly #connections: Connections;
  readonly #state: { isReady: boolean; isClosing: boolean; readonly condition: ServerState["condition"] };
  #closing: Promise<void> | undefined;

  constructor(engine: ApiEngine, settings: ServerSettings) {
    this.#settings = settings;
    this.#state = { isReady: true, isClosing: false, condition: () => engine.condition() };
    this.#exchanges = new Exchanges(engine, settings, this.#state);
    this.#connections = new Connections(settings, (socket) => {
      if (this.#state.isClosing) socket.destroySoon();
    });
    this.#server = hardenedServer(settings);
    const handle = (awaitsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) =>
      this.#enqueue(request, response, awaitsContinue);
    this.#server
      .on("connection", (socket) => this.#arrived(socket))
      .on("request", handle(false))
      .on("checkContinue", handle(true))
      .on("checkExpectation", handle(false))
      .on("connect", (_request, socket) => this.#refuse(socket, "CONNECT"))
      .on("clientError", (error, socket) => this.#refuse(socket, codeOf(error)));
    if (settings.tls === undefined) return;
    this.#server
      .on("secureConnection", (socket) => this.#connections.secured(socket))
      .on("tlsClientError", (error: Error, socket: Socket) => this.#failedToAgree(socket, codeOf(error)));
  }

  listen(options: ListenOptions): Promise<{ url: string; port: number }>;
  listen(options: SocketListenOptions): Promise<{ url: string; port: 0 }>;
  async listen(options: ListenOptions | SocketListenOptions): Promise<{ url: string; port: number }> {
    const given: EitherListenOptions = options;
    const isOnSocket = Object.hasOwn(Object(given), "socket");
    requireArguments("ApiServer.listen", { options: given }, { options: isOnSocket ? SOCKET_OPTIONS : LISTEN_OPTIONS });
    if (!("socket" in options)) return this.#listenOnPort(options);
    if (this.#settings.tls !== undefined) throw new RangeError("a server that speaks TLS listens on a port");
    await listenOnSocket(this.#server, options);
    return { url: `unix:${options.socket}`, port: 0 };
  }

  useCertificate(certificate: Certificate): void {
    requireArguments("ApiServer.useCertificate", { certificate }, { certificate: CERTIFICATE_OPTIONS });
    if (!(this.#server instanceof HttpsServer)) throw new RangeError("the server was made without tls");
    checkCertificate(certificate);
    const { cert, key } = certificate;
    this.#server.setSecureContext({ cert, key, minVersion: TLS_VERSION_MIN });
  }

  #listenOnPort({ port, host }: ListenOptions): Promise<{ url: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port, host }, () => {
        this.#server.off("error", reject);
        const address = this.#server.address();
        if (address === null || typeof address === "string") reject(new Error("the server has no network address"));
        else resolve({ url: urlOf(address, this.#settings.tls === undefined ? "http" : "https"), port: address.port });
      });
    });
  }

  async close(options: CloseOptions = {}): Promise<void> {
    requireArguments("ApiServer.close", { options }, { options: CLOSE_OPTIONS });
    const { drainMs = 0, timeoutMs = CLOSE_TIMEOUT_MS } = options;
    this.#closing ??= this.#drain(drainMs).then(() => this.#end(timeoutMs));
    await this.#closing;
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
    this.#exchanges.close();
  }

  #end(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const grace = setTimeout(() => this.#connections.destroy("idle"), Math.min(CLOSE_GRACE_MS, timeoutMs));
      const deadline = setTimeout(() => this.#connections.destroy("all"), timeoutMs);
      // Also called, with an error, if the server never listened. There is nothing to wait for then.
      // An HTTP server would at once close connections that wait for their next request, which may be on its way.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(grace);
        clearTimeout(deadline);
        this.#server.close(() => resolve());
      });
    });
  }

  #arrived(socket: Socket): void {
    this.#exchanges.connected();
    if (this.#settings.tls === undefined) this.#connections.admit(socket);
    else this.#connections.admitForTls(socket);
  }

  /** Closes a connection without TLS, and logs it at the lowest level: port scans cause it all day. */
  #failedToAgree(socket: Socket, reason: string): void {
    const message = "a connection on which no TLS could be agreed was closed";
    this.#settings.logger({ level: "debug", event: "handshakeFailed", message, reason });
    socket.destroy();
  }

  #enqueue(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const run = () => void this.#exchanges.handle(request, response, { awaitsContinue });
    this.#connections.of(request.socket)?.enqueue({ request, response, run });
  }

  #refuse(socket: Duplex, reason: string): void {
    const connection = this.#connections.of(socket);
    if (connection === undefined) return;
    if (reason === "ECONNRESET" || reason === "EPIPE") {
      connection.destroy();
      return;
    }
    // Node tells it once. The pieces of such a body have a time limit of their own.
    if (reason === "ERR_HTTP_REQUEST_TIMEOUT" && connection.isStreaming) return;
    const { status, requestId, code, text } = refusalOf(reason, socket);
    if (connection.refuse(text)) {
      const message = `what came over a connection was refused with ${status}`;
      this.#settings.logger({ level: "info", event: "connectionRefused", message, requestId, status, reason, code });
    }
  }
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
}

function urlOf({ address, port, family }: AddressInfo, scheme: "http" | "https"): string {
  return `${scheme}://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
