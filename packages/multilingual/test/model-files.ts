import { readFile } from "node:fs/promises";
import { type Manifest, readFloats, readManifest, readModelFile } from "@loredex/encoder/worker";
import { MULTILINGUAL } from "../src/multilingual.ts";

const { directory, packageName } = MULTILINGUAL;

export const manifest = (): Promise<Manifest> => readManifest(directory, packageName);

/** The verified bytes of the file that is for this. */
export async function bytesOf(part: string): Promise<Uint8Array> {
  const file = (await manifest()).files[part];
  if (file === undefined) throw new Error(`The manifest names no ${part}.`);
  return await readModelFile(directory, file, packageName);
}

/** A text as the Python side sees it, read as a passage: `tools/encoder` writes the table. */
interface TestVector {
  readonly text: string;
  readonly ids: readonly number[];
  /** By the source in double precision, with all its pieces. */
  readonly source: Float32Array;
  /** By the shipped graph, with the pieces that are left. */
  readonly shipped: Float32Array;
}

export async function readVectors(): Promise<TestVector[]> {
  const lines = (await readFile(new URL("./vectors.jsonl", import.meta.url), "utf8")).trimEnd().split("\n");
  return lines.map((line) => {
    const row: { text: string; ids: number[]; source: string; shipped: string } = JSON.parse(line);
    const floats = (coded: string): Float32Array => readFloats(Buffer.from(coded, "base64"));
    return { ...row, source: floats(row.source), shipped: floats(row.shipped) };
  });
}
