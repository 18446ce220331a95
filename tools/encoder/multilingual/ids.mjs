/** The ids that the package's own tokenizer gives: ids.mjs MODEL_DIRECTORY TEXTS, one JSON string a line; one list of ids a line comes out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPieceTable } from "../../../packages/multilingual/src/worker/piece-table.js";
import { openPieces } from "../../../packages/multilingual/src/worker/pieces.js";

const TOKENS_MAX = 512;
const [directory = "", texts = ""] = process.argv.slice(2);
const piecesOf = openPieces(readPieceTable(readFileSync(join(directory, "pieces.bin"))), TOKENS_MAX);
for (const line of readFileSync(texts, "utf8").trimEnd().split("\n")) {
  console.log(JSON.stringify(piecesOf(JSON.parse(line).normalize("NFKC"))));
}
