/** The model's files: what the manifest says of them, and their bytes once they have proved to be those. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of the model is not there as it was shipped. */
export class ModelFileError extends Error {}

/**
 * @param {string} directory
 * @param {string} name
 * @param {string} packageName
 */
async function readShipped(directory, name, packageName) {
  try {
    return await readFile(join(directory, name));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelFileError(`the file ${name} of ${packageName} can't be read: ${reason}`, { cause: error });
  }
}

/** @import { Manifest, ModelFile } from "./index.js" */

/**
 * Reads the manifest of a model directory.
 * @param {string} directory
 * @param {string} packageName whose it is, for what is said of damage
 * @returns {Promise<Manifest>}
 */
export async function readManifest(directory, packageName) {
  // The manifest is made and shipped together with this file, and a test holds the two against each other: its shape is not in doubt.
  return JSON.parse(String(await readShipped(directory, "manifest.json", packageName)));
}

/**
 * What the manifest says of one file.
 * @param {Manifest} manifest
 * @param {string} part
 */
export function fileOf(manifest, part) {
  const file = manifest.files[part];
  if (file === undefined) throw new ModelFileError(`the manifest names no file for ${part}`);
  return file;
}

/**
 * The bytes of one file. Throws if they are not the ones that the manifest promises.
 * @param {string} directory
 * @param {ModelFile} file
 * @param {string} packageName
 */
export async function readModelFile(directory, file, packageName) {
  const bytes = await readShipped(directory, file.name, packageName);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== file.sha256) {
    throw new ModelFileError(`the file ${file.name} of ${packageName} is damaged`);
  }
  return bytes;
}
