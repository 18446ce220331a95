import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT, read } from "./source-files.ts";

const pages = ["docs", "examples", "packages", "test", "tools"]
  .flatMap((folder) => filesBelow(folder, /\.md$/))
  .concat(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
  .filter((file) => !file.includes("/fixtures/"));

/** The names by which a page's headings can be linked to, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let anchor = name;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${name}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^ {0,3}(`{3,})[^\n]*\n[\s\S]*?^ {0,3}\1`*\s*$/gm, "");
}

/** Links of a page to headings, of its own or of another page of the project. */
function deadAnchors(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
    .map(([, target = "", anchor = ""]) => ({
      target: target.replace("https://github.com/loredex/loredex/blob/main/", "/"),
      anchor,
    }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
    .map(({ target, anchor }) => ({ file: fileOf(page, target), anchor }))
    .filter(
      ({ file, anchor }) =>
        file.endsWith(".md") && !(existsSync(join(ROOT, file)) && anchorsOf(read(file)).has(anchor)),
    )
    .map(({ file, anchor }) => `${page}: ${file}#${anchor}`);
}

function fileOf(page: string, target: string): string {
  if (target === "") return page;
  return target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(page), target);
}

describe("links to headings", () => {
  it("lead to headings that are there", () => {
    expect(pages.flatMap(deadAnchors)).toEqual([]);
  });

  it("have the names that GitHub gives", () => {
    expect([...anchorsOf("# If it can't be `used`: why?\n```sh\n# no heading\n```\n## A\n## A\n")]).toEqual([
      "if-it-cant-be-used-why",
      "a",
      "a-1",
    ]);
  });
});
