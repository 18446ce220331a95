import { LoredexError } from "../model/errors.ts";
import type { Clock } from "../platform/clock.ts";

/** How long a call without a signal is decided again before its caller gets the `CONFLICT`, in milliseconds. */
const DECIDED_AGAIN_MS = 10_000;
/** Tries that a call without a signal has in any case: one try of a purge may take longer than that time. */
const TRIES_MIN = 3;
/** The longest pause before a call is decided again, in milliseconds. */
const PAUSE_MS_MAX = 32;

export interface DecideAgainDeps {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** A number from 0 to below 1. */
  readonly chance: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called for each try that another node was quicker than. */
  readonly overtaken?: () => void;
  /** Called before a try that follows `REPLACED`: opens the store again. */
  readonly replaced: (error: LoredexError) => Promise<void>;
}

/**
 * Runs work that decides a write on what this node knows, and runs it again when another node has written meanwhile. The pauses grow and are random,
 * so that nodes that conflict do not meet again. The work must apply the records of others first.
 * @param signal ends the tries when it aborts. Default: they end after {@link DECIDED_AGAIN_MS}, and not before the third one
 * @throws what the work throws; `CONFLICT` or `REPLACED` only when the tries have ended
 */
export async function decideAgain<Result>(
  deps: DecideAgainDeps,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const endMs = deps.clock.monotonicMs() + DECIDED_AGAIN_MS;
  const isOver = (tries: number): boolean =>
    signal?.aborted ?? (tries >= TRIES_MIN && deps.clock.monotonicMs() >= endMs);
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      deps.overtaken?.();
      if (isOver(tries)) throw error;
      if (error.code === "REPLACED") await deps.replaced(error);
      await deps.sleep(deps.chance() * Math.min(PAUSE_MS_MAX, 2 ** (tries - 1)));
    }
  }
}

/** Whether another node was quicker, or has replaced the history: the same call may succeed when it is decided again. */
export function isOvertaken(error: unknown): error is LoredexError {
  return error instanceof LoredexError && (error.code === "CONFLICT" || error.code === "REPLACED");
}

/** Whether the shared storage did not answer. */
export function isUnreachable(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "UNREACHABLE";
}
