import { RATE_WINDOW_MS } from "../model/limits.ts";
import { must } from "../model/must.ts";

/** Characters that were admitted at one instant. */
export interface Admission {
  readonly atMs: number;
  readonly characters: number;
}

/**
 * A sliding window: at every instant t, the characters admitted in (t − 60 s, t] are at most the limit. Bytes and requests are counted the same way.
 * It has no clock: the caller passes the time in whole milliseconds. Only {@link add} takes a time before the last one.
 */
export class SlidingWindow {
  /** In order of time, one entry a millisecond. */
  #admissions: { atMs: number; characters: number }[] = [];
  #first = 0;
  #sum = 0;

  /** Characters admitted in the window that ends now. */
  used(nowMs: number): number {
    this.#expire(nowMs);
    return this.#sum;
  }

  /**
   * Milliseconds until this many characters would be admitted: 0 if at once; undefined if never, because the limit itself is smaller.
   * Linear in the admissions of the window.
   */
  waitMs(characters: number, limit: number, nowMs: number): number | undefined {
    this.#expire(nowMs);
    if (characters === 0 || this.#sum + characters <= limit) return 0;
    if (characters > limit) return undefined;
    let left = this.#sum;
    for (let i = this.#first; i < this.#admissions.length; i++) {
      const admission = must(this.#admissions[i], "an admission of the window");
      left -= admission.characters;
      if (left + characters <= limit) return admission.atMs + RATE_WINDOW_MS - nowMs;
    }
    return undefined;
  }

  /** Milliseconds until the window is empty, if nothing is added: at most 60,000; 0 if it is empty. */
  emptyInMs(nowMs: number): number {
    this.#expire(nowMs);
    for (let i = this.#admissions.length - 1; i >= this.#first; i--) {
      const admission = must(this.#admissions[i], "an admission of the window");
      // All characters of an admission may have been released.
      if (admission.characters > 0) return admission.atMs + RATE_WINDOW_MS - nowMs;
    }
    return 0;
  }

  /** Counts characters as admitted at this time, or with the last admission if that was later: another node may have admitted them. */
  add(characters: number, atMs: number): void {
    this.#expire(atMs);
    if (characters === 0) return;
    const last = this.#admissions.at(-1);
    if (last !== undefined && this.#first < this.#admissions.length && last.atMs >= atMs) last.characters += characters;
    else this.#admissions.push({ atMs, characters });
    this.#sum += characters;
  }

  /** Takes back the characters that a failed write added at that time. */
  release(characters: number, atMs: number): void {
    for (let i = this.#admissions.length - 1; i >= this.#first; i--) {
      const admission = must(this.#admissions[i], "an admission of the window");
      if (admission.atMs < atMs) return;
      if (admission.atMs !== atMs) continue;
      admission.characters -= characters;
      this.#sum -= characters;
      return;
    }
  }

  /** The admissions that have not expired, oldest first. */
  admissions(): Admission[] {
    return this.#admissions.slice(this.#first).map((admission) => ({ ...admission }));
  }

  /** Another window that counts the same. */
  copy(): SlidingWindow {
    const copy = new SlidingWindow();
    copy.#admissions = this.admissions();
    copy.#sum = this.#sum;
    return copy;
  }

  #expire(nowMs: number): void {
    let oldest = this.#admissions[this.#first];
    while (oldest !== undefined && oldest.atMs <= nowMs - RATE_WINDOW_MS) {
      this.#sum -= oldest.characters;
      oldest = this.#admissions[++this.#first];
    }
    if (this.#first > 1_024 && this.#first * 2 > this.#admissions.length) {
      this.#admissions = this.#admissions.slice(this.#first);
      this.#first = 0;
    }
  }
}
