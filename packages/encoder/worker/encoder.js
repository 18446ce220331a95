/** A text in, its vector out, and the token codes where they are wanted. */
import { openModel } from "./model.js";
import { readModelFile } from "./model-files.js";
import { tokenCodesOf, weightsOf } from "./token-codes.js";
import { openTurn } from "./turn.js";
import { meanOfRows, readFloats, unitOf, without } from "./vectors.js";

/** @import { EncodedText } from "../src/task.ts" */
/** @import { OpenInput } from "./index.js" */

/**
 * @typedef {object} Encoder
 * @property {string} id
 * @property {string} version
 * @property {string | undefined} tokenCodes the version of the token codes; undefined for a model without them
 * @property {(text: string, tokens?: "question" | "passage") => Promise<EncodedText>} encode with the token codes for one of the two kinds, without them for none
 */

/**
 * Loads and verifies everything. Throws an error whose message says what is missing.
 * @param {string} directory the model's
 * @param {string} packageName whose it is
 * @param {OpenInput} openInput
 * @returns {Promise<Encoder>}
 */
export async function openEncoder(directory, packageName, openInput) {
  const { manifest, read, rowsOf, spelling, unknown } = await openModel(directory, packageName, openInput);
  const { hidden, tokenCodes } = manifest;
  /** @param {string} part */
  const floatsIfAny = async (part) => (manifest.files[part] === undefined ? undefined : readFloats(await read(part)));
  const common = await floatsIfAny("common");
  const axes = await floatsIfAny("rotation");
  const turn = axes === undefined ? undefined : openTurn(axes, hidden);
  const table = tokenCodes === undefined ? undefined : await readTable(tokenCodes.files);

  /** @param {NonNullable<typeof tokenCodes>["files"]} files */
  async function readTable({ mean, weights }) {
    return {
      mean: readFloats(await readModelFile(directory, mean, packageName)),
      weights: await readModelFile(directory, weights, packageName),
    };
  }

  return {
    id: manifest.id,
    version: manifest.version,
    tokenCodes: tokenCodes?.version,
    async encode(text, tokens) {
      const { rows, input } = await rowsOf(text);
      // One text a call has no padding: every token counts in the mean.
      const mean = meanOfRows(rows, input.tokens, hidden);
      const own = common === undefined ? mean : without(mean, common);
      const vector = unitOf(turn === undefined ? own : turn(own));
      if (tokens === undefined || table === undefined) return { vector };
      const tokenCodes = tokenCodesOf(rows, input.from, input.to, table.mean);
      if (tokens === "passage") return { vector, tokenCodes };
      const pieces = input.pieces.slice(input.from, input.to);
      const spelt = pieces.map(spelling);
      const says = pieces.some((piece, i) => piece !== unknown && spelt[i] !== "");
      const isUnknown = !says && pieces.includes(unknown);
      return { vector, tokenCodes, weights: weightsOf(pieces, table.weights, unknown), pieces: spelt, isUnknown };
    },
  };
}
