import {
  BODY_BYTES_MIN,
  carefulLogger,
  kinds,
  openConnectionsMax,
  REQUEST_BODY_BYTES_MAX,
  UNSENT_BYTES_MIN,
} from "@loredex/core";
import { AN_ADMIN, type ApiAdmin } from "./admin/port.ts";
import { CERTIFICATE_OPTIONS, type Certificate, checkCertificate } from "./certificate.ts";
import type { HttpLogger } from "./log.ts";

/** The time limits of the server, all in milliseconds. */
export interface Timeouts {
  /** From a request's first byte to the end of its headers. Less than `requestMs`. Default 10,000. */
  readonly headersMs?: number;
  /** From a request's first byte to the end of its body. Default 30,000. */
  readonly requestMs?: number;
  /** The longest wait of a connection for its next request. Default 65,000: longer than the 60 seconds of common load balancers. */
  readonly keepAliveMs?: number;
  /** The longest time for 64 KiB of a body, or for the rest of it. A slower client is answered with 408. Default 10,000. */
  readonly bodyMs?: number;
  /** The longest time in which a client takes a piece of its answer, about 64 KiB. A slower client is cut off. Default 60,000. */
  readonly stallMs?: number;
  /** The longest wait of a request for its place. Then it is answered with 503, and the client may try again. Default 2,000. */
  readonly waitMs?: number;
  /** The longest wait of a request for a bot that is being opened. Then it is answered with 503, and the client may try again. Default 5,000. */
  readonly openMs?: number;
  /**
   * The longest time of a search, from the end of its body to its results. A longer one is answered with 503. For as long, a write is decided again while
   * other nodes are quicker. Default 10,000.
   */
  readonly searchMs?: number;
}

export interface ApiServerOptions {
  /** The largest request body, at least 1 KiB. A longer one is answered with 413. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /**
   * The most requests in work at the same time; others wait for a place. A request is in work from the end of its body to the beginning of its answer. Default
   * 256.
   */
  readonly requestsMax?: number;
  /** The most requests of one bot in work at the same time. Default 16. */
  readonly botRequestsMax?: number;
  /**
   * The most waiting requests of one bot. Beyond it, a request is answered with 503 after half of `waitMs`. Bots get places one after the other. Default 512.
   */
  readonly botWaitingMax?: number;
  /** The most waiting requests of one key. Default 256. */
  readonly keyWaitingMax?: number;
  /**
   * The bytes of all bodies that have arrived and are not in work yet, at least 1 KiB. Beyond it, the client with the most bytes gets a 503. Default 64 MiB.
   */
  readonly bodiesBytesMax?: number;
  /** The bytes of all answers that are made and not taken yet, at least 64 KiB. Beyond it, the client with the most bytes is cut off. Default 128 MiB. */
  readonly unsentBytesMax?: number;
  /**
   * The most open connections. One more closes the connection that has been idle for longest, else the one whose request has been arriving for longest.
   * If all are being answered, the new one is closed.
   * It must exceed the requests that may wait and be in work, so that the server can answer that it is overloaded.
   * Default: three eighths of the files that the process may open, at most 4,096. So bots can be opened and written beside the connections.
   */
  readonly connectionsMax?: number;
  /** After this number of requests a connection ends with the answer to the last. Default 10,000. */
  readonly connectionRequestsMax?: number;
  readonly timeouts?: Timeouts;
  /** Whether `/docs` is a page with the API's description, open to all. Default true. */
  readonly docs?: boolean;
  /** Compresses answers of more than 1 KiB by br or gzip, as a client accepts. Default: true for a server; false for a handler, whose app may compress. */
  readonly compression?: boolean;
  /** Serves https with TLS 1.2 or later, and nothing else. Default: plain HTTP, for a proxy in front of it that terminates TLS. */
  readonly tls?: Certificate;
  /** Answers `/api/v1/admin/*`, and `/console` if it has files. Default: both are unknown paths. */
  readonly admin?: ApiAdmin;
  /**
   * Called with every request and every fault; probes have the level `debug`. An error that it throws only causes a warning of the process. Default: no log.
   */
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
  readonly admin: ApiAdmin | undefined;
  /** Whether the server is for the admin API and the console alone. */
  readonly isAdminAlone: boolean;
  readonly logger: HttpLogger;
}

/** The timeouts of a handler. It has no timeouts of connections, which belong to the app. */
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
  admin: AN_ADMIN,
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

/** Fills in the defaults. @throws RangeError for contradicting timeouts, CertificateError for a certificate that makes no sense */
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
  const { tls, admin, docs = true, compression = true } = options;
  if (tls !== undefined) checkCertificate(tls);
  return {
    ...settings,
    timeouts,
    docs,
    compression,
    tls,
    admin,
    isAdminAlone: false,
    logger: carefulLogger(options.logger),
  };
}
