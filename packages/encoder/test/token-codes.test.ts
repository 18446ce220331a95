import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EncoderModel } from "../src/encoder-model.ts";
import { requireSame } from "../src/model-check.ts";
import { openWithWorkers } from "../src/process-encoder.ts";
import { tokenCodesOf, weightsOf } from "../worker/token-codes.js";
import { EXAMPLE, FakeWorker, soon } from "./fake-worker.ts";
import { withModel } from "./test-model.ts";

describe("from the rows of the last layer to token codes", () => {
  it("sets the bit of each number that is not below the mean, the lowest first", () => {
    const mean = Float32Array.of(0, 0, 1, 1, -1, -1, 0.5, 0);
    const row = Float32Array.of(0, -0.1, 1.1, 0.9, -1, -1.1, 0.5, 3);
    expect([...tokenCodesOf(row, 0, 1, mean)]).toEqual([0b1101_0101]);
  });

  it("leaves out the rows before the first and after the last", () => {
    const mean = new Float32Array(16);
    const row = (value: number) => Array.from({ length: 16 }, () => value);
    const rows = Float32Array.from([row(1), row(-1), row(1), row(-1)].flat());
    expect([...tokenCodesOf(rows, 1, 3, mean)]).toEqual([0, 0, 255, 255]);
    expect(tokenCodesOf(rows, 1, 1, mean)).toHaveLength(0);
  });

  it("weighs pieces by the table, those that it lacks as the rarest, and what the vocabulary lacks not at all", () => {
    expect([...weightsOf([0, 2, 7, 5], Uint8Array.of(0, 1, 51), 5)]).toEqual([0, Math.fround(0.2), 1, 0]);
  });
});

describe("the token codes of an embedder", () => {
  const tokenCodes = Uint8Array.of(1, 2, 3);

  /** One with a fake worker, whose model has token codes. */
  async function opened(model: EncoderModel) {
    const worker = new FakeWorker(Promise.resolve({ ...EXAMPLE, tokenCodes: "s1" }));
    const embedder = await openWithWorkers(model, { workers: 1 }, () => worker);
    return { embedder, worker };
  }

  it("are asked for by its own methods alone, once a text", async () => {
    await withModel(
      async (model) => {
        const { embedder, worker } = await opened(model);
        const plain = [embedder.embedPassages(["a"]), embedder.embedQuery("bb")];
        const asked = embedder.tokens?.embedPassages(["ccc"]);
        for (const more of [{}, {}, { tokenCodes }]) {
          await soon();
          await worker.finish(more);
        }
        await Promise.all(plain);
        expect(await asked).toEqual({ vectors: [Float32Array.of(3)], tokens: [{ tokenCodes }] });
        const question = embedder.tokens?.embedQuery("dddd");
        await soon();
        const weights = Float32Array.of(0.5);
        await worker.finish({ tokenCodes, weights, pieces: ["d"] });
        expect(await question).toEqual({
          vector: Float32Array.of(4),
          tokens: { tokenCodes, weights, wordPieces: ["d"] },
        });
        expect(worker.given.map((text, at) => [text, worker.asked[at]]).sort()).toEqual([
          ["a", undefined],
          ["bb", undefined],
          ["ccc", "passage"],
          ["dddd", "question"],
        ]);
        expect(embedder.tokens?.space).toEqual({ version: "s1", bytes: 1 });
        await embedder.close();
      },
      { tokenCodes: "s1" },
    );
  });

  it("are not there where the model has none", async () => {
    await withModel(async (model) => {
      const embedder = await openWithWorkers(model, { workers: 1 }, () => new FakeWorker());
      expect(embedder.tokens).toBeUndefined();
      await embedder.close();
    });
  });

  it("are never made by a process whose model makes others", () => {
    const place = { packageName: "@loredex/example", directory: "" };
    const opened = { ...EXAMPLE, tokenCodes: "s1" };
    expect(() => requireSame(opened, { ...opened }, place)).not.toThrow();
    for (const tokenCodes of ["s2", undefined])
      expect(() => requireSame(opened, { ...opened, tokenCodes }, place)).toThrow(
        /was replaced while this program ran/,
      );
  });

  it("need files that look whole, and the model's others as well", async () => {
    await withModel(
      async (model) => {
        const path = join(model.directory, "manifest.json");
        const manifest: { tokenCodes: { files: { mean: object } } } = JSON.parse(await readFile(path, "utf8"));
        manifest.tokenCodes.files.mean = { name: "signs.bin", bytes: 4, sha256: "" };
        await writeFile(path, JSON.stringify(manifest));
        await expect(opened(model)).rejects.toThrow(/is not whole: signs.bin is missing/);
      },
      { tokenCodes: "s1" },
    );
  });
});
