import { sleep } from "./abort.ts";
import { ServerProblem } from "./server-problem.ts";

/** How a failed request is retried. */
export interface RetryPolicy {
  /** Retries after the first try, from 0. */
  readonly retries: number;
  /** The first wait; each further one is twice as long. Milliseconds. */
  readonly retryMsMin: number;
}

/** Maximum wait, as a factor of the first one. */
const GROWTH_MAX = 16;

/** If a server asks for a longer wait, the request fails for now: the caller has its own retries. */
export const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Retries problems that may pass. Each wait is longer than the last, and at least as long as the server asks. The waits are the same every time: nothing here
 * is random.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, retryMsMin }: RetryPolicy,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerProblem) || !error.mayPass || tries >= retries) throw error;
      const { retryAfterMs = 0 } = error;
      if (retryAfterMs > RETRY_AFTER_MS_MAX) throw error;
      await sleep(Math.max(retryAfterMs, retryMsMin * Math.min(GROWTH_MAX, 2 ** tries)), signal);
    }
  }
}
