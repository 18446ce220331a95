import { REFUSALS_IN_ROUND_MAX, RefusalQueue } from "./refusal-queue.ts";
import type { Rounds } from "./rounds.ts";

export interface HeldLimits {
  /** The time for which a refusal is held back, in milliseconds. */
  readonly heldMs: number;
  /** The most refusals held back for one bot. Beyond it, refusals are sent at once. */
  readonly botHeldMax: number;
  /** The most refusals held back for all bots together. Each keeps a connection that other clients could use. */
  readonly heldMax: number;
}

interface Held {
  readonly botId: string;
  readonly sinceMs: number;
  readonly go: () => void;
}

/**
 * Holds back the refusals of a bot whose queue is full.
 * A client that is refused at once may ask again at once, and a refusal takes as long to read and write as a small answer.
 * Three thousand refusals per second took three quarters of a processor. While a refusal is held back, only its connection is kept.
 */
export class HeldRefusals {
  readonly #limits: HeldLimits;
  readonly #rounds: Rounds;
  readonly #atOnce: RefusalQueue;
  /** In order of arrival. */
  readonly #held = new Set<Held>();
  readonly #ofBot = new Map<string, number>();
  #isWatching = false;

  constructor(limits: HeldLimits, rounds: Rounds) {
    this.#limits = limits;
    this.#rounds = rounds;
    this.#atOnce = new RefusalQueue(rounds);
  }

  /** Resolves when the bot's client is to be refused. @throws the signal's reason if it aborts */
  next(botId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const ofBot = this.#ofBot.get(botId) ?? 0;
    if (ofBot >= this.#limits.botHeldMax || this.#held.size >= this.#limits.heldMax) return this.#atOnce.next();
    this.#ofBot.set(botId, ofBot + 1);
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        this.#leave(held);
        reject(signal.reason);
      };
      const go = (): void => {
        signal.removeEventListener("abort", gone);
        resolve();
      };
      const held = { botId, sinceMs: this.#rounds.nowMs(), go };
      this.#held.add(held);
      signal.addEventListener("abort", gone, { once: true });
      this.#watch();
    });
  }

  #leave(held: Held): void {
    this.#held.delete(held);
    const left = (this.#ofBot.get(held.botId) ?? 1) - 1;
    if (left > 0) this.#ofBot.set(held.botId, left);
    else this.#ofBot.delete(held.botId);
  }

  /** One timer for all refusals: the first to come is the first to be sent, a few at a time. */
  #watch(): void {
    const [oldest] = this.#held;
    if (this.#isWatching || oldest === undefined) return;
    this.#isWatching = true;
    this.#rounds.later(oldest.sinceMs + this.#limits.heldMs - this.#rounds.nowMs(), () => {
      this.#isWatching = false;
      const untilMs = this.#rounds.nowMs() - this.#limits.heldMs;
      let inRound = 0;
      for (const held of this.#held) {
        if (held.sinceMs > untilMs || inRound === REFUSALS_IN_ROUND_MAX) break;
        inRound++;
        this.#leave(held);
        held.go();
      }
      this.#watch();
    });
  }
}
