import type { Random } from "./clock.ts";

/** A function that gives one of 256 numbers from 0 to below 1, for pauses that must not be equal everywhere. */
export function chanceOf(random: Random): () => number {
  return () => (random.bytes(1)[0] ?? 0) / 256;
}
