import type { Steps } from "../../src/scheduling/steps.ts";

/** In how many steps the work is done. */
export function stepsOf(work: Steps<unknown>): number {
  let steps = 0;
  while (work.next().done !== true) steps++;
  return steps;
}
