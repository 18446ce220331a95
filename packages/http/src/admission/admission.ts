import { HttpError } from "../errors.ts";
import { type Asker, FairQueue, type QueueLimits, type Waiting } from "./fair-queue.ts";
import { REFUSALS_IN_ROUND_MAX } from "./refusal-queue.ts";
import type { Rounds } from "./rounds.ts";

export interface AdmissionLimits extends QueueLimits {
  /** The most requests in work at once. */
  readonly requestsMax: number;
  /** The most requests of one bot in work at once. */
  readonly botRequestsMax: number;
  /** The longest wait of a request, in milliseconds. Then the request is refused. */
  readonly waitMs: number;
}

/** The place of a request among the requests in work. */
export interface Place {
  /** The time that the request has waited for its place, in milliseconds. */
  readonly waitedMs: number;
  /** Gives the place back. Idempotent. */
  release(): void;
}

interface Candidate {
  readonly take: (place: Place) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Decides which request begins next. A round of the event loop begins at most one.
 * However many requests arrive together, the event loop serves other events between two starts.
 * A bot that asks seldom waits for at most one request that began before its own.
 * A start costs its bot the time until its first rest. Other work of the same round is not charged to the bot.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #rounds: Rounds;
  readonly #queue: FairQueue<Candidate>;
  readonly #working = new Map<string, number>();
  #inWork = 0;
  #hasBegun = false;
  #isRoundAwaited = false;
  /** Before this time, in milliseconds, a round without a start passes if a client connects or an answer is being sent. */
  #listensUntilMs = 0;
  #hasArrived = false;
  #sending = 0;
  #stopTimer: (() => void) | undefined;

  constructor(limits: AdmissionLimits, rounds: Rounds) {
    this.#limits = limits;
    this.#rounds = rounds;
    this.#queue = new FairQueue(limits);
  }

  /**
   * Resolves with a place when the request may begin. Undefined if the queue of its key or its bot is full.
   * @throws HttpError `OVERLOADED` after a wait that is too long; the signal's reason if it aborts
   */
  enter(asker: Asker, signal: AbortSignal): Promise<Place> | undefined {
    if (signal.aborted) return Promise.reject(signal.reason);
    const nowMs = this.#rounds.nowMs();
    if (!this.#hasBegun && this.#queue.size === 0 && this.#mayStart(asker.botId)) {
      return Promise.resolve(this.#start(asker, nowMs, nowMs));
    }
    let isFull = false;
    const place = new Promise<Place>((resolve, reject) => {
      const gone = (): void => {
        this.#queue.leave(waiting);
        reject(signal.reason);
      };
      const candidate: Candidate = {
        take: (place) => {
          signal.removeEventListener("abort", gone);
          resolve(place);
        },
        refuse: (reason) => {
          signal.removeEventListener("abort", gone);
          reject(reason);
        },
      };
      const entered = this.#queue.enter(asker, candidate, nowMs);
      if (entered === undefined) {
        isFull = true;
        return;
      }
      const waiting: Waiting<Candidate> = entered;
      signal.addEventListener("abort", gone, { once: true });
      this.#watchTheTime(nowMs);
      this.#awaitRound();
    });
    return isFull ? undefined : place;
  }

  /** Notes a new connection. More may wait behind it, and a round accepts only one. */
  arrived(): void {
    this.#hasArrived = true;
  }

  /** Counts an answer that waits in its lane. A round sends one piece of one answer, so each start would delay all of them. */
  async sending(wait: Promise<void>): Promise<void> {
    this.#sending++;
    await wait;
    this.#sending--;
  }

  #mayStart(botId: string): boolean {
    const { requestsMax, botRequestsMax } = this.#limits;
    return this.#inWork < requestsMax && (this.#working.get(botId) ?? 0) < botRequestsMax;
  }

  #start(asker: Asker, sinceMs: number, nowMs: number): Place {
    const { botId } = asker;
    this.#queue.begin(asker);
    this.#inWork++;
    this.#working.set(botId, (this.#working.get(botId) ?? 0) + 1);
    this.#hasBegun = true;
    this.#rounds.afterThis(() => {
      const endMs = this.#rounds.nowMs();
      this.#queue.charge(asker, endMs - nowMs);
      this.#listensUntilMs = endMs + Math.min(endMs - nowMs, LISTEN_MS_MAX);
    });
    this.#awaitRound();
    let isHeld = true;
    return {
      waitedMs: nowMs - sinceMs,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#release(botId);
      },
    };
  }

  #release(botId: string): void {
    const left = (this.#working.get(botId) ?? 1) - 1;
    if (left === this.#limits.botRequestsMax - 1) this.#queue.resume(botId);
    if (left > 0) this.#working.set(botId, left);
    else this.#working.delete(botId);
    this.#inWork--;
    if (this.#queue.size > 0) this.#awaitRound();
  }

  #awaitRound(): void {
    if (this.#isRoundAwaited) return;
    this.#isRoundAwaited = true;
    this.#rounds.next(() => this.#round());
  }

  #round(): void {
    this.#isRoundAwaited = false;
    const nowMs = this.#rounds.nowMs();
    this.#hasBegun = false;
    this.#refuseLate(nowMs);
    if (this.#queue.size === 0) return;
    if ((this.#hasArrived || this.#sending > 0) && nowMs < this.#listensUntilMs) {
      this.#hasArrived = false;
      this.#awaitRound();
      return;
    }
    // A bot that was passed over for its own limit is passed over until one of its places is free.
    if (this.#inWork >= this.#limits.requestsMax) return;
    const waiting = this.#queue.next((botId) => this.#mayStart(botId));
    if (waiting === undefined) return;
    const { asker, item, sinceMs } = waiting;
    if (sinceMs > nowMs - this.#limits.waitMs) {
      item.take(this.#start(asker, sinceMs, nowMs));
      return;
    }
    // More requests were late than one round refuses.
    item.refuse(new HttpError("OVERLOADED"));
    this.#awaitRound();
  }

  #refuseLate(nowMs: number): void {
    for (const { item } of this.#queue.leaveSince(nowMs - this.#limits.waitMs, REFUSALS_IN_ROUND_MAX)) {
      item.refuse(new HttpError("OVERLOADED"));
    }
  }

  /** One timer for all requests: the first to come is the first to be late. If a call cannot refuse all late requests, the next timer is due soon. */
  #watchTheTime(nowMs: number): void {
    const oldest = this.#queue.oldestSinceMs;
    if (this.#stopTimer !== undefined || oldest === undefined) return;
    this.#stopTimer = this.#rounds.later(oldest + this.#limits.waitMs - nowMs, () => {
      this.#stopTimer = undefined;
      const laterMs = this.#rounds.nowMs();
      this.#refuseLate(laterMs);
      this.#watchTheTime(laterMs);
    });
  }
}

/** After a start, other events get as long as the start took, and at most this many milliseconds. */
const LISTEN_MS_MAX = 10;
