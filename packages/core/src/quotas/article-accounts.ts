import type { ArticleSize, BotLimits } from "../model/bot-limits.ts";
import {
  QuotaBytesExceededError,
  QuotaExceededError,
  RateBytesExceededError,
  RateExceededError,
} from "../model/errors.ts";
import type { Charge } from "../model/records.ts";
import { excessOf } from "./quota.ts";
import { VersionReservations } from "./version-reservations.ts";
import type { SlidingWindow } from "./window.ts";

/** Dependencies of {@link ArticleAccounts}. */
export interface ArticleAccountsDeps {
  readonly limits: () => BotLimits;
  /** Size of all durable articles. */
  readonly used: () => ArticleSize;
  /** Size of an article's durable version; 0 if there is none. */
  readonly durable: (id: string) => ArticleSize;
  /** The rate windows of durable writes. They are copied, and never changed here. */
  readonly windows: { readonly characters: SlidingWindow; readonly bytes: SlidingWindow };
}

/** What the windows of both rates hold. */
export interface RateUsed extends ArticleSize {
  /** Whole seconds until the window of the characters is empty if nothing is added, 0 to 60. */
  readonly resetSeconds: number;
}

/** The judgement of quotas and rates on a version. */
export interface Judgement {
  readonly charge: Charge;
  /** Characters of all articles, and those that writes in flight may add. */
  readonly used: number;
  /** Characters that would be reserved with this version. */
  readonly growth: number;
  /** Milliseconds until both rates admit it; undefined if one never does. */
  readonly waitMs: number | undefined;
  /** @throws QuotaExceededError, QuotaBytesExceededError, in this order */
  readonly requireQuota: () => void;
  /** Called after {@link requireQuota}. @throws RateExceededError, RateBytesExceededError, in this order */
  readonly requireRate: () => void;
}

/**
 * Quotas and rates of a bot's articles, in characters and in bytes. Characters are the unit that users pay for; bytes protect the machine.
 * Judging reserves nothing, so a refused version consumes nothing.
 * The caller reserves by a separate call, with no await between the two.
 */
export class ArticleAccounts {
  readonly #deps: ArticleAccountsDeps;
  readonly #characters: VersionReservations;
  readonly #bytes: VersionReservations;
  /** Admissions of durable writes and of those in flight. */
  readonly #characterWindow: SlidingWindow;
  readonly #byteWindow: SlidingWindow;

  constructor(deps: ArticleAccountsDeps) {
    this.#deps = deps;
    this.#characters = new VersionReservations((id) => deps.durable(id).characters);
    this.#bytes = new VersionReservations((id) => deps.durable(id).bytes);
    this.#characterWindow = deps.windows.characters.copy();
    this.#byteWindow = deps.windows.bytes.copy();
  }

  /** Characters and bytes admitted in the last 60 seconds, and when the window of the characters is empty. */
  rateUsed(nowMs: number): RateUsed {
    const resetSeconds = Math.ceil(this.#characterWindow.emptyInMs(nowMs) / 1_000);
    return { characters: this.#characterWindow.used(nowMs), bytes: this.#byteWindow.used(nowMs), resetSeconds };
  }

  /** Counts what a version is charged, by this node or another, in the windows of both rates. */
  count(size: ArticleSize, charge: Charge): void {
    this.#characterWindow.add(charge.characters, charge.atMs);
    this.#byteWindow.add(size.bytes, charge.atMs);
  }

  /** Judges a version of an article: `before` is the version that it replaces, in flight or durable. */
  judge(id: string, size: ArticleSize, before: ArticleSize, atMs: number): Judgement {
    const limits = this.#deps.limits();
    const durable = this.#deps.used();
    const added = Math.max(0, size.characters - before.characters);
    const addedBytes = Math.max(0, size.bytes - before.bytes);
    const used = durable.characters + this.#characters.total;
    const usedBytes = durable.bytes + this.#bytes.total;
    const growth = this.#characters.growth(id, size.characters);
    const excess = excessOf(used, added, growth, limits.quotaCharacters);
    const excessBytes = excessOf(usedBytes, addedBytes, this.#bytes.growth(id, size.bytes), limits.quotaBytes);
    const waitMs = this.#characterWindow.waitMs(added, limits.rateCharactersPerMinute, atMs);
    const bytesWaitMs = this.#byteWindow.waitMs(size.bytes, limits.rateBytesPerMinute, atMs);
    const requireQuota = (): void => {
      if (excess > 0) throw new QuotaExceededError(excess, used, limits.quotaCharacters);
      if (excessBytes > 0) throw new QuotaBytesExceededError(addedBytes, usedBytes, limits.quotaBytes);
    };
    const requireRate = (): void => {
      if (waitMs !== 0) throw new RateExceededError(added, limits.rateCharactersPerMinute, waitMs);
      if (bytesWaitMs !== 0) throw new RateBytesExceededError(size.bytes, limits.rateBytesPerMinute, bytesWaitMs);
    };
    const charge = { characters: added, atMs };
    return { charge, used, growth, waitMs: laterOf(waitMs, bytesWaitMs), requireQuota, requireRate };
  }

  /**
   * Reserves a version with what it is charged, or the removal of an article.
   * @returns a function that gives it back. Call it once: when the write is durable and applied, or when it has failed
   */
  reserve(id: string, size: ArticleSize, charge?: Charge): (hasFailed: boolean) => void {
    if (charge !== undefined) this.count(size, charge);
    const releases = [this.#characters.reserve(id, size.characters), this.#bytes.reserve(id, size.bytes)];
    return (hasFailed) => {
      for (const release of releases) release();
      if (!hasFailed || charge === undefined) return;
      this.#characterWindow.release(charge.characters, charge.atMs);
      this.#byteWindow.release(size.bytes, charge.atMs);
    };
  }
}

/** The longer of two waits; undefined, which means never, if either is undefined. */
function laterOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}
