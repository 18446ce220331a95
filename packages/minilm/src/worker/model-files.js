/** The model's files: what the manifest says of them, and their bytes once they have proved to be those. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of the model is not there as it was shipped. */
export class ModelFileError extends Error {}

/**
 * @param {string} directory
 * @param {string} name
 */
async function readShipped(directory, name) {
  try {
    return await readFile(join(directory, name));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelFileError(`the file ${name} of @loredex/minilm can't be read: ${reason}`, { cause: error });
  }
}

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
  return JSON.parse(String(await readShipped(directory, "manifest.json")));
}

/**
 * The bytes of one file. Throws if they are not the ones that the manifest promises.
 * @param {string} directory
 * @param {ModelFile} file
 */
export async function readModelFile(directory, file) {
  const bytes = await readShipped(directory, file.name);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== file.sha256) {
    throw new ModelFileError(`the file ${file.name} of @loredex/minilm is damaged`);
  }
  return bytes;
}
