import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { countFiles, countFilesOf } from "../../../src/sources/reading/count-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

it("counts what an import would read, and says nothing where that is not known", async () => {
  const directory = await temporaryDirectory();
  const paths = [
    "docs/a.md",
    "docs/deep/b.markdown",
    "docs/deep/c.jsonl",
    "docs/.hidden.md",
    "docs/picture.png",
    "one.md",
  ];
  for (const path of paths) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), "x");
  }
  await symlink(join(directory, "docs"), join(directory, "docs", "circle"));
  const docs = join(directory, "docs");
  // What leads out is passed over, and so is a folder that a link leads to.
  await symlink(join(directory, "one.md"), join(docs, "out.md"));
  await symlink(join(docs, "deep"), join(docs, "folder.md"));
  expect(await countFiles([docs])).toBe(3);
  expect(await countFiles([docs, join(directory, "one.md"), join(directory, "gone.md")])).toBe(4);
  const source = (name: string, path: string) => ({
    name,
    documents: 0,
    arguments: [{ name, kind: path === docs ? ("folder" as const) : ("file" as const), path, ids: name }],
  });
  const sources = [source("a", docs), source("b", join(directory, "one.md")), source("c", "-")];
  expect(await countFilesOf(sources)).toBe(4);
  expect(await countFiles([docs, "https://example.org/"])).toBeUndefined();
});
