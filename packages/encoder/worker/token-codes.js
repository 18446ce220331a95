/** From the rows of the last layer to the token codes. */

const BITS = 8;
/** What a piece weighs that no counted text has. */
const WEIGHT_MAX = 255;

/**
 * The token codes of some rows less the mean: for each row as many bits as it has numbers, the lowest bit of a byte first, 1 where a number is not below the mean's.
 * @param {Float32Array} rows one a token, each as long as the mean
 * @param {number} from the first row
 * @param {number} to the row after the last
 * @param {Float32Array} mean a multiple of eight numbers
 */
export function tokenCodesOf(rows, from, to, mean) {
  const hidden = mean.length;
  const tokenCodes = new Uint8Array(((to - from) * hidden) / BITS);
  let at = from * hidden;
  let next = 0;
  for (let row = from; row < to; row += 1) {
    for (let first = 0; first < hidden; first += BITS) {
      let byte = 0;
      for (let bit = 0; bit < BITS; bit += 1) {
        if ((rows[at++] ?? 0) >= (mean[first + bit] ?? 0)) byte |= 1 << bit;
      }
      tokenCodes[next++] = byte;
    }
  }
  return tokenCodes;
}

/**
 * What pieces weigh, 0 to 1: the more, the rarer they are. What the vocabulary lacks weighs nothing: all of it is one piece, which would equal any other such.
 * @param {readonly number[]} pieces their ids
 * @param {Uint8Array} table a byte a piece
 * @param {number} unknown the piece that stands for what the vocabulary lacks
 */
export function weightsOf(pieces, table, unknown) {
  return Float32Array.from(pieces, (piece) => (piece === unknown ? 0 : (table[piece] ?? WEIGHT_MAX) / WEIGHT_MAX));
}
