import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { bodyOf } from "./body.ts";
import { CONNECT_MS_MAX, IDLE_MS_MAX, REQUEST_MS_MAX } from "./limits.ts";
import { networkError } from "./network-words.ts";
import type { Time } from "./time.ts";
import { WebError } from "./web-error.ts";

/** Status and headers of an answer. */
export interface Head {
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
}

export interface Answer {
  readonly head: Head;
  /** Absent if the head showed that the body is not wanted. */
  readonly body?: Uint8Array;
}

export interface RequestOptions {
  /** The addresses that may be connected to. */
  readonly addresses: readonly string[];
  readonly time: Time;
  readonly userAgent: string;
  /** Maximum bytes of the body; 0 does not fetch it. A larger body is refused. */
  readonly bytesMax: (head: Head) => number;
  /** Keep the beginning of a larger body instead of refusing it. Default false. */
  readonly cutsOff?: boolean;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes one GET, without following redirects. It takes at most two minutes, waits at most half a minute for a byte, and keeps at most `bytesMax` bytes, packed
 * or not.
 * @throws WebError, and the reason of the signal
 */
export async function request(url: URL, options: RequestOptions): Promise<Answer> {
  const limits = new Limits(options.time);
  try {
    const response = await headOf(url, options, limits);
    const head = { status: response.statusCode ?? 0, header: (name: string) => headerOf(response, name) };
    const bytesMax = options.bytesMax(head);
    if (bytesMax === 0) {
      response.destroy();
      return { head };
    }
    limits.idle(IDLE_MS_MAX, () => response.destroy(tooSlow("it has sent nothing more for 30 seconds")));
    const cutsOff = options.cutsOff === true;
    const body = await bodyOf(response, { bytesMax, cutsOff, onBytes: () => limits.stir() });
    return { head, body };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw networkError(error);
  } finally {
    limits.end();
  }
}

function headOf(url: URL, { addresses, userAgent, signal }: RequestOptions, limits: Limits): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? secureRequest : plainRequest;
    const headers = {
      "user-agent": userAgent,
      accept:
        "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain,application/xml;q=0.9,*/*;q=0.5",
      "accept-encoding": "gzip, br, deflate",
    };
    // Each request has its own connection, so the checked address is the one connected to.
    const asked = start(url, { agent: false, headers, lookup: knownLookup(addresses), signal });
    asked.on("error", reject);
    asked.on("response", (response) => {
      limits.whole(REQUEST_MS_MAX, () => response.destroy(tooSlow("it was not whole after 2 minutes")));
      resolve(response);
    });
    limits.whole(REQUEST_MS_MAX, () => asked.destroy(tooSlow("it was not whole after 2 minutes")));
    limits.idle(CONNECT_MS_MAX, () => asked.destroy(tooSlow("nobody answers there (no connection within 15 seconds)")));
    asked.on("socket", (socket) => {
      const event = url.protocol === "https:" ? "secureConnect" : "connect";
      socket.once(event, () =>
        limits.idle(IDLE_MS_MAX, () => asked.destroy(tooSlow("the server gives no answer (none within 30 seconds)"))),
      );
    });
    asked.end();
  });
}

/** Returns a lookup function that answers with already resolved addresses. */
function knownLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, found) => {
    const [first] = all;
    if (options.all === true) found(null, all);
    else found(null, first?.address ?? "", first?.family);
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function tooSlow(message: string): WebError {
  return new WebError("away", message);
}

/** The time limits of one request: in total, and without any activity. */
class Limits {
  readonly #time: Time;
  #endWhole = (): void => {};
  #endIdle = (): void => {};
  #restart = (): void => {};
  #onWhole = (): void => {};
  #isStarted = false;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Starts the limit of the whole request. A later call only replaces the callback. */
  whole(ms: number, onPassed: () => void): void {
    this.#onWhole = onPassed;
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#endWhole = this.#time.limit(ms, () => this.#onWhole());
  }

  /** Starts the idle limit, replacing an earlier one. */
  idle(ms: number, onPassed: () => void): void {
    this.#restart = () => {
      this.#endIdle();
      this.#endIdle = this.#time.limit(ms, onPassed);
    };
    this.#restart();
  }

  /** Restarts the idle limit after activity. */
  stir(): void {
    this.#restart();
  }

  end(): void {
    this.#endWhole();
    this.#endIdle();
    this.#restart = () => {};
  }
}
