import { setTimeout as wait } from "node:timers/promises";
import type { Time } from "./time.ts";

/** The system clock. */
export const systemTime: Time = {
  nowMs: () => Date.now(),
  wait: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  limit(ms, onPassed) {
    const timer = setTimeout(onPassed, ms);
    return () => clearTimeout(timer);
  },
};
