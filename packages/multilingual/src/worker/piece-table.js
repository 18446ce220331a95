/** The pieces as `tools/encoder` writes them: a tree over UTF-16 units, ready to use, with the score of each piece. */

/**
 * @typedef {object} PieceTable
 * @property {Float32Array} scores logarithm of the likelihood of each piece, by its id
 * @property {Int32Array} pieceAt the id of the piece that ends at a node; -1 if none does
 * @property {(node: number, unit: number) => number} childOf the node that a unit leads to; -1 if there is none
 * @property {(node: number) => Iterable<readonly [child: number, unit: number]>} childrenOf all children, each with the unit that leads to it
 */

/** Header size in bytes: two numbers of 32 bits, the number of pieces and the number of nodes. */
const HEADER_BYTES = 8;
const UNITS = 65_536;

/**
 * Reads `pieces.bin`, little-endian. It holds the header and the scores (float32). Then come the first child of each node and the end of the last node's
 * children (uint32). They are followed by the piece of each node (int32), and the unit that leads to each node (uint16). Nodes are in order of their depth, and
 * the children of a node in order of their units.
 * @param {Uint8Array} bytes
 * @returns {PieceTable}
 */
export function readPieceTable(bytes) {
  // Copied, because a typed array must begin at a multiple of its element size.
  const { buffer } = Uint8Array.from(bytes);
  const [pieces = 0, nodes = 0] = new Uint32Array(buffer, 0, 2);
  let at = HEADER_BYTES;
  /** @param {number} length */
  const next = (length) => {
    const start = at;
    at += length;
    return start;
  };
  const scores = new Float32Array(buffer, next(pieces * 4), pieces);
  const firstChild = new Uint32Array(buffer, next((nodes + 1) * 4), nodes + 1);
  const pieceAt = new Int32Array(buffer, next(nodes * 4), nodes);
  const units = new Uint16Array(buffer, next(nodes * 2), nodes);
  /** @param {number} node */
  function* childrenOf(node) {
    for (let child = firstChild[node] ?? 0; child < (firstChild[node + 1] ?? 0); child += 1) {
      yield/** @type {const} */ ([child, units[child] ?? 0]);
    }
  }
  return { scores, pieceAt, childOf: childFinder(firstChild, units), childrenOf };
}

/**
 * @param {Uint32Array} firstChild
 * @param {Uint16Array} units
 * @returns {(node: number, unit: number) => number}
 */
function childFinder(firstChild, units) {
  // Half of all steps start at the root, which has the most children.
  const ofRoot = new Int32Array(UNITS).fill(-1);
  for (let node = firstChild[0] ?? 0; node < (firstChild[1] ?? 0); node += 1) ofRoot[units[node] ?? 0] = node;
  return (node, unit) => {
    if (node === 0) return ofRoot[unit] ?? -1;
    let low = firstChild[node] ?? 0;
    let high = firstChild[node + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = units[middle] ?? 0;
      if (found === unit) return middle;
      if (found < unit) low = middle + 1;
      else high = middle;
    }
    return -1;
  };
}
