import type { Clock, Random } from "../../src/platform/clock.ts";

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  wall: number;
  monotonic = 0;

  constructor(wallMs = 1_800_000_000_000) {
    this.wall = wallMs;
  }
  wallMs(): number {
    return this.wall;
  }
  monotonicMs(): number {
    return this.monotonic;
  }
  advance(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
  }
}

/** Random bytes by a seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return { bytes: (length) => Uint8Array.from({ length }, () => next() & 255) };
}
