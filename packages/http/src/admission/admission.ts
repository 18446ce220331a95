import { HttpError } from "../errors.ts";
import { type Asker, FairQueue, type QueueLimits, type Waiting } from "./fair-queue.ts";
import { REFUSALS_IN_ROUND_MAX } from "./refusal-queue.ts";
import type { Rounds } from "./rounds.ts";

export interface AdmissionLimits extends QueueLimits {
  /** Most requests that are worked on at once. */
  readonly requestsMax: number;
  /** Most of them that are one bot's. */
  readonly botRequestsMax: number;
  /** A request that has waited for longer is refused, in milliseconds. */
  readonly waitMs: number;
}

/** A request's place among those that are worked on. */
export interface Place {
  /** How long the request has waited for it, in milliseconds. */
  readonly waitedMs: number;
  /** Gives it back. Nothing happens the second time. */
  release(): void;
}

interface Candidate {
  readonly take: (place: Place) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Which requests are worked on now? A round of the event loop begins one: however many have come together, others are heard in between, and
 * a bot that asks seldom waits for no more than one request that was begun before it came. What a start took up to its first rest is what it cost its bot:
 * what else was done in its round is others'.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #rounds: Rounds;
  readonly #queue: FairQueue<Candidate>;
  readonly #working = new Map<string, number>();
  #inWork = 0;
  #hasBegun = false;
  #isRoundAwaited = false;
  /** Until then rounds pass without a start while others have something to do in them. */
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
   * Resolves with a place, when the request may begin; undefined where as many wait as may.
   * @throws HttpError OVERLOADED where it has waited for too long; what the signal is aborted with
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

  /** A connection has come: more may stand behind it, and only one is accepted in a round. */
  arrived(): void {
    this.#hasArrived = true;
  }

  /** Counts an answer that waits in its lane: a round takes one piece of one answer, so that each start would hold up all of them. */
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
    // Who is passed over for its own bound stays so until one of its places is free.
    if (this.#inWork >= this.#limits.requestsMax) return;
    const waiting = this.#queue.next((botId) => this.#mayStart(botId));
    if (waiting === undefined) return;
    const { asker, item, sinceMs } = waiting;
    if (sinceMs > nowMs - this.#limits.waitMs) {
      item.take(this.#start(asker, sinceMs, nowMs));
      return;
    }
    // More were late than one round refuses.
    item.refuse(new HttpError("OVERLOADED"));
    this.#awaitRound();
  }

  #refuseLate(nowMs: number): void {
    for (const { item } of this.#queue.leaveSince(nowMs - this.#limits.waitMs, REFUSALS_IN_ROUND_MAX)) {
      item.refuse(new HttpError("OVERLOADED"));
    }
  }

  /** One timer for all: those who came first are late first. Where more are late than are refused at once it is soon again. */
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

/** After a start, others get as long as that took, and no longer than this. */
const LISTEN_MS_MAX = 10;
