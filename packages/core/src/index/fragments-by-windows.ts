import { type IndexedDocument, NO_PIECE, partPieceOf } from "./indexed-document.ts";
import type { PartNumbers } from "./window-numbers.ts";

/** Pieces `[first, last)` of a passage. */
export interface PiecesOfPassage {
  readonly ordinal: number;
  readonly first: number;
  readonly last: number;
}

/**
 * For each piece the highest value of a part that holds any of it; -1 where no part does. `valueAt` is asked with the number of a part among those of
 * the passage, the title not counted among them, and with its number in the index.
 */
export function highestByPiece(
  parts: PartNumbers,
  document: IndexedDocument,
  { ordinal, first, last }: PiecesOfPassage,
  valueAt: (ofPassage: number, part: number) => number,
): number[] {
  const values = new Array<number>(last - first).fill(-1);
  const end = parts.endOf(ordinal);
  let ofPassage = 0;
  for (let part = parts.firstOf(ordinal); part < end; part++) {
    const from = partPieceOf(document, part - document.firstPart);
    if (from === NO_PIECE) continue;
    const next = part + 1 < end ? partPieceOf(document, part + 1 - document.firstPart) : last;
    const value = valueAt(ofPassage++, part);
    for (let piece = from; piece < Math.max(next, from + 1); piece++) {
      values[piece - first] = Math.max(values[piece - first] ?? -1, value);
    }
  }
  return values;
}
