/**
 * The program of a worker process of the multilingual model's. Plain JavaScript, so that it starts the same way from the sources and from the build.
 * Argument: the model's directory.
 */
import { serveEncoder } from "@loredex/encoder/worker";
import { readPieceTable } from "./worker/piece-table.js";
import { openPieces } from "./worker/pieces.js";
import { openRows } from "./worker/rows.js";

serveEncoder("@loredex/multilingual", async ({ manifest, read, Tensor }) => {
  const { hidden, tokensMax } = manifest;
  const piecesOf = openPieces(readPieceTable(await read("pieces")), tokensMax);
  const rowsOf = openRows(await read("rows"), hidden);
  return (text) => {
    const pieces = piecesOf(text);
    const tokens = pieces.length;
    return { tokens, feeds: { rows: new Tensor("float32", rowsOf(pieces), [1, tokens, hidden]) } };
  };
});
