/**
 * How a passage holds a term, in one 32-bit word: its frequency in the lower 8 bits, and in the upper 24 which of the passage's
 * pieces hold it, one bit a piece.
 */

export const FREQUENCY_MAX = 255;

/** Pieces of a passage that have a bit of their own. */
export const PIECES_MARKED_MAX = 24;

export function occurrences(frequency: number, pieces: number): number {
  return ((pieces << 8) | Math.min(frequency, FREQUENCY_MAX)) >>> 0;
}

export function frequencyOf(word: number): number {
  return word & FREQUENCY_MAX;
}

/** A bit for each piece, the first in the lowest. */
export function piecesOf(word: number): number {
  return word >>> 8;
}

/** The bit of a piece; none for one beyond {@link PIECES_MARKED_MAX}. */
export function pieceBit(piece: number): number {
  return piece < PIECES_MARKED_MAX ? 1 << piece : 0;
}
