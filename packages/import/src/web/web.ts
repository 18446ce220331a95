import { FILE_KINDS } from "../convert/kinds.ts";
import { unlessStopped } from "../stopping.ts";
import { type ContentKind, contentKind, contentType } from "./content-kind.ts";
import { Hosts, type Resolver } from "./hosts.ts";
import * as limits from "./limits.ts";
import { pageAddress } from "./page-address.ts";
import { type Answer, type Head, request } from "./request.ts";
import type { RequestBudget } from "./request-budget.ts";
import { Robots, type RobotsRules } from "./robots.ts";
import type { Time } from "./time.ts";
import { userAgent } from "./user-agent.ts";
import { WebError } from "./web-error.ts";

/** A fetched resource. */
export interface Fetched {
  /** The final address, after redirects, as `pageAddress` writes it. */
  readonly address: string;
  readonly head: Head;
  readonly kind: ContentKind;
  readonly body: Uint8Array;
  /** True if a redirect on the way is temporary (302, 303, 307): tomorrow the requested page may be there again. */
  readonly isForNow: boolean;
}

export interface FetchOptions {
  /** The wanted kinds. Content of another kind is `unfit`, and its body is not fetched. Default: all. */
  readonly kinds?: ReadonlySet<ContentKind>;
  /** The budget that each request is taken from. Default: no limit. */
  readonly budget?: RequestBudget;
}

export interface WebSettings {
  readonly time: Time;
  readonly resolver: Resolver;
  /** Refuses private hosts also where the argument names them. */
  readonly publicOnly?: boolean;
  /** Requests per second that the operator set; undefined for the default. */
  readonly requestsPerSecond: number | undefined;
  readonly ignoreRobots: boolean;
  /** Aborts fetches and waits, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

const MOVED = new Set([301, 308]);
const REDIRECTS = new Set([...MOVED, 302, 303, 307]);
const ALL_KINDS: ReadonlySet<ContentKind> = new Set<ContentKind>([...FILE_KINDS, "sitemap"]);

/** Fetches everything for one import. It asks only permitted hosts, at a polite pace. */
export class Web {
  readonly #settings: WebSettings;
  readonly #hosts: Hosts;
  readonly #pace: Pace;
  readonly #robots = new Robots();
  readonly #userAgent = userAgent();

  constructor(settings: WebSettings) {
    this.#settings = settings;
    this.#hosts = new Hosts(settings.resolver, settings.publicOnly);
    this.#pace = new Pace(settings.time);
  }

  /** Permits an address that the operator typed, even if it is private. @throws WebError */
  admit(address: string): Promise<void> {
    return unlessStopped(this.#hosts.admit(new URL(address)), this.#settings.signal);
  }

  /** Returns the robots.txt rules of the address's site. @throws WebError, and RequestsSpent */
  async rules(address: string, budget?: RequestBudget): Promise<RobotsRules | undefined> {
    if (this.#settings.ignoreRobots) return undefined;
    return this.#robots.of(new URL(address), (robots) => this.#robotsText(robots, budget));
  }

  /**
   * Fetches an address, following redirects.
   * @throws WebError, and RequestsSpent
   */
  async fetch(start: string, { kinds = ALL_KINDS, budget }: FetchOptions = {}): Promise<Fetched> {
    let address = start;
    let isForNow = false;
    for (let redirects = 0; redirects <= limits.REDIRECTS_MAX; redirects += 1) {
      const here = address;
      const rules = await this.rules(here, budget);
      if (rules?.allows(here) === false) {
        throw new WebError("unwanted", "its robots.txt asks programs not to fetch it (--ignore-robots fetches it)");
      }
      const kindOf = (head: Head): ContentKind | undefined => {
        const kind = head.status === 200 ? contentKind(head, here) : undefined;
        return kind !== undefined && kinds.has(kind) ? kind : undefined;
      };
      const bytesMax = (head: Head): number => (kindOf(head) === undefined ? 0 : limits.PAGE_BYTES_MAX);
      const { head, body } = await this.#withRetries(() => {
        budget?.take();
        return this.#once(here, rules?.delayMs ?? 0, bytesMax);
      });
      const kind = kindOf(head);
      if (kind !== undefined && body !== undefined) return { address: here, head, kind, body, isForNow };
      if (!REDIRECTS.has(head.status)) {
        const type = contentType(head) || "nothing said";
        throw new WebError("unfit", `it is of a kind that cannot be imported (${type})`);
      }
      address = redirected(here, head.header("location"));
      if (!MOVED.has(head.status)) isForNow = true;
    }
    throw new WebError("refused", `it redirects too often: more than ${limits.REDIRECTS_MAX} redirects`);
  }

