import { type Lane, scheduler } from "./scheduler.ts";

/** How large data is produced in slices, so that searches and writes get the thread in between. */
export interface Slicing {
  /** About how many bytes a slice has; one or two milliseconds of work. */
  readonly bytes: number;
  /** Where it yields after each slice. */
  readonly lane: Lane;
}

export const SLICING: Slicing = { bytes: 256 * 1_024, lane: scheduler.background };

/**
 * Concatenates pieces to slices, and yields to others after each slice. Pieces are only produced as they are needed. An empty piece stands for work
 * that took as long as a slice.
 */
export async function* inSlices(
  pieces: Iterable<Uint8Array>,
  { bytes, lane }: Slicing,
): AsyncGenerator<Uint8Array, void> {
  let slice: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    slice.push(piece);
    length += piece.length;
    if (piece.length === 0) await lane();
    if (length < bytes) continue;
    yield Buffer.concat(slice);
    slice = [];
    length = 0;
    await lane();
  }
  if (length > 0) yield Buffer.concat(slice);
}
