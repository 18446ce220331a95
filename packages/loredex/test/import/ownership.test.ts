import { cp, rename, symlink } from "node:fs/promises";
import { relative } from "node:path";
import { LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import type { Operator } from "../../src/operator/operator.ts";
import { documentLine } from "../support/files.ts";
import { openForImport, why } from "../support/import-kit.ts";

describe("an id", () => {
  it("belongs to the folder that brought it: another one of the same name replaces and removes nothing", async () => {
    const kit = await openForImport();
    await kit.write({ "prodA/docs/a.md": "A's a", "prodA/docs/b.md": "A's b", "prodB/docs/a.md": "B's a" });
    await kit.write({ "prodB/docs/c.md": "B's c" });
    await kit.import(["prodA/docs"]);
    const report = await kit.import(["prodB/docs"], { sync: true });
    expect(report).toMatchObject({ added: 1, changed: 0, removed: 0, failed: 1, notSynced: [kit.at("prodB/docs")] });
    expect(why(report)).toMatch(/file:docs\/a\.md belongs to the source ".*prodA\/docs".*--source NAME/);
    expect(await kit.texts()).toEqual({
      "file:docs/a.md": "A's a",
      "file:docs/b.md": "A's b",
      "file:docs/c.md": "B's c",
    });
    await kit.remove("prodA/docs/b.md");
    expect(await kit.import(["prodA/docs"], { sync: true })).toMatchObject({ unchanged: 1, removed: 1, failed: 0 });
    expect(await kit.import(["prodB/docs"], { source: "b", sync: true })).toMatchObject({ added: 1, failed: 1 });
    expect(await kit.texts()).toMatchObject({ "file:docs/a.md": "A's a", "file:b/a.md": "B's a" });
  });

  it("goes to one of two imports at the same time", async () => {
    const kit = await openForImport();
    const ids = Array.from({ length: 40 }, (_, i) => `d${i}`);
    await kit.write({ "a.jsonl": ids.map((id) => documentLine(id, "A")).join("\n") });
    await kit.write({ "b.jsonl": ids.map((id) => documentLine(id, "B")).join("\n") });
    const reports = await Promise.all([kit.import(["a.jsonl"]), kit.import(["b.jsonl"])]);
    expect(reports.map(({ added }) => added).reduce((a, b) => a + b)).toBe(40);
    expect(reports.map(({ changed }) => changed)).toEqual([0, 0]);
    expect(reports.map(({ failed }) => failed).reduce((a, b) => a + b)).toBe(40);
  });

  it("that a program imported without a source is not taken", async () => {
    const kit = await openForImport();
    await kit.bot.importDocument(JSON.parse(documentLine("x", "program's")));
    await kit.write({ "x.jsonl": documentLine("x", "file's") });
    const report = await kit.import(["x.jsonl"], { sync: true });
    expect(why(report)).toContain("was imported without a source");
    expect(await kit.texts()).toEqual({ x: "program's" });
    await kit.write({ "y.jsonl": documentLine("y", "file's") });
    await kit.import(["y.jsonl"]);
    await expect(kit.bot.importDocument(JSON.parse(documentLine("y")))).rejects.toMatchObject({
      violations: [{ field: "resourceDocId", type: "otherSource" }],
    });
    await expect(kit.bot.importDocument(JSON.parse(documentLine("y")), { source: "z" })).rejects.toThrow("y.jsonl");
  });

  it("is brought by one file of an import", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "other/docs/a.md": "other", "other/docs/b.md": "B" });
    const report = await kit.import(["docs", "other/docs"], { sync: true });
    expect(report).toMatchObject({ added: 2, failed: 1, notSynced: [kit.at("other/docs")] });
    expect(why(report)).toContain("docs/a.md has the id file:docs/a.md in this import already");
    expect(await kit.texts()).toEqual({ "file:docs/a.md": "A", "file:docs/b.md": "B" });
    await kit.write({ "one.jsonl": documentLine("x", "one"), "two.jsonl": documentLine("x", "two") });
    expect(await kit.import(["one.jsonl", "two.jsonl"], { source: "lines" })).toMatchObject({ added: 1, failed: 1 });
  });
});

