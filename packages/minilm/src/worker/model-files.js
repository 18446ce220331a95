/** The model's files: what the manifest says of them, and their bytes once they have proved to be those. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * @typedef {object} ModelFile
 * @property {string} name
 * @property {number} bytes
 * @property {string} sha256 hex
 */

/**
 * @typedef {object} Manifest
 * @property {string} id
 * @property {string} version changes with any of the files
 * @property {number} dimensions of a vector
 * @property {number} hidden dimensions before the rotation
 * @property {number} tokensMax most pieces of a text, with the two that mark its ends
 * @property {{ model: ModelFile, tokenizer: ModelFile, rotation: ModelFile }} files
 */

/**
 * Reads the manifest of a model directory.
 * @param {string} directory
 * @returns {Promise<Manifest>}
 */
export async function readManifest(directory) {
  // The manifest is made and shipped together with this file, and a test holds the two against each other: its shape is not in doubt.
  return JSON.parse(await readFile(join(directory, "manifest.json"), "utf8"));
}

/**
 * The bytes of one file. Throws if they are not the ones that the manifest promises.
 * @param {string} directory
 * @param {ModelFile} file
 */
export async function readModelFile(directory, file) {
  const bytes = await readFile(join(directory, file.name));
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== file.sha256) {
    throw new Error(`the file ${file.name} of @loredex/minilm is damaged; install the package again`);
  }
  return bytes;
}
