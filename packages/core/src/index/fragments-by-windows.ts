import { type IndexedDocument, NO_FRAGMENT, windowFragmentOf } from "./indexed-document.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** Pieces `[first, last)` of a passage. */
export interface FragmentsOfPassage {
  readonly ordinal: number;
  readonly first: number;
  readonly last: number;
}

/**
 * For each piece the highest value of a part that holds any of it; -1 where no part does. `valueAt` is asked with the number of a part among those of
 * the passage, the title not counted among them, and with its number in the index.
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
      values[fragment - first] = Math.max(values[fragment - first] ?? -1, value);
    }
  }
  return values;
}
