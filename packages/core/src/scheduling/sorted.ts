import { must } from "../model/must.ts";
import type { Sliced } from "./time-slices.ts";

/** Items that are sorted or merged per step. */
const SLICE_ITEMS = 1_024;

type Compare<Item> = (a: Item, b: Item) => number;

/** Merge-sorts a copy of the items, as sliced work. Stable. O(n log n) comparisons; close to O(n) for sorted input, or long sorted runs. */
export function* sortedInSlices<Item extends object>(
  items: readonly Item[],
  compare: Compare<Item>,
): Sliced<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += SLICE_ITEMS) {
    runs.push(items.slice(at, at + SLICE_ITEMS).sort(compare));
    if (at + SLICE_ITEMS < items.length) yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      // The last of an odd number of runs has no partner.
      merged.push(yield* mergedInSlices(must(runs[i], "a sorted run"), runs[i + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSlices<Item extends object>(
  left: readonly Item[],
  right: readonly Item[],
  compare: Compare<Item>,
): Sliced<readonly Item[]> {
  yield;
  const [last, first] = [left.at(-1), right[0]];
  if (last === undefined || first === undefined || compare(last, first) <= 0) return left.concat(right);
  const merged: Item[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) break;
    const isLeft = compare(a, b) <= 0;
    merged.push(isLeft ? a : b);
    if (isLeft) l++;
    else r++;
    if (merged.length % SLICE_ITEMS === 0) yield;
  }
  return merged.concat(left.slice(l), right.slice(r));
}