describe("a file", () => {
  it("of a folder keeps its id and its source when it is imported alone, and takes nothing else with it", async () => {
    const kit = await openForImport();
    await kit.write({
      "hugo/about/page.md": "old",
      "hugo/about/more.md": "more",
      "hugo/about/faq.jsonl": documentLine("q"),
    });
    await kit.import(["hugo/about"]);
    await kit.write({
      "hugo/about/page.md": "new",
      "hugo/about/faq.jsonl": `${documentLine("q")}\n${documentLine("r")}`,
    });
    expect(await kit.import(["hugo/about/page.md"], { sync: true })).toMatchObject({ changed: 1, removed: 0 });
    expect(await kit.import(["hugo/about/faq.jsonl"], { sync: true })).toMatchObject({ added: 1, unchanged: 1 });
    expect(Object.keys(await kit.texts())).toEqual(["file:about/more.md", "file:about/page.md", "q", "r"]);
    expect((await kit.texts())["file:about/page.md"]).toBe("new");
    expect(await kit.sources()).toEqual({ [kit.at("hugo/about")]: 4 });
    await kit.remove("hugo/about/page.md");
    expect(await kit.import(["hugo/about"], { sync: true })).toMatchObject({ removed: 1, unchanged: 3 });
  });

  it("that came first keeps its own source when its folder comes", async () => {
    const kit = await openForImport();
    await kit.write({ "about/page.md": "page", "about/more.md": "more" });
    await kit.import(["about/page.md"]);
    expect(await kit.import(["about"], { sync: true })).toMatchObject({ added: 1, unchanged: 1, removed: 0 });
    expect(await kit.sources()).toEqual({ [kit.at("about")]: 1, [kit.at("about/page.md")]: 1 });
    await kit.remove("about/page.md");
    expect(await kit.import(["about"], { sync: true })).toMatchObject({ unchanged: 1, removed: 0 });
  });

  it("is one file, however often and by whatever way it is named", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "elsewhere/x.md": "X" });
    await symlink(kit.at("docs"), kit.at("link"));
    await symlink(kit.at("elsewhere/x.md"), kit.at("docs/x.md"));
    await symlink(kit.at("docs/a.md"), kit.at("docs/same.md"));
    expect(await kit.import(["elsewhere/x.md"])).toMatchObject({ added: 1 });
    const ways = ["docs", "docs/", "docs/../docs", "link", "docs/a.md", "link/a.md"];
    expect(await kit.import(ways, { sync: true })).toMatchObject({ added: 1, unchanged: 0, failed: 0 });
    expect(await kit.import([relative(kit.at("."), kit.at("link"))], { sync: true })).toMatchObject({
      unchanged: 1,
      removed: 0,
    });
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md", "file:x.md"]);
  });

  it("of a source that is named by its place is not taken by one with a name", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A" });
    await kit.import(["docs"]);
    const report = await kit.import(["docs"], { source: "kb" });
    expect(report).toMatchObject({ added: 0, failed: 1 });
    expect(why(report)).toContain("import it without --source");
    expect(await kit.sources()).toEqual({ [kit.at("docs")]: 1 });
  });

  it("that lies where another checkout had one is none of its", async () => {
    const kit = await openForImport();
    await kit.write({ "checkout/index.md": "first" });
    await kit.import(["checkout"], { source: "one" });
    await kit.write({ "checkout/index.md": "second" });
    await kit.import(["checkout"], { source: "two", sync: true });
    expect(await kit.texts()).toEqual({ "file:one/index.md": "first", "file:two/index.md": "second" });
  });
});

