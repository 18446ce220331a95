/** Converts a text to the inputs of the graph. */
import { readPieceTable } from "./piece-table.js";
import { openPieces, UNKNOWN } from "./pieces.js";
import { openRows } from "./rows.js";
import { openSpelling } from "./spelling.js";

/** @import { OpenInput } from "@loredex/encoder/worker" */

/** Prefixes that name the kind of the text that follows: they are no part of it. */
const KINDS = ["query:", "passage:"];
/** Number of pieces that mark the ends of a text. */
const ENDS = 2;

/** @type {OpenInput} */
export async function openInput({ manifest, read, Tensor }) {
  const { hidden, tokensMax } = manifest;
  const table = readPieceTable(await read("pieces"));
  const piecesOf = openPieces(table, tokensMax);
  const rowsOf = openRows(await read("rows"), hidden);
  const kinds = KINDS.map((word) => ({ before: `${word} `, pieces: piecesOf(word).length - ENDS }));
  return {
    inputOf: (text) => {
      const pieces = piecesOf(text);
      const tokens = pieces.length;
      const from = 1 + (kinds.find(({ before }) => text.startsWith(before))?.pieces ?? 0);
      const feeds = { rows: new Tensor("float32", rowsOf(pieces), [1, tokens, hidden]) };
      return { tokens, pieces, from, to: tokens - 1, feeds };
    },
    spelling: openSpelling(table),
    unknown: UNKNOWN,
  };
}
