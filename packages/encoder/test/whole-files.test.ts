import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireModel } from "../src/model-check.ts";
import { RUNTIME_FILES, requireRuntime } from "../src/runtime-check.ts";
import { flawOf, reinstalling } from "../src/whole-files.ts";
import { encoder, inTemporaryDirectory } from "./runtime.ts";
import { FILES, PACKAGE, withModel } from "./test-model.ts";

/** What befalls a file of an installation, and the part of the story that tells it. */
const SPOILT: readonly (readonly [what: string, spoil: (path: string) => Promise<void>, told: RegExp])[] = [
  ["gone", (path) => rm(path), /is missing/],
  ["cut off", (path) => truncate(path, 1_000), /has 1000 of \d+ bytes/],
  ["empty", (path) => truncate(path, 0), /has 0 of \d+ bytes/],
  ["filled with zeros", async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length)), /zeros/],
];

/** A file of the library as npm would put it there: as long as it should be. */
async function writeLibrary(folder: string): Promise<string> {
  const linux = join(folder, RUNTIME_FILES.place, "linux", "x64");
  await mkdir(linux, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ version: RUNTIME_FILES.version }));
  for (const [name, bytes] of Object.entries(RUNTIME_FILES.files["linux/x64"] ?? {})) {
    await writeFile(join(linux, name), "ELF");
    await truncate(join(linux, name), bytes);
  }
  return linux;
}

describe.each(SPOILT)("what looks for the encoder without loading it finds a file that is %s", (_what, spoil, told) => {
  it.each(Object.values(FILES))("of the model: %s", async (name) => {
    await withModel(async (model, folder) => {
      await requireModel(model);
      await spoil(join(model.directory, name));
      await expect(requireModel(model)).rejects.toMatchObject({
        code: "EMBEDDER_UNAVAILABLE",
        message: expect.stringMatching(new RegExp(`^the model in ${PACKAGE} is not whole: ${name}.*${told.source}`)),
        mend: reinstalling(folder),
      });
    });
  });

  it.each(Object.keys(RUNTIME_FILES.files["linux/x64"] ?? {}))("of the library: %s", async (name) => {
    await inTemporaryDirectory(async (folder) => {
      const linux = await writeLibrary(folder);
      const look = (arch: string): Promise<void> =>
        requireRuntime({ platform: "linux", arch, glibc: "2.36" }, () => join(folder, "dist", "index.js"));
      await look("x64");
      await spoil(join(linux, name));
      await expect(look("x64")).rejects.toMatchObject({
        code: "EMBEDDER_UNAVAILABLE",
        message: expect.stringMatching(new RegExp(`^onnxruntime-node, which runs it, is not whole: .*${told.source}`)),
        mend: reinstalling(folder),
      });
    });
  });
});

it("a manifest that is gone or no manifest is told with what brings it back", async () => {
  await withModel(async (model, folder) => {
    const mended = { code: "EMBEDDER_UNAVAILABLE", mend: reinstalling(folder) };
    const manifest = join(model.directory, "manifest.json");
    for (const text of ["", "{", "null", "{}", '{"files":{}}', '{"files":{"model":null}}']) {
      await writeFile(manifest, text);
      await expect(requireModel(model), text).rejects.toMatchObject(mended);
    }
    await rm(manifest);
    await expect(requireModel(model)).rejects.toMatchObject(mended);
  });
});

it("nobody is told to delete a model that npm has not put there", async () => {
  await inTemporaryDirectory(async (directory) => {
    await expect(requireModel({ packageName: PACKAGE, directory: join(directory, "model") })).rejects.toMatchObject({
      mend: expect.stringMatching(new RegExp(`^install ${PACKAGE} again\\. If this program was bundled`)),
    });
  });
});

it("a folder is removed as the shell of the machine does it", () => {
  expect(reinstalling("/a b", "linux")).toBe('rm -r "/a b" && npm install');
  expect(reinstalling("C:\\a b", "win32")).toBe('rmdir /s /q "C:\\a b" && npm install');
});

it("a library of another version is not measured", async () => {
  await inTemporaryDirectory(async (folder) => {
    const linux = await writeLibrary(folder);
    await writeFile(join(folder, "package.json"), JSON.stringify({ version: "1.99.0" }));
    await truncate(join(linux, "libonnxruntime.so.1.17.0"), 1);
    const machine = { platform: "linux", arch: "x64", glibc: "2.36" };
    await requireRuntime(machine, () => join(folder, "dist", "index.js"));
  });
});

it.skipIf(encoder.isMissing)(encoder.named("the lengths are those of the files that npm has put there"), async () => {
  const require = createRequire(import.meta.url);
  const folder = dirname(dirname(require.resolve("onnxruntime-node")));
  const { optionalDependencies } = require("../package.json");
  expect(optionalDependencies["onnxruntime-node"]).toBe(RUNTIME_FILES.version);
  for (const [machine, files] of Object.entries(RUNTIME_FILES.files)) {
    for (const [name, bytes] of Object.entries(files)) {
      expect(await flawOf(join(folder, RUNTIME_FILES.place, machine, name), bytes), machine).toBeUndefined();
    }
  }
});
