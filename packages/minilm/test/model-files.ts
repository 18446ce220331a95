import { type Manifest, readManifest, readModelFile } from "@loredex/encoder/worker";
import { MINILM } from "../src/minilm.ts";

const { directory, packageName } = MINILM;

export const manifest = (): Promise<Manifest> => readManifest(directory, packageName);

/** The verified bytes of the file that is for this. */
export async function bytesOf(part: string): Promise<Uint8Array> {
  const file = (await manifest()).files[part];
  if (file === undefined) throw new Error(`The manifest names no ${part}.`);
  return await readModelFile(directory, file, packageName);
}
