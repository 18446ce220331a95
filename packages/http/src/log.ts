/**
 * What the server tells its operator. Keys, bodies, titles and full addresses never stand in it. Each event has the fields of
 * the engine's own events as well, so that one logger can take both.
 */
export type HttpLogEvent = RequestEvent | RequestFailedEvent | ConnectionRefusedEvent | HandshakeFailedEvent;

export type HttpLogger = (event: HttpLogEvent) => void;

/** A request was answered, or its client left. */
export interface RequestEvent extends NamedRequest {
  /**
   * `debug` for a probe (`/health`, `/ready`): they come every few seconds and would bury all else. `warn` where the bot's storage kept the request from being
   * served, whose cause the engine has told once.
   */
  readonly level: "info" | "debug" | "warn";
  readonly event: "request";
  /** 0 if the client was gone before there was an answer. */
  readonly status: number;
  /** From the end of the headers to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** Why it was refused or failed, for example `RATE_EXCEEDED`; absent where it was not. One of a fixed set of names. */
  readonly code?: string;
}

/** The service is at fault: a bug, or storage that does not work. */
export interface RequestFailedEvent extends NamedRequest {
  readonly level: "error";
  readonly event: "requestFailed";
  readonly error: unknown;
}

/** What came over a connection was no HTTP request, or did not come in time. */
export interface ConnectionRefusedEvent {
  /** As of every request that is refused: a port scan must not fill the log with warnings. */
  readonly level: "info";
  readonly event: "connectionRefused";
  readonly message: string;
  readonly requestId: string;
  readonly status: number;
  /** Node's name for what was wrong, for example `HPE_INVALID_METHOD`. */
  readonly reason: string;
  /** As in {@link RequestEvent}. */
  readonly code: string;
}

/** A client and a server that speaks TLS did not come to terms: it spoke plain HTTP, no version in common, or nothing at all. */
export interface HandshakeFailedEvent {
  /** Port scans cause it all day. */
  readonly level: "debug";
  readonly event: "handshakeFailed";
  readonly message: string;
  /** Node's name for what was wrong, for example `ERR_SSL_HTTP_REQUEST`. */
  readonly reason: string;
}

/** What is known of a request. */
export interface NamedRequest {
  readonly message: string;
  readonly requestId: string;
  readonly method: string;
  /** The path's pattern, for example `/api/v1/knowledge/:id`; `none` if there is no such path. */
  readonly route: string;
  /** The bot whose key was sent. */
  readonly botId?: string;
  /** The name of that key. */
  readonly key?: string;
}