describe("--source", () => {
  it("knows a folder again wherever a fresh checkout lies", async () => {
    const kit = await openForImport();
    await kit.write({ "one/a.md": "A", "one/b.md": "B", "one/sub/c.md": "C" });
    await kit.import(["one"], { source: "kb" });
    await cp(kit.at("one"), kit.at("two"), { recursive: true });
    await kit.remove("two/b.md");
    await kit.write({ "two/d.md": "D" });
    expect(await kit.import(["two"], { source: "kb", sync: true })).toMatchObject({
      added: 1,
      unchanged: 2,
      removed: 1,
    });
    await kit.remove("one");
    await rename(kit.at("two"), kit.at("three"));
    await kit.write({ "three/a.md": "changed" });
    expect(await kit.import(["three"], { source: "kb", sync: true })).toMatchObject({ changed: 1, unchanged: 2 });
    expect(Object.keys(await kit.texts())).toEqual(["file:kb/a.md", "file:kb/d.md", "file:kb/sub/c.md"]);
    const [source] = await kit.operator.listSources("bot");
    expect(source).toMatchObject({ name: "kb", documents: 3, arguments: [{ kind: "folder", path: kit.at("three") }] });
  });

  it("takes a folder with other files for another argument", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "docs/b.md": "B", "faq/x.md": "X", "faq.md": "F" });
    await kit.import(["docs"], { source: "kb" });
    expect(await kit.import(["faq", "faq.md"], { source: "kb", sync: true })).toMatchObject({ added: 2, removed: 0 });
    await kit.remove("docs/b.md");
    expect(await kit.import(["docs"], { source: "kb", sync: true })).toMatchObject({ unchanged: 1, removed: 1 });
    expect(Object.keys(await kit.texts())).toEqual(["file:kb/a.md", "file:kb/faq.md", "file:kb/x.md"]);
  });

  it("removes nothing where two arguments could be meant, and says so", async () => {
    const kit = await openForImport();
    await kit.write({ "1/a/docs/a.md": "A", "1/b/docs/b.md": "B", "1/b/docs/c.md": "C" });
    await kit.import(["1/a/docs", "1/b/docs"], { source: "kb" });
    await kit.write({ "2/a/docs/a.md": "A", "2/b/docs/b.md": "B" });
    const both = ["2/a/docs", "2/b/docs"];
    const report = await kit.import(both, { source: "kb", sync: true });
    expect(report).toMatchObject({ unchanged: 2, removed: 0, failed: 0, notSynced: both.map(kit.at) });
    expect(report.notes[0]).toContain("several arguments of this name");
    await kit.remove("1/b/docs/c.md");
    expect(await kit.import(["1/b/docs"], { source: "kb", sync: true })).toMatchObject({ unchanged: 1, removed: 1 });
  });

  it.each(["", "a/b", "..", "file:docs", "a\nb", "x".repeat(201)])("%j is no name", async (source) => {
    const kit = await openForImport();
    await kit.write({ "a.md": "A" });
    await expect(kit.import(["a.md"], { source })).rejects.toMatchObject({ code: "VALIDATION" });
    expect(await kit.texts()).toEqual({});
  });
});

describe("a folder that is not where it was", () => {
  it("is refused before anything is changed, until somebody says what it is", async () => {
    const kit = await openForImport();
    await kit.write({ "old/docs/a.md": "A", "old/docs/b.md": "B", "new/more.md": "more" });
    await kit.import(["old/docs"]);
    await rename(kit.at("old/docs"), kit.at("new/docs"));
    await kit.remove("new/docs/b.md");
    const refused = kit.import(["new/more.md", "new/docs"], { sync: true });
    await expect(refused).rejects.toThrow(/loredex source move bot ".*old\/docs" ".*new\/docs".*--source NAME/);
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md", "file:docs/b.md"]);
    const [source] = await kit.operator.listSources("bot");
    const place = { name: "docs", kind: "folder", ids: "file:docs/" } as const;
    await kit.operator.moveSource("bot", source?.name ?? "", kit.at("new/docs"), {
      ...place,
      path: kit.at("new/docs"),
    });
    expect(await kit.import(["new/docs"], { sync: true })).toMatchObject({ unchanged: 1, removed: 1, failed: 0 });
    expect(await kit.sources()).toEqual({ [kit.at("new/docs")]: 1 });
  });
});

