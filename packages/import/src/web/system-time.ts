import type { Time } from "./time.ts";

/** The real time. */
export const systemTime: Time = {
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  limit(ms, onPassed) {
    const timer = setTimeout(onPassed, ms);
    return () => clearTimeout(timer);
  },
};
