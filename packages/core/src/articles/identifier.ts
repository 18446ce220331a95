import type { Clock, Random } from "../platform/clock.ts";

/** Bits of an id behind the seconds: 10 of milliseconds and 54 that are random. */
const TAIL_BITS = 64n;
const RANDOM_BITS = 54n;
const DIGITS = 24;

/**
 * Makes ids of 24 lower-case hex digits:
 *
 *     | seconds since the epoch: 32 bits | milliseconds: 10 bits | random: 54 bits |
 *
 * Invariant: ids of one maker rise, also within a millisecond and when the clock is set back. Then an id adds a random step to the last one.
 * So no id tells another id, or how many there are. Each bot has a maker of its own.
 */
export class IdMaker {
  readonly #clock: Clock;
  readonly #random: Random;
  #last = 0n;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  next(): string {
    const ms = Math.floor(this.#clock.wallMs());
    const time = (BigInt(Math.floor(ms / 1_000)) << TAIL_BITS) | (BigInt(ms % 1_000) << RANDOM_BITS);
    // A start in the lower half leaves two million of the longest steps before the next millisecond is taken early.
    const fresh = time | (this.#bits(7) >> 3n);
    const following = this.#last + 1n + this.#bits(4);
    this.#last = fresh > following ? fresh : following;
    return BigInt.asUintN(DIGITS * 4, this.#last)
      .toString(16)
      .padStart(DIGITS, "0");
  }

  #bits(bytes: number): bigint {
    const hex = [...this.#random.bytes(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return BigInt(`0x${hex}`);
  }
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
