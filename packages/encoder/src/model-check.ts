import { dirname, join } from "node:path";
import { BUNDLED_HINT, EmbedderError } from "@loredex/core";
import type { Manifest, ModelFile } from "../worker/index.js";
import { readManifest } from "../worker/model-files.js";
import type { EncoderModel } from "./encoder-model.ts";
import type { LoadedModel } from "./messages.ts";
import { flawOf, isInstalled, reinstalling } from "./whole-files.ts";

/** The package and the folder of a model's files. */
export type ModelPlace = Pick<EncoderModel, "packageName" | "directory">;

/**
 * Returns the manifest of a model if all of its files seem complete, without loading them.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with the remedy
 */
export async function requireModel(place: ModelPlace): Promise<Manifest> {
  let manifest: Manifest;
  let files: readonly ModelFile[];
  try {
    manifest = await readManifest(place.directory, place.packageName);
    files = [...Object.values(manifest.files), ...Object.values(manifest.tokenCodes?.files ?? {})].map(
      ({ name, bytes, sha256 }) => ({ name, bytes, sha256 }),
    );
    if (files.length === 0) throw new Error("It names no files.");
  } catch (cause) {
    throw notWhole("manifest.json is missing or can't be read", place, cause);
  }
  for (const { name, bytes } of files) {
    const flaw = await flawOf(join(place.directory, name), bytes);
    if (flaw !== undefined) throw notWhole(flaw, place);
  }
  return manifest;
}

/**
 * Requires that a process has loaded the opened model. If a package is replaced under a running program, a later process reads other files, and its vectors
 * would be mistaken for those of the earlier model.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with the remedy
 */
export function requireSame(opened: LoadedModel, loaded: LoadedModel, { packageName }: ModelPlace): void {
  if (loaded.id === opened.id && loaded.version === opened.version && loaded.tokenCodes === opened.tokenCodes) return;
  const [was, is] = [opened, loaded].map(({ id, version, tokenCodes }) =>
    [id, version, tokenCodes].join(" ").trimEnd(),
  );
  const why = `the model in ${packageName} was replaced while this program ran: it was ${was}, and is ${is}`;
  throw new EmbedderError("EMBEDDER_UNAVAILABLE", why, { mend: "start this program again", lasts: true });
}

function notWhole(flaw: string, place: ModelPlace, cause?: unknown): EmbedderError {
  const why = `the model in ${place.packageName} is not whole: ${flaw}`;
  return new EmbedderError("EMBEDDER_UNAVAILABLE", why, { cause, mend: modelMend(place) });
}

/** The remedy for a model whose files have changed. */
export function modelMend({ packageName, directory }: ModelPlace): string {
  const folder = dirname(directory);
  return isInstalled(folder, packageName) ? reinstalling(folder) : `install ${packageName} again. ${BUNDLED_HINT}`;
}
