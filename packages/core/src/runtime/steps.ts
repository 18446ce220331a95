import { setImmediate } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** Work in steps of well below a millisecond each: wherever it yields, others may get their turn. */
export type Steps<Result> = Generator<void, Result, void>;

/** All of it at once, for whoever has nobody to let pass. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work goes on for this long before others get their turn. */
export const TURN_MS = 8;

/** Where work takes its turns. */
export interface Turns {
  readonly clock: Clock;
  /** Gives all others their turn; default a round of the event loop. */
  readonly rest?: () => Promise<unknown>;
}

/** The work in turns of {@link TURN_MS}, with a rest after each; undefined as soon as it is no longer wanted after a rest. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  { clock, rest = () => setImmediate() }: Turns,
  isWanted: () => boolean = () => true,
): Promise<Result | undefined> {
  let end = clock.monotonicMs() + TURN_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.monotonicMs() < end) continue;
    await rest();
    if (!isWanted()) return undefined;
    end = clock.monotonicMs() + TURN_MS;
  }
}
