import { randomBytes } from "node:crypto";
import type { Clock, Random } from "./clock.ts";

/** The real clock and randomness. Only `engine.ts` passes them on. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
};
