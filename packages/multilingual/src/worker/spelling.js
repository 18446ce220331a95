/** The spelling of pieces. */
import { SPACE } from "./pieces.js";

/** @import { PieceTable } from "./piece-table.js" */

/** Stands for a character that no piece has. */
const UNKNOWN_SIGN = "\ufffd";

/**
 * Returns a function from the id of a piece to its letters. The tree is walked at the first call: processes that only get passages never walk it.
 * @param {PieceTable} table
 * @returns {(piece: number) => string}
 */
export function openSpelling(table) {
  /** @type {ReturnType<typeof upwards> | undefined} */
  let up;
  return (piece) => {
    up ??= upwards(table);
    let node = up.nodeOf[piece] ?? 0;
    if (node === 0) return UNKNOWN_SIGN;
    let letters = "";
    for (; node !== 0; node = up.parentOf[node] ?? 0) letters = String.fromCharCode(up.unitOf[node] ?? 0) + letters;
    return letters.startsWith(SPACE) ? letters.slice(SPACE.length) : letters;
  };
}

/**
 * Inverts the tree, whose root is node 0. The result has the node of each piece, and each node's parent with the unit that leads from there.
 * @param {PieceTable} table
 */
function upwards({ scores, pieceAt, childrenOf }) {
  const nodeOf = new Int32Array(scores.length);
  const parentOf = new Int32Array(pieceAt.length);
  const unitOf = new Uint16Array(pieceAt.length);
  for (const [node, piece] of pieceAt.entries()) {
    if (piece >= 0) nodeOf[piece] = node;
    for (const [child, unit] of childrenOf(node)) {
      parentOf[child] = node;
      unitOf[child] = unit;
    }
  }
  return { nodeOf, parentOf, unitOf };
}