describe("--sync", () => {
  it("that broke off between what it brings and what it removes is made good by the next one", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "docs/b.md": "B", "docs/c.md": "C" });
    await kit.import(["docs"]);
    for (const gone of ["docs/b.md", "docs/c.md"]) await kit.remove(gone);
    await kit.write({ "docs/d.md": "D" });
    const dying: Operator = {
      ...kit.operator,
      removeDocument: async () => {
        throw new LoredexError("STORAGE_FAILED", "The running server could not be reached.");
      },
    };
    await expect(kit.import(["docs"], { sync: true, operator: dying })).rejects.toThrow("could not be reached");
    expect(await kit.import(["docs"], { sync: true })).toMatchObject({ unchanged: 2, removed: 2 });
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md", "file:docs/d.md"]);
  });

  it("removes nothing that has come since it began", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A" });
    await kit.import(["docs"]);
    const late: Operator = {
      ...kit.operator,
      importDocument: async (...given) => {
        await kit.write({ "docs/late.md": "late" });
        await kit.import(["docs/late.md"], { operator: kit.operator });
        const origin = { source: kit.at("docs"), argument: "docs", path: "b.md" };
        await kit.operator.importDocument("bot", JSON.parse(documentLine("file:docs/b.md")), origin);
        return kit.operator.importDocument(...given);
      },
    };
    expect(await kit.import(["docs"], { sync: true, operator: late })).toMatchObject({ removed: 0 });
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md", "file:docs/b.md", "file:late.md"]);
  });
});

describe("what was imported before sources were kept", () => {
  it("is taken over by the first import of that name, which removes nothing and says so", async () => {
    const kit = await openForImport();
    for (const [id, text] of [
      ["a", "A"],
      ["b", "B"],
      ["gone", "gone"],
    ]) {
      await kit.bot.importDocument(JSON.parse(documentLine(`file:docs/${id}.md`, text)), { source: "file:docs" });
    }
    await kit.write({ "prodA/docs/a.md": "A, new", "prodB/docs/b.md": "B's", "prodB/docs/a.md": "B's" });
    const first = await kit.import(["prodA/docs"], { sync: true });
    expect(first).toMatchObject({ changed: 1, removed: 0, failed: 0, notSynced: [kit.at("prodA/docs")] });
    expect(first.notes).toEqual([
      expect.stringMatching(/had brought before sources were kept now belongs to.*2 that it does not hold stay/),
      expect.stringContaining("nothing was removed"),
    ]);
    const second = await kit.import(["prodB/docs"], { sync: true });
    expect(second).toMatchObject({ changed: 0, removed: 0, failed: 2 });
    await kit.write({ "prodA/docs/b.md": "A's b" });
    expect(await kit.import(["prodA/docs"], { sync: true })).toMatchObject({ changed: 1, unchanged: 1, removed: 0 });
    expect(await kit.sources()).toMatchObject({ "file:docs": 1, [kit.at("prodA/docs")]: 2 });
  });

  it("in lines of a file goes to the file of that place or name", async () => {
    const kit = await openForImport();
    await kit.bot.importDocument(JSON.parse(documentLine("x", "old")), { source: `file:${kit.at("faq.jsonl")}` });
    await kit.bot.importDocument(JSON.parse(documentLine("y", "old")), { source: "file:/gone/more.jsonl" });
    await kit.write({ "faq.jsonl": documentLine("x", "new"), "more.jsonl": documentLine("y", "new") });
    expect(await kit.import(["faq.jsonl", "more.jsonl"])).toMatchObject({ changed: 2, failed: 0 });
    expect(await kit.sources()).toEqual({ [kit.at("faq.jsonl")]: 1, [kit.at("more.jsonl")]: 1 });
  });
});
