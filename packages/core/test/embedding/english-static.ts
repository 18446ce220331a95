import { readFile } from "node:fs/promises";
import type { ReadModelFile } from "../../src/embedding/static-files.ts";

/** The static embedder's files as they are shipped. */
export const readShipped: ReadModelFile = (name) => {
  return readFile(new URL(`../../model/static/${name}`, import.meta.url));
};

export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}
