import type { LoredexError } from "./error.ts";
import { onAbort } from "./on-abort.ts";
import type { Pace } from "./pace.ts";

interface Waiting {
  readonly timeoutSeconds: number;
  readonly pace: Pace;
  /** Thrown when the time is over. */
  readonly late: LoredexError;
  readonly signal: AbortSignal | undefined;
}

/** The first pause between two checks; each further one is twice as long, up to the second number. */
const PAUSE_MS = [50, 1_000] as const;
/** A check that has begun in time may exceed the total time by this much. */
const LAST_LOOK_MS = 1_000;
/** A longer timer fires at once; this is about 24 days. */
const TIMER_MS_MAX = 2_147_483_647;

/** Checks repeatedly until it finds what is wanted. Throws when the clock exceeds the limit, however the time was spent. */
export async function until<Found>(
  check: (ended: AbortSignal) => Promise<Found>,
  isWanted: (found: Found) => boolean,
  waiting: Waiting,
): Promise<Found> {
  const { timeoutSeconds, pace, late, signal } = waiting;
  const timeoutMs = timeoutSeconds * 1_000;
  const endMs = pace.nowMs() + timeoutMs;
  const end = new AbortController();
  const forget = onAbort(signal, () => end.abort(signal?.reason));
  const inTime = pace.after(Math.min(timeoutMs + LAST_LOOK_MS, TIMER_MS_MAX), () => end.abort(late));
  try {
    for (let pauseMs: number = PAUSE_MS[0]; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS[1])) {
      const found = await check(end.signal);
      if (isWanted(found)) return found;
      const leftMs = endMs - pace.nowMs();
      if (leftMs <= 0) throw late;
      await pace.sleep(Math.min(pauseMs, leftMs), end.signal);
    }
  } finally {
    inTime();
    forget();
  }
}
