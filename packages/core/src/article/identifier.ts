import type { Clock, Random } from "../runtime/clock.ts";

const COUNTER_MAX = 0xffffff;

/**
 * Makes ids of 24 lower-case hex digits: 4 bytes of seconds since the epoch, 5 random bytes of this maker, a counter of
 * 3 bytes. Ids of one maker differ and rise while the clock does; makers differ by chance of one in a trillion a second.
 */
export class IdMaker {
  readonly #clock: Clock;
  readonly #maker: string;
  #counter: number;
  #seconds = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#maker = hex(random.bytes(5));
    // A start in the lower half leaves eight million ids before the counter begins anew.
    this.#counter = Number.parseInt(hex(random.bytes(3)), 16) >>> 1;
  }

  next(): string {
    this.#seconds = Math.max(this.#seconds, Math.floor(this.#clock.wallMs() / 1_000));
    this.#counter += 1;
    if (this.#counter > COUNTER_MAX) {
      this.#counter = 0;
      // The next second is taken early, so that no id comes twice.
      this.#seconds += 1;
    }
    const seconds = (this.#seconds >>> 0).toString(16).padStart(8, "0");
    return seconds + this.#maker + this.#counter.toString(16).padStart(6, "0");
  }
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
