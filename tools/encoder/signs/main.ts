import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openEncoder } from "../../../packages/encoder/worker/encoder.js";
import { openModel } from "../../../packages/encoder/worker/model.js";
import { MINILM } from "../../../packages/minilm/src/minilm.ts";
import { openInput as openEnglishInput } from "../../../packages/minilm/src/worker/input.js";
import { MULTILINGUAL } from "../../../packages/multilingual/src/multilingual.ts";
import { openInput as openMultilingualInput } from "../../../packages/multilingual/src/worker/input.js";
import { RowMean } from "./mean.ts";
import { PieceCounts } from "./weights.ts";
import { type LanguageText, windowsOf } from "./windows.ts";
import { sha256, writeTokenCodes } from "./write.ts";

/**
 * Makes what the token codes need, by the shipped model: main.ts PACKAGE TEXTS, which `english/signs.py` or `multilingual/signs.py` has written. Writes
 * the mean and the weights into the package's model directory, what its manifest and its card say of them, and the table that its test compares with.
 */

/** Texts of the table: as many of those that the package's table of vectors has. */
const TABLE_TEXTS = 12;
const PACKAGES = {
  minilm: {
    model: MINILM,
    openInput: openEnglishInput,
    pieces: 30_522,
    windowsMax: Number.POSITIVE_INFINITY,
    windowsOfMean: 1_500,
    origin: "the product docs and the dictionary of the rotation, 14,000 paragraphs and 40,000 glosses and examples",
  },
  multilingual: {
    model: MULTILINGUAL,
    openInput: openMultilingualInput,
    pieces: 230_000,
    windowsMax: 600,
    windowsOfMean: 8,
    origin: "the programs' translations and help pages by which the pieces were chosen",
  },
};

const [name = "", path = ""] = process.argv.slice(2);
if (name !== "minilm" && name !== "multilingual") throw new Error("usage: main.ts minilm|multilingual TEXTS");
const { model, openInput, pieces, windowsMax, windowsOfMean, origin } = PACKAGES[name];
const { inputOf, rowsOf, manifest } = await openModel(model.directory, model.packageName, openInput);
const prepared = (text: string): string => model.prepared?.(text, "passage") ?? text;

const source = readFileSync(path, "utf8");
const texts = source
  .trimEnd()
  .split("\n")
  .map((line): LanguageText => JSON.parse(line));
const piecesOf = (text: string): readonly number[] => {
  const input = inputOf(prepared(text));
  return input.pieces.slice(input.from, input.to);
};
const counts = new PieceCounts(pieces);
const mean = new RowMean(manifest.hidden);
const ofLanguage = new Map<string, number>();
let windows = 0;
let encoded = 0;
for (const window of windowsOf(texts, windowsMax, piecesOf)) {
  counts.add(window.language, window.pieces);
  windows += 1;
  const before = ofLanguage.get(window.language) ?? 0;
  ofLanguage.set(window.language, before + 1);
  if (before >= windowsOfMean) continue;
  const { rows, input } = await rowsOf(prepared(window.text));
  mean.add(rows, input.from, input.to);
  encoded += 1;
}
const tokenCodes = writeTokenCodes(model.directory, mean.bytes(), counts.weights(), {
  texts: texts.length,
  textsSha256: sha256(source),
  languages: ofLanguage.size,
  windows,
  windowsOfMean: encoded,
  tokensOfMean: mean.rows,
  origin,
});

// The table of the test: what the shipped files give here.
const encoder = await openEncoder(model.directory, model.packageName, openInput);
const tests = fileURLToPath(new URL(`../../../packages/${name}/test/`, import.meta.url));
const lines: string[] = [];
for (const line of readFileSync(`${tests}vectors.jsonl`, "utf8").split("\n").slice(0, TABLE_TEXTS)) {
  const { text }: { text: string } = JSON.parse(line);
  const result = await encoder.encode(prepared(text), "question");
  const base64 = Buffer.from(result.tokenCodes ?? []).toString("base64");
  lines.push(JSON.stringify({ text, pieces: result.pieces, tokenCodes: base64 }));
}
writeFileSync(`${tests}signs.jsonl`, `${lines.join("\n")}\n`);
console.log(
  `${name}: token codes ${tokenCodes.version}, ${windows} windows, ${mean.rows} tokens of ${encoded} in the mean`,
);
