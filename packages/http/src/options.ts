import {
  BODY_BYTES_MIN,
  carefulLogger,
  kinds,
  openConnectionsMax,
  REQUEST_BODY_BYTES_MAX,
  UNSENT_BYTES_MIN,
} from "@loredex/core";
import { CERTIFICATE_OPTIONS, type Certificate, checkCertificate } from "./certificate.ts";
import type { HttpLogger } from "./log.ts";

/** How patient the server is. All in milliseconds. */
export interface Timeouts {
  /** From a request's first byte to the end of its headers. Less than `requestMs`. Default 10,000. */
  readonly headersMs?: number;
  /** From a request's first byte to the end of its body. Default 30,000. */
  readonly requestMs?: number;
  /** How long a connection may wait for its next request. Default 65,000: longer than the 60 seconds of common load balancers. */
  readonly keepAliveMs?: number;
  /** How long a client may take for 64 KiB of its body, or for the rest of it; a slower one is answered with 408. Default 10,000. */
  readonly bodyMs?: number;
  /** How long a client may take for one piece of its answer, about 64 KiB, before it is cut off. Default 60,000. */
  readonly stallMs?: number;
  /** How long a request may wait for its turn; then it is answered with 503 and comes again. Default 2,000. */
  readonly waitMs?: number;
  /** How long a request waits for a bot that is still being opened; then it is answered with 503 and comes again. Default 5,000. */
  readonly openMs?: number;
  /** How long a search may take, from its body to its results; a longer one is answered with 503. Default 10,000. */
  readonly searchMs?: number;
}

export interface ApiServerOptions {
  /** Largest request body, at least 1 KiB; a longer one is answered with 413. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** Most requests that are worked on at the same time; others wait for their turn. A request is worked on from the end of its body to the beginning of its answer. Default 256. */
  readonly requestsMax?: number;
  /** Most of them that are one bot's. Default 16. */
  readonly botRequestsMax?: number;
  /** Most requests of one bot that wait for their turn; one more is answered with 503, after half of `waitMs`. Bots have their turns one after the other. Default 512. */
  readonly botWaitingMax?: number;
  /** Most of them that have the same key. Default 256. */
  readonly keyWaitingMax?: number;
  /** Bytes of all bodies together that have come and are not being worked on yet, at least 1 KiB. When there are more, the client that has most of them gets a 503. Default 64 MiB. */
  readonly bodiesBytesMax?: number;
  /** Bytes of all answers together that are made and not taken yet, at least 64 KiB. When there are more, the client that has most of them is cut off. Default 128 MiB. */
  readonly unsentBytesMax?: number;
  /**
   * Most open connections; for one more the one is closed that has been without a request for longest. Where all have one, the new one is closed. More than all that may wait and be worked on, so that overload can be told.
   * Default: three eighths of the files that the process may open, at most 4,096, so that bots can be opened and written beside them.
   */
  readonly connectionsMax?: number;
  /** After this number of requests a connection ends with the answer to the last. Default 10,000. */
  readonly connectionRequestsMax?: number;
  readonly timeouts?: Timeouts;
  /** Whether `/docs` is a page that shows the API's description, for anyone who asks. Default true. */
  readonly docs?: boolean;
  /**
   * Compresses answers of more than 1 KiB by br or gzip, as a client accepts. Default: yes for a server; no for a handler, whose app may do so itself.
   */
  readonly compression?: boolean;
  /** Speaks https, TLS 1.2 or later, and nothing else. Default: plain HTTP, for a proxy before it that speaks TLS. */
  readonly tls?: Certificate;
  /** Told of every request and of every fault; of probes with the level `debug`. What it throws has no consequence but a warning of the process. Default: nobody is told. */
  readonly logger?: HttpLogger;
}

export interface ServerSettings {
  readonly bodyBytesMax: number;
  readonly requestsMax: number;
  readonly botRequestsMax: number;
  readonly botWaitingMax: number;
  readonly keyWaitingMax: number;
  readonly bodiesBytesMax: number;
  readonly unsentBytesMax: number;
  readonly connectionsMax: number;
  readonly connectionRequestsMax: number;
  readonly timeouts: Required<Timeouts>;
  readonly docs: boolean;
  readonly compression: boolean;
  readonly tls: Certificate | undefined;
  readonly logger: HttpLogger;
}

/** The timeouts of a handler, without those of connections: it does not own them. */
export const HANDLER_TIMEOUTS: kinds.OptionKinds<Omit<Timeouts, "headersMs" | "requestMs" | "keepAliveMs">> = {
  bodyMs: kinds.aTimeMs(),
  stallMs: kinds.aTimeMs(),
  waitMs: kinds.aTimeMs(),
  openMs: kinds.aTimeMs(),
  searchMs: kinds.aTimeMs(),
};

export const API_SERVER_OPTIONS: kinds.OptionKinds<ApiServerOptions> = {
  bodyBytesMax: kinds.aNumberOfBytes(BODY_BYTES_MIN),
  requestsMax: kinds.aWholeNumber(1),
  botRequestsMax: kinds.aWholeNumber(1),
  botWaitingMax: kinds.aWholeNumber(1),
  keyWaitingMax: kinds.aWholeNumber(1),
  bodiesBytesMax: kinds.aNumberOfBytes(BODY_BYTES_MIN),
  unsentBytesMax: kinds.aNumberOfBytes(UNSENT_BYTES_MIN),
  connectionsMax: kinds.aWholeNumber(1),
  connectionRequestsMax: kinds.aWholeNumber(1),
  timeouts: {
    headersMs: kinds.aTimeMs(),
    requestMs: kinds.aTimeMs(),
    keepAliveMs: kinds.aTimeMs(),
    ...HANDLER_TIMEOUTS,
  },
  docs: kinds.A_BOOLEAN,
  compression: kinds.A_BOOLEAN,
  tls: CERTIFICATE_OPTIONS,
  logger: kinds.A_LOGGER,
};

const TIMEOUTS: Required<Timeouts> = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  bodyMs: 10_000,
  stallMs: 60_000,
  waitMs: 2_000,
  openMs: 5_000,
  searchMs: 10_000,
};

const MEBIBYTE = 1_048_576;

/** @throws RangeError for timeouts that contradict each other, CertificateError for a certificate that makes no sense */
export function serverSettings(options: ApiServerOptions): ServerSettings {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const settings = {
    bodyBytesMax: options.bodyBytesMax ?? REQUEST_BODY_BYTES_MAX,
    requestsMax: options.requestsMax ?? 256,
    botRequestsMax: options.botRequestsMax ?? 16,
    botWaitingMax: options.botWaitingMax ?? 512,
    keyWaitingMax: options.keyWaitingMax ?? 256,
    bodiesBytesMax: options.bodiesBytesMax ?? 64 * MEBIBYTE,
    unsentBytesMax: options.unsentBytesMax ?? 128 * MEBIBYTE,
    connectionsMax: options.connectionsMax ?? openConnectionsMax(),
    connectionRequestsMax: options.connectionRequestsMax ?? 10_000,
  };
  if (timeouts.headersMs >= timeouts.requestMs) throw new RangeError("headersMs must be less than requestMs");
  const { tls, docs = true, compression = true } = options;
  if (tls !== undefined) checkCertificate(tls);
  return { ...settings, timeouts, docs, compression, tls, logger: carefulLogger(options.logger) };
}
