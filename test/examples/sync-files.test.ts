import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localFile, readFolder } from "../../examples/sync-folder/files.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loredex-sync-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the files of sync-folder", () => {
  test("are the markdown below the folder, by relative path, without hidden ones, links and node_modules", async () => {
    for (const directory of ["guide", ".git", "node_modules"]) await mkdir(join(folder, directory));
    for (const path of ["b.md", "guide/a.md", ".git/c.md", "node_modules/d.md", "e.txt", ".f.md"]) {
      await writeFile(join(folder, path), `# Title of ${path}\n`);
    }
    await symlink(join(folder, "b.md"), join(folder, "link.md"));
    const { files, problems } = await readFolder(folder);
    expect(files.map(({ path, title }) => [path, title])).toEqual([
      ["b.md", "Title of b.md"],
      ["guide/a.md", "Title of guide/a.md"],
    ]);
    expect(problems).toEqual([]);
  });

  test("that are not UTF-8 are named, and the others are read", async () => {
    await writeFile(join(folder, "bad.md"), Uint8Array.of(0x23, 0x20, 0xff));
    await writeFile(join(folder, "good.md"), "# Good\n");
    const { files, problems } = await readFolder(folder);
    expect(files.map(({ path }) => path)).toEqual(["good.md"]);
    expect(problems).toEqual([{ path: "bad.md", message: "it is not UTF-8 text" }]);
  });

  test("a missing folder is an error, never an empty one", async () => {
    await expect(readFolder(join(folder, "missing"))).rejects.toThrow("ENOENT");
  });
});

describe("the title of a file", () => {
  test.each([
    ["the front matter's", "---\nauthor: me\ntitle: How to pay\n---\n# Paying\n", "How to pay", "# Paying\n"],
    ["the front matter's, quoted, with CRLF", '---\r\ntitle: "To pay"\r\n---\r\ntext', "To pay", "text"],
    ["else the first heading", "intro\n\n# Paying #\n\n# Later\n", "Paying", "intro\n\n# Paying #\n\n# Later\n"],
    ["else the file's name", "no heading\n", "paying", "no heading\n"],
    ["never one that is too short", "# ab\n", "paying", "# ab\n"],
    ["not that of front matter with no end", "---\ntitle: x y z\n", "paying", "---\ntitle: x y z\n"],
    ["not that of a block further down", "----\n---\ntitle: x y z\n---\n", "paying", "----\n---\ntitle: x y z\n---\n"],
    ["not that of a rule further down", "a\n---\ntitle: x y z\n---\n", "paying", "a\n---\ntitle: x y z\n---\n"],
  ])("is %s", (_rule, text, title, body) => {
    expect(localFile("guide/paying.md", text)).toMatchObject({ title, body });
  });

  test("is the whole path where all else is too short", () => {
    expect(localFile("a.md", "").title).toBe("a.md");
  });

  test("has 3 to 1,000 characters whatever the file holds, and the body is the end of the file", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 3_000 }), fc.boolean(), (text, heading) => {
        const file = localFile("some-file.md", heading ? `# ${text.repeat(50)}` : text);
        expect([...file.title].length).toBeGreaterThanOrEqual(3);
        expect([...file.title].length).toBeLessThanOrEqual(1_000);
        expect(heading ? `# ${text.repeat(50)}`.endsWith(file.body) : text.endsWith(file.body)).toBe(true);
      }),
    );
  });
});
