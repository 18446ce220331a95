import { carefulLogger, openConnectionsMax, REQUEST_BODY_BYTES_MAX } from "@loredex/core";
import type { HttpLogger } from "./log.ts";

/** How patient the server is. All in milliseconds. */
export interface Timeouts {
  /** From a request's first byte to the end of its headers. Less than `requestMs`. Default 10,000. */
  readonly headersMs?: number;
  /** From a request's first byte to the end of its body. Default 30,000. */
  readonly requestMs?: number;
  /** How long a connection may wait for its next request. Default 65,000: longer than the 60 seconds of common load balancers. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing of its answer before it is cut off. Default 60,000. */
  readonly stallMs?: number;
  /** How long a request waits for a bot that is still being opened; then it is answered with 503 and comes again. Default 5,000. */
  readonly openMs?: number;
  /** How long a search may take, from its body to its results; a longer one is answered with 503. Default 10,000. */
  readonly searchMs?: number;
}

export interface ApiServerOptions {
  /** Largest request body; a longer one is answered with 413. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** Most requests that are worked on at the same time; one more is answered with 503. Default 256. */
  readonly requestsMax?: number;
  /**
   * Most open connections; one more is closed at once. More than `requestsMax`, so that overload can be told.
   * Default: three eighths of the files that the process may open, at most 4,096, so that bots can be opened and written beside them.
   */
  readonly connectionsMax?: number;
  readonly timeouts?: Timeouts;
  /** Told of every request and of every fault; of probes with the level `debug`. What it throws has no consequence but a warning of the process. Default: nobody is told. */
  readonly logger?: HttpLogger;
}

export interface ServerSettings {
  readonly bodyBytesMax: number;
  readonly requestsMax: number;
  readonly connectionsMax: number;
  readonly timeouts: Required<Timeouts>;
  readonly logger: HttpLogger;
}

const TIMEOUTS: Required<Timeouts> = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  openMs: 5_000,
  searchMs: 10_000,
};

/** @throws RangeError for a number that makes no sense, ValidationError for a logger that is no function */
export function serverSettings(options: ApiServerOptions): ServerSettings {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const settings = {
    bodyBytesMax: options.bodyBytesMax ?? REQUEST_BODY_BYTES_MAX,
    requestsMax: options.requestsMax ?? 256,
    connectionsMax: options.connectionsMax ?? openConnectionsMax(),
  };
  for (const [name, value] of Object.entries({ ...settings, ...timeouts })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number from 1, not ${value}`);
  }
  if (timeouts.headersMs >= timeouts.requestMs) throw new RangeError("headersMs must be less than requestMs");
  return { ...settings, timeouts, logger: carefulLogger(options.logger) };
}
