import type { Sliced } from "../../src/scheduling/time-slices.ts";

/** In how many steps the work is done. */
export function slicesOf(work: Sliced<unknown>): number {
  let steps = 0;
  while (work.next().done !== true) steps++;
  return steps;
}
