import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EncoderModel } from "../src/encoder-model.ts";
import { fileOf, ModelFileError, readManifest, readModelFile } from "../worker/model-files.js";
import { inTemporaryDirectory } from "./runtime.ts";

/** What must hold of the files of every model that a package ships. */
export function shipsWholeModel({ directory, packageName }: EncoderModel): void {
  const manifestOf = () => readManifest(directory, packageName);
  const filesOf = async () => {
    const { files, tokenCodes } = await manifestOf();
    return [...Object.values(files), ...Object.values(tokenCodes?.files ?? {})];
  };

  describe("the shipped model files", () => {
    it("are those that the manifest names, byte for byte", async () => {
      for (const file of await filesOf()) {
        expect((await stat(join(directory, file.name))).size).toBe(file.bytes);
        expect((await readModelFile(directory, file, packageName)).length).toBe(file.bytes);
      }
    });

    it("are nothing but these, their card and their licence", async () => {
      const named = (await filesOf()).map((file) => file.name);
      expect((await readdir(directory)).sort()).toEqual([...named, "LICENSE", "MODEL.md", "manifest.json"].sort());
    });

    it("come with a card that speaks of this very version", async () => {
      const card = await readFile(join(directory, "MODEL.md"), "utf8");
      expect(card).toContain(`\`${(await manifestOf()).version}\``);
      expect(card).toContain(`\`${(await manifestOf()).tokenCodes?.version}\``);
      for (const file of await filesOf()) expect(card).toContain(file.sha256);
    });

    it("turn vectors along axes at right angles and of length one, as many as the manifest says", async () => {
      const manifest = await manifestOf();
      const { dimensions, hidden } = manifest;
      const bytes = await readModelFile(directory, fileOf(manifest, "rotation"), packageName);
      expect(bytes.length).toBe(dimensions * hidden * 4);
      const at = (axis: number, column: number) => bytes.readFloatLE((axis * hidden + column) * 4);
      const last = dimensions - 1;
      for (const [left, right] of [
        [0, 0],
        [0, 1],
        [7, 7],
        [7, 200],
        [last, last],
        [last - 1, last],
      ] as const) {
        let product = 0;
        for (let column = 0; column < hidden; column += 1) product += at(left, column) * at(right, column);
        expect(product).toBeCloseTo(left === right ? 1 : 0, 5);
      }
    });

    it("are refused when one bit is off", async () => {
      const [file] = (await filesOf()).sort((one, other) => one.bytes - other.bytes);
      if (file === undefined) throw new Error("The manifest names no files.");
      await inTemporaryDirectory(async (copies) => {
        const copy = join(copies, file.name);
        await copyFile(join(directory, file.name), copy);
        await expect(readModelFile(copies, file, packageName)).resolves.toBeDefined();
        const bytes = await readFile(copy);
        bytes.writeUInt8(bytes.readUInt8(1_000) ^ 1, 1_000);
        await writeFile(copy, bytes);
        await expect(readModelFile(copies, file, packageName)).rejects.toThrow(
          `the file ${file.name} of ${packageName} is damaged`,
        );
        await rm(join(copies, file.name));
        const missing = readModelFile(copies, file, packageName);
        await expect(missing).rejects.toThrow(/ can't be read: ENOENT/);
        await expect(missing).rejects.toBeInstanceOf(ModelFileError);
      });
    });
  });
}
