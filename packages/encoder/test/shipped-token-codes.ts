import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder, TokenEncoder } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EncoderModel } from "../src/encoder-model.ts";
import { readManifest } from "../worker/model-files.js";
import { encoder } from "./runtime.ts";

/** A text as `tools/encoder/signs` saw it as a passage, with the pieces of its own. */
interface StoredRow {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly tokenCodes: string;
}

/** Kernels of other processors round otherwise: a number close to the mean may fall on its other side. */
const SAME_BITS_SHARE_MIN = 0.97;

function differing(left: Uint8Array, right: Uint8Array): number {
  let bits = 0;
  for (const [at, byte] of left.entries())
    for (let rest = byte ^ (right[at] ?? 0); rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}

/** What must hold of the token codes of every model that a package ships. `pieces` is how many it has. */
export function shipsTokenCodes(
  { directory, packageName }: EncoderModel,
  { open, table, version, pieces }: { open: () => Promise<Embedder>; table: URL; version: string; pieces: number },
): void {
  const rows = readFileSync(table, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): StoredRow => JSON.parse(line));

  it("has a table of token codes that leaves the version of the vectors as it was", async () => {
    const manifest = await readManifest(directory, packageName);
    expect(manifest.version).toBe(version);
    expect(manifest.tokenCodes?.files.mean.bytes).toBe(manifest.hidden * 4);
    expect(manifest.tokenCodes?.files.weights.bytes).toBe(pieces);
    const weights = readFileSync(join(directory, manifest.tokenCodes?.files.weights.name ?? ""));
    expect(Math.max(...weights.subarray(0, 1_000))).toBe(255);
  });

  describe.skipIf(encoder.isMissing)(encoder.named("token codes of the real model"), () => {
    let embedder: Embedder;
    let tokens: TokenEncoder;
    beforeAll(async () => {
      embedder = await open();
      if (embedder.tokens === undefined) throw new Error("It has none.");
      tokens = embedder.tokens;
    });
    afterAll(() => embedder.close());

    it("are those that were written down, but for what lies at the mean", async () => {
      const { tokens: made } = await tokens.embedPassages(rows.map(({ text }) => text));
      let bits = 0;
      let different = 0;
      for (const [at, { tokenCodes, pieces }] of rows.entries()) {
        const wanted = Buffer.from(tokenCodes, "base64");
        const given = made[at]?.tokenCodes ?? new Uint8Array();
        expect(given.length).toBe(wanted.length);
        expect(given.length).toBe(pieces.length * tokens.space.bytes);
        bits += wanted.length * 8;
        different += differing(given, wanted);
      }
      expect(1 - different / bits).toBeGreaterThan(SAME_BITS_SHARE_MIN);
    });

    it("lie about the mean: half of all are set, and hardly a dimension has one sign for all tokens", async () => {
      const { tokens: made } = await tokens.embedPassages(rows.map(({ text }) => text));
      const { bytes } = tokens.space;
      const counts = new Uint32Array(bytes * 8);
      let all = 0;
      for (const { tokenCodes } of made) {
        all += tokenCodes.length / bytes;
        for (const [at, byte] of tokenCodes.entries())
          for (let bit = 0; bit < 8; bit += 1) {
            const dimension = (at % bytes) * 8 + bit;
            counts[dimension] = (counts[dimension] ?? 0) + ((byte >> bit) & 1);
          }
      }
      const shares = [...counts].map((count) => count / all);
      expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(0.5, 1);
      // Of so few tokens a dimension may have one sign by chance; without the mean many have.
      const constant = shares.filter((share) => share === 0 || share === 1);
      expect(constant.length / shares.length).toBeLessThan(0.02);
    });

    it("come with the vectors that come without them, to the last bit", async () => {
      const texts = [...rows.map(({ text }) => text), "", "word ".repeat(2_000)];
      const { vectors, tokens: made } = await tokens.embedPassages(texts);
      expect(vectors).toEqual(await embedder.embedPassages(texts));
      expect(made[rows.length]?.tokenCodes).toHaveLength(0);
      for (const text of texts) {
        const { vector, tokens: asked } = await tokens.embedQuery(text);
        expect(vector).toEqual(await embedder.embedQuery(text));
        expect(asked.tokenCodes).toHaveLength(asked.wordPieces.length * tokens.space.bytes);
        expect(asked.weights).toHaveLength(asked.wordPieces.length);
      }
    });

    it("of a question are told by pieces that have its letters, and the rare ones weigh more", async () => {
      const { tokens: asked } = await tokens.embedQuery("What is the Schwarzschild radius?");
      expect(asked.wordPieces.join("").toLowerCase()).toBe("whatistheschwarzschildradius?");
      const weightOf = (piece: string): number => asked.weights[asked.wordPieces.indexOf(piece)] ?? Number.NaN;
      expect(weightOf("the")).toBeLessThan(0.3);
      expect(Math.max(...asked.weights)).toBeGreaterThan(2 * weightOf("the"));
      for (const weight of asked.weights) expect(weight >= 0 && weight <= 1).toBe(true);
    });
  });
}
