import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { globOf, targetOf, targetOfArgument } from "../../../src/sources/belonging/target.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a pattern", () => {
  const nothing = async (): Promise<boolean> => false;

  it.each([
    ["docs/*.md", "docs", "*.md"],
    ["*.md", ".", "*.md"],
    ["/srv/**/a.md", "/srv", "**/a.md"],
    ["/*.md", "/", "*.md"],
    ["a\\[1\\]/*.md", "a[1]", "*.md"],
    ["a[1]/*.md", ".", "a[1]/*.md"],
    [".github/.*/*.md", ".github", ".*/*.md"],
  ])("%s divided by slashes is %s and %s", async (given, folder, pattern) => {
    expect(await globOf(given, { separator: "/", isThere: nothing })).toEqual({ folder, pattern });
  });

  it.each([
    ["docs\\*.md", "docs", "*.md"],
    ["C:\\docs\\**\\*.md", "C:/docs", "**/*.md"],
    ["C:/docs/*.md", "C:/docs", "*.md"],
    ["D:\\*.pdf", "D:/", "*.pdf"],
    ["d:/**/*.pdf", "d:/", "**/*.pdf"],
    ["\\\\nas\\share\\*.md", "//nas/share", "*.md"],
    ["C:\\docs\\[ab]\\*.md", "C:/docs", "[ab]/*.md"],
  ])("%s divided by backslashes is %s and %s", async (given, folder, pattern) => {
    expect(await globOf(given, { separator: "\\", isThere: nothing })).toEqual({ folder, pattern });
  });

  it.each([
    ["\\", "C:\\docs (old)\\[1] new\\*.md", "C:/docs (old)/[1] new"],
    ["/", "/docs (old)/[1] new/*.md", "/docs (old)/[1] new"],
  ])("divided by %s begins behind folders that are there by names with brackets", async (separator, given, folder) => {
    const isThere = async (path: string): Promise<boolean> => folder.startsWith(path);
    expect(await globOf(given, { separator, isThere })).toEqual({ folder, pattern: "*.md" });
  });

  it.each(["docs/a.md", "!docs/*.md", "docs/*/../a.md", "docs/a (1).md"])("is not what %s is", async (given) => {
    const isThere = async (path: string): Promise<boolean> => path === "docs/a (1).md";
    expect(await globOf(given, { separator: "/", isThere })).toBeUndefined();
  });
});

it("an argument that was imported before is where it was, whatever its path looks like", async () => {
  const directory = await temporaryDirectory();
  const folder = join(directory, "docs (new) [1]");
  await mkdir(folder);
  const argument = { name: "docs", kind: "folder", path: folder, ids: "file:docs/" } as const;
  expect(await targetOfArgument(argument)).toMatchObject({ real: folder, kind: "folder", base: "docs (new) [1]" });
  const glob = { folder, pattern: "*.md" };
  const matched = await targetOfArgument({ ...argument, settings: { glob: "*.md" } });
  expect(matched).toEqual({ given: `${folder}/*.md`, real: folder, kind: "folder", base: "docs (new) [1]", glob });
  expect(await targetOf(`${folder}/*.md`)).toEqual(matched);
  // Gone, it is not taken for a pattern that matches nothing.
  await expect(targetOfArgument({ ...argument, path: join(directory, "old [1]") })).rejects.toThrow("ENOENT");
});
