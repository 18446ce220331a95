/** How the pieces are spelt. */
import { SPACE } from "./pieces.js";

/** @import { PieceTable } from "./piece-table.js" */

/** Stands for a sign that no piece has. */
const UNKNOWN_SIGN = "\ufffd";

/**
 * A function from the id of a piece to its letters. The tree is walked when it is first asked: processes that are given passages alone never are.
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
 * The tree from its leaves to its root, which is node 0: for each piece its node, for each node the one above it and the unit that leads from there.
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