  /** Makes one attempt: a good answer, or a redirect. @throws WebError */
  async #once(address: string, delayMs: number, bytesMax: (head: Head) => number): Promise<Answer> {
    const url = new URL(address);
    const { time, signal } = this.#settings;
    const { addresses, isPrivate } = await unlessStopped(this.#hosts.check(url), signal);
    const usual = isPrivate ? limits.REQUESTS_A_SECOND_PRIVATE : limits.REQUESTS_A_SECOND_DEFAULT;
    const pauseMs = 1_000 / (this.#settings.requestsPerSecond ?? usual);
    await this.#pace.turn(url.host, Math.max(delayMs, pauseMs), signal);
    const answer = await request(url, { addresses, time, userAgent: this.#userAgent, bytesMax, signal });
    const { status } = answer.head;
    if (status !== 200 && !REDIRECTS.has(status)) throw statusError(answer.head, time.nowMs());
    return answer;
  }

  /** Retries errors that may pass. Each wait is longer than the last, or as long as the server asks. */
  async #withRetries<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof WebError && error.mayPass) || tries >= limits.RETRIES_MAX) throw error;
        const waitMs = error.retryAfterMs ?? limits.RETRY_MS_MIN * 2 ** tries;
        if (waitMs > limits.RETRY_AFTER_MS_MAX) throw error;
        const { time, signal } = this.#settings;
        await unlessStopped(time.wait(waitMs, signal), signal);
      }
    }
  }

  async #robotsText(start: string, budget: RequestBudget | undefined): Promise<string> {
    let address = start;
    for (let redirects = 0; redirects <= limits.REDIRECTS_MAX; redirects += 1) {
      budget?.take();
      const url = new URL(address);
      const { time, signal } = this.#settings;
      const { addresses } = await unlessStopped(this.#hosts.check(url), signal);
      const { head, body } = await request(url, {
        addresses,
        time,
        userAgent: this.#userAgent,
        bytesMax: ({ status }) => (status === 200 ? limits.ROBOTS_BYTES_MAX : 0),
        cutsOff: true,
        signal,
      });
      if (head.status === 200) return new TextDecoder().decode(body);
      if (!REDIRECTS.has(head.status)) throw statusError(head, time.nowMs());
      address = redirected(address, head.header("location"));
    }
    throw new WebError("refused", "it redirects too often");
  }
}

/** Paces requests: one at a time to a host, with a pause between the starts of two. */
class Pace {
  readonly #time: Time;
  readonly #next = new Map<string, number>();

  constructor(time: Time) {
    this.#time = time;
  }

  /**
   * Waits until the host may be asked again. `pauseMs` is the time from this start to the next one.
   * @throws the reason of the signal
   */
  async turn(host: string, pauseMs: number, signal?: AbortSignal): Promise<void> {
    const now = this.#time.nowMs();
    const due = this.#next.get(host) ?? now;
    // A clock that was set back must not stop everything.
    const waitMs = Math.min(Math.max(0, due - now), pauseMs);
    this.#next.set(host, now + waitMs + pauseMs);
    if (waitMs > 0) await unlessStopped(this.#time.wait(waitMs, signal), signal);
  }
}

/**
 * Resolves the `Location` of a redirect. A redirect from https to http is refused; if a server writes http for its own address, https is meant.
 * @throws WebError
 */
export function redirected(from: string, location: string | undefined): string {
  const to = location === undefined ? undefined : pageAddress(location, from);
  if (to === undefined) {
    throw new WebError("refused", `it leads to no address of a page (${location ?? "none is told"})`);
  }
  const [here, there] = [new URL(from), new URL(to)];
  if (here.protocol !== "https:" || there.protocol === "https:") return to;
  if (here.hostname !== there.hostname || here.port !== "" || there.port !== "") {
    throw new WebError("forbidden", `it leads from https to http (${to}), where anybody on the way could change it`);
  }
  there.protocol = "https:";
  return there.href;
}

const AWAY = new Set([408, 425, 429]);
/** Statuses that usually pass soon. */
const MAY_PASS = new Set([...AWAY, 502, 503, 504]);

/** Returns the error of a status other than 200. */
function statusError({ status, header }: Head, nowMs: number): WebError {
  if (status === 404 || status === 410) return new WebError("gone", `there is no such page (${status})`);
  if (status === 401 || status === 403 || status === 407) {
    return new WebError("refused", `it needs a login, or is not given to programs (${status})`);
  }
  if (AWAY.has(status) || status >= 500) {
    const retryAfterMs = retryAfterMsOf(header("retry-after"), nowMs);
    const word = status === 429 ? "the server was asked too often" : "the server has a problem";
    return new WebError("away", `${word} (${status})${laterWord(retryAfterMs)}`, {
      retryAfterMs,
      mayPass: MAY_PASS.has(status),
    });
  }
  return new WebError("refused", `the server answers ${status} where a page is expected`);
}

function laterWord(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || retryAfterMs === 0) return "";
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return `; it asks to come again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}`;
}

/** Parses `Retry-After`, seconds or a date, into milliseconds from now; undefined if there is none. */
function retryAfterMsOf(given: string | undefined, nowMs: number): number | undefined {
  const text = given?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
