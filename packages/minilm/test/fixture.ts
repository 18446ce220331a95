import { readFile } from "node:fs/promises";
import { readFloats } from "@loredex/encoder/worker";

/** One sentence as the Python side sees it: `tools/encoder` writes the table. */
export interface FixtureRow {
  readonly text: string;
  readonly ids: readonly number[];
  /** By the original weights in double precision, rotated. */
  readonly source: Float32Array;
  /** By the shipped graph, rotated. */
  readonly shipped: Float32Array;
}

interface StoredRow {
  readonly text: string;
  readonly ids: readonly number[];
  readonly source: string;
  readonly shipped: string;
}

export async function readFixture(): Promise<FixtureRow[]> {
  const lines = (await readFile(new URL("./vectors.jsonl", import.meta.url), "utf8")).trimEnd().split("\n");
  return lines.map((line) => {
    const row: StoredRow = JSON.parse(line);
    return {
      ...row,
      source: readFloats(Buffer.from(row.source, "base64")),
      shipped: readFloats(Buffer.from(row.shipped, "base64")),
    };
  });
}
