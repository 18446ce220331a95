import type { Clock } from "./clock.ts";

/** Limits a message to one per `ms` milliseconds; the first is told at once. For messages that every request would repeat. */
export function atMostEvery(
  clock: Pick<Clock, "monotonicMs">,
  ms: number,
  tell: (message: string) => void,
): (message: string) => void {
  let nextMs = Number.NEGATIVE_INFINITY;
  return (message) => {
    const nowMs = clock.monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + ms;
    tell(message);
  };
}
