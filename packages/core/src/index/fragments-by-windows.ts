import { must } from "../model/must.ts";
import { type IndexedDocument, NO_FRAGMENT, windowFragmentOf } from "./indexed-document.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** Fragments `[first, last)` of a passage. */
export interface FragmentsOfPassage {
  readonly ordinal: number;
  readonly first: number;
  readonly last: number;
}

/**
 * For each fragment of a passage the highest value of a window that holds any of it; -1 where no window does. `valueAt` gets the number of a window
 * among those of the passage, without the title, and its number in the index.
 */
export function highestByFragment(
  windows: WindowNumbers,
  document: IndexedDocument,
  { ordinal, first, last }: FragmentsOfPassage,
  valueAt: (ofPassage: number, window: number) => number,
): number[] {
  const values = new Array<number>(last - first).fill(-1);
  const end = windows.endOf(ordinal);
  let ofPassage = 0;
  for (let window = windows.firstOf(ordinal); window < end; window++) {
    const from = windowFragmentOf(document, window - document.firstWindow);
    if (from === NO_FRAGMENT) continue;
    const next = window + 1 < end ? windowFragmentOf(document, window + 1 - document.firstWindow) : last;
    const value = valueAt(ofPassage++, window);
    for (let fragment = from; fragment < Math.max(next, from + 1); fragment++) {
      values[fragment - first] = Math.max(must(values[fragment - first], "a fragment of the passage"), value);
    }
  }
  return values;
}
