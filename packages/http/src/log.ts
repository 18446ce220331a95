/**
 * The log events of the server. They never contain keys, bodies, titles or full addresses.
 * Each event also has the fields of the engine's own events, so one logger can take both.
 */
export type HttpLogEvent = RequestEvent | RequestFailedEvent | ConnectionRefusedEvent | HandshakeFailedEvent;

export type HttpLogger = (event: HttpLogEvent) => void;

/** A request was answered, or its client left. */
export interface RequestEvent extends NamedRequest {
  /**
   * `debug` for a probe (`/health`, `/ready`): probes come every few seconds and would bury all else.
   * `warn` if the bot's storage kept the request from being served; the engine has logged the cause once.
   */
  readonly level: "info" | "debug" | "warn";
  readonly event: "request";
  /** 0 if the client left before there was an answer. */
  readonly status: number;
  /** From the end of the headers to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** The name of the error if the request was refused or failed, for example `RATE_EXCEEDED`; else absent. One of a fixed set. */
  readonly code?: string;
}

/** The service is at fault: a bug, or storage that does not work. */
export interface RequestFailedEvent extends NamedRequest {
  readonly level: "error";
  readonly event: "requestFailed";
  readonly error: unknown;
}

/** The bytes on a connection were no HTTP request, or did not arrive in time. */
export interface ConnectionRefusedEvent {
  /** As for every refused request: a port scan must not fill the log with warnings. */
  readonly level: "info";
  readonly event: "connectionRefused";
  readonly message: string;
  readonly requestId: string;
  readonly status: number;
  /** Node's name for the error, for example `HPE_INVALID_METHOD`. */
  readonly reason: string;
  /** As in {@link RequestEvent}. */
  readonly code: string;
}

/** A TLS handshake failed: the client spoke plain HTTP, supports no common version, or sent nothing at all. */
export interface HandshakeFailedEvent {
  /** `debug`, because port scans cause it all day. */
  readonly level: "debug";
  readonly event: "handshakeFailed";
  readonly message: string;
  /** Node's name for the error, for example `ERR_SSL_HTTP_REQUEST`. */
  readonly reason: string;
}

/** The known facts of a request. */
export interface NamedRequest {
  readonly message: string;
  readonly requestId: string;
  readonly method: string;
  /** The path's pattern, for example `/api/v1/knowledge/:id`; `none` if the API has no such path. */
  readonly route: string;
  /** The bot whose key was sent. */
  readonly botId?: string;
  /** The name of that key. */
  readonly key?: string;
  /** The name of the admin key of a request of the admin API; `botId` is the bot of its path then. */
  readonly adminKey?: string;
}
