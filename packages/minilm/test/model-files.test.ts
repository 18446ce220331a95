import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ModelFileError, readManifest, readModelFile } from "../src/worker/model-files.js";
import { MODEL_DIRECTORY } from "./model-directory.ts";
import { inTemporaryDirectory } from "./runtime.ts";

describe("the shipped model files", () => {
  it("are those that the manifest names, byte for byte", async () => {
    const { files } = await readManifest(MODEL_DIRECTORY);
    for (const file of [files.model, files.tokenizer, files.rotation]) {
      expect((await stat(join(MODEL_DIRECTORY, file.name))).size).toBe(file.bytes);
      expect((await readModelFile(MODEL_DIRECTORY, file)).length).toBe(file.bytes);
    }
  });

  it("are nothing but these, their card and their licence", async () => {
    const { files } = await readManifest(MODEL_DIRECTORY);
    const named = [files.model, files.tokenizer, files.rotation].map((file) => file.name);
    expect((await readdir(MODEL_DIRECTORY)).sort()).toEqual([...named, "LICENSE", "MODEL.md", "manifest.json"].sort());
  });

  it("come with a card that speaks of this very version", async () => {
    const manifest = await readManifest(MODEL_DIRECTORY);
    const card = await readFile(join(MODEL_DIRECTORY, "MODEL.md"), "utf8");
    expect(card).toContain(`\`${manifest.version}\``);
    for (const file of [manifest.files.model, manifest.files.tokenizer, manifest.files.rotation]) {
      expect(card).toContain(file.sha256);
    }
  });

  it("have a rotation of the promised shape, with axes at right angles and of length one", async () => {
    const { files, dimensions, hidden } = await readManifest(MODEL_DIRECTORY);
    const bytes = await readModelFile(MODEL_DIRECTORY, files.rotation);
    expect(bytes.length).toBe(dimensions * hidden * 4);
    const at = (axis: number, column: number) => bytes.readFloatLE((axis * hidden + column) * 4);
    for (const [left, right] of [
      [0, 0],
      [0, 1],
      [7, 7],
      [7, 200],
      [255, 255],
      [254, 255],
    ] as const) {
      let product = 0;
      for (let column = 0; column < hidden; column += 1) product += at(left, column) * at(right, column);
      expect(product).toBeCloseTo(left === right ? 1 : 0, 5);
    }
  });

  it("are refused when one bit is off", async () => {
    await inTemporaryDirectory(async (directory) => {
      const { files } = await readManifest(MODEL_DIRECTORY);
      const copy = join(directory, files.rotation.name);
      await copyFile(join(MODEL_DIRECTORY, files.rotation.name), copy);
      await expect(readModelFile(directory, files.rotation)).resolves.toBeDefined();
      const bytes = await readFile(copy);
      bytes.writeUInt8(bytes.readUInt8(1_000) ^ 1, 1_000);
      await writeFile(copy, bytes);
      await expect(readModelFile(directory, files.rotation)).rejects.toThrow(/rotation\.f32 .* is damaged/);
      await rm(join(directory, files.rotation.name));
      const missing = readModelFile(directory, files.rotation);
      await expect(missing).rejects.toThrow(/rotation\.f32 .* can't be read: ENOENT/);
      await expect(missing).rejects.toBeInstanceOf(ModelFileError);
    });
  });
});
