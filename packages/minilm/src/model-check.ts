import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLED_HINT, EmbedderError } from "@loredex/core";
import { flawOf, isInstalled, reinstalling } from "./whole-files.ts";
import { type Manifest, type ModelFile, readManifest } from "./worker/model-files.js";

const PACKAGE = "@loredex/minilm";

export const MODEL_DIRECTORY = fileURLToPath(new URL("../model", import.meta.url));

/**
 * What the manifest says of a model, if all its files look whole: told without loading them.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with what mends it
 */
export async function requireModel(directory: string = MODEL_DIRECTORY): Promise<Manifest> {
  let manifest: Manifest;
  let files: readonly ModelFile[];
  try {
    manifest = await readManifest(directory);
    const { model, tokenizer, rotation } = manifest.files;
    files = [model, tokenizer, rotation].map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  } catch (cause) {
    throw notWhole("manifest.json is missing or can't be read", directory, cause);
  }
  for (const { name, bytes } of files) {
    const flaw = await flawOf(join(directory, name), bytes);
    if (flaw !== undefined) throw notWhole(flaw, directory);
  }
  return manifest;
}

function notWhole(flaw: string, directory: string, cause?: unknown): EmbedderError {
  const mend = modelMend(directory);
  return new EmbedderError("EMBEDDER_UNAVAILABLE", `the model in ${PACKAGE} is not whole: ${flaw}`, { cause, mend });
}

/** What mends a model whose files are not what they were. */
export function modelMend(directory: string = MODEL_DIRECTORY): string {
  const folder = dirname(directory);
  return isInstalled(folder, PACKAGE) ? reinstalling(folder) : `install ${PACKAGE} again. ${BUNDLED_HINT}`;
}
