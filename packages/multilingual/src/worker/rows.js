/** The vectors of the pieces: 4 bits a number, in blocks of 32 with one scale. */

const BLOCK = 32;
const HALF = BLOCK / 2;
const SCALE_BYTES = 2;
const BLOCK_BYTES = SCALE_BYTES + HALF;
/** Offset of a stored 4-bit digit: it is this much above its value. */
const ZERO = 8;

/**
 * Returns a function that decodes the rows of some pieces, one after the other.
 * @param {Uint8Array} bytes one row a piece
 * @param {number} hidden numbers in a row; a multiple of 32
 * @returns {(pieces: readonly number[]) => Float32Array}
 */
export function openRows(bytes, hidden) {
  const blocks = hidden / BLOCK;
  return (pieces) => {
    const rows = new Float32Array(pieces.length * hidden);
    let to = 0;
    for (const piece of pieces) {
      let from = piece * blocks * BLOCK_BYTES;
      for (let block = 0; block < blocks; block += 1) {
        const scale = halfPrecision((bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8));
        for (let at = 0; at < HALF; at += 1) {
          const pair = bytes[from + SCALE_BYTES + at] ?? 0;
          rows[to + at] = ((pair & 15) - ZERO) * scale;
          rows[to + HALF + at] = ((pair >> 4) - ZERO) * scale;
        }
        from += BLOCK_BYTES;
        to += BLOCK;
      }
    }
    return rows;
  };
}

/**
 * Decodes a 16-bit number of IEEE 754. Scales are finite.
 * @param {number} bits
 */
function halfPrecision(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
