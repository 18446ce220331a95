import { FILE_KINDS } from "../convert/kinds.ts";
import { unlessStopped } from "../stopping.ts";
import { type ContentKind, contentKind, contentType } from "./content-kind.ts";
import { Hosts, type Resolver } from "./hosts.ts";
import * as limits from "./limits.ts";
import { Pace } from "./pace.ts";
import { redirected } from "./redirect.ts";
import { type Answer, type Head, request } from "./request.ts";
import type { RequestBudget } from "./request-budget.ts";
import { Robots, type RobotsRules } from "./robots.ts";
import { statusError } from "./status-words.ts";
import type { Time } from "./time.ts";
import { userAgent } from "./user-agent.ts";
import { WebError } from "./web-error.ts";

/** What was fetched. */
export interface Fetched {
  /** Where it was in the end: after redirects, in the one way to write it. */
  readonly address: string;
  readonly head: Head;
  readonly kind: ContentKind;
  readonly body: Uint8Array;
  /** A redirect on the way holds for now only (302, 303, 307): what was asked for may be there again tomorrow. */
  readonly isForNow: boolean;
}

export interface FetchOptions {
  /** The kinds that are wanted. Content of another kind is `unfit`, and its body is not fetched. Default: all. */
  readonly kinds?: ReadonlySet<ContentKind>;
  /** Has each request taken from it. Default: there may be any number. */
  readonly budget?: RequestBudget;
}

export interface WebSettings {
  readonly time: Time;
  readonly resolver: Resolver;
  /** What the operator says; undefined for what is usual. */
  readonly requestsPerSecond: number | undefined;
  readonly ignoreRobots: boolean;
  /** Ends whatever is fetched or waited for: with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const MOVED = new Set([301, 308]);
const REDIRECTS = new Set([...MOVED, 302, 303, 307]);
const ALL_KINDS: ReadonlySet<ContentKind> = new Set<ContentKind>([...FILE_KINDS, "sitemap"]);

/** All that one import fetches: it goes only where it may, at a pace that hurts nobody. */
export class Web {
  readonly #settings: WebSettings;
  readonly #hosts: Hosts;
  readonly #pace: Pace;
  readonly #robots = new Robots();
  readonly #userAgent = userAgent();

  constructor(settings: WebSettings) {
    this.#settings = settings;
    this.#hosts = new Hosts(settings.resolver);
    this.#pace = new Pace(settings.time);
  }

  /** Lets an address in that the operator typed, though it be private. @throws WebError */
  admit(address: string): Promise<void> {
    return unlessStopped(this.#hosts.admit(new URL(address)), this.#settings.signal);
  }

  /** What the site of this address asks of us. @throws WebError, and RequestsSpent */
  async rules(address: string, budget?: RequestBudget): Promise<RobotsRules | undefined> {
    if (this.#settings.ignoreRobots) return undefined;
    return this.#robots.of(new URL(address), (robots) => this.#robotsText(robots, budget));
  }

  /**
   * What is at an address, after redirects.
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
    throw new WebError("refused", `it leads on and on: more than ${limits.REDIRECTS_MAX} redirects`);
  }

  /** One answer that is good, or leads on. @throws WebError */
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

  /** Tries again what may be there a little later, waiting longer each time, or as long as the server asks. */
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
    throw new WebError("refused", "it leads on and on");
  }
}
