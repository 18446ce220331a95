import type { Clock } from "./clock.ts";

/** Tells at once, and again only when this many milliseconds have passed: for what would be told with every request. */
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
