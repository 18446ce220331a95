import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EncoderModel } from "../src/encoder-model.ts";
import { inTemporaryDirectory } from "./runtime.ts";

/** What a model's files are for, and their names. */
export const FILES = { model: "model.onnx", pieces: "pieces.bin", rows: "rows.bin" } as const;
export const PACKAGE = "@loredex/example";

const BYTES = 2_000;

/** What a model has beside its files. */
interface TestModel {
  /** The version of its token codes, whose files are the first two. */
  readonly tokenCodes?: string;
}

/** A model of no use in a new directory, whose files look whole, in a package that npm has put there. */
export async function writeModel(
  directory: string,
  program = new URL("./crashing-program.js", import.meta.url),
  more: TestModel = {},
) {
  const folder = join(directory, "node_modules", ...PACKAGE.split("/"));
  const model: EncoderModel = {
    packageName: PACKAGE,
    directory: join(folder, "model"),
    program,
    weight: 0.5,
    calibrate: (cosine) => Math.min(1, Math.max(0, cosine)),
    tokenCalibration: { low: 0.2, high: 0.7, weight: 0.5 },
  };
  await mkdir(model.directory, { recursive: true });
  const files: Record<string, object> = {};
  for (const [part, name] of Object.entries(FILES)) {
    const content = Buffer.alloc(BYTES, part);
    await writeFile(join(model.directory, name), content);
    files[part] = { name, bytes: BYTES, sha256: createHash("sha256").update(content).digest("hex") };
  }
  const tokenCodes = more.tokenCodes && {
    version: more.tokenCodes,
    files: { mean: files.pieces, weights: files.rows },
  };
  const manifest = { id: "example", version: "1", dimensions: 4, hidden: 8, tokensMax: 8, files, tokenCodes };
  await writeFile(join(model.directory, "manifest.json"), JSON.stringify(manifest));
  return { folder, model };
}

/** Calls `use` with such a model. */
export async function withModel(
  use: (model: EncoderModel, folder: string) => Promise<void>,
  more: TestModel = {},
): Promise<void> {
  await inTemporaryDirectory(async (directory) => {
    const { folder, model } = await writeModel(directory, undefined, more);
    await use(model, folder);
  });
}
