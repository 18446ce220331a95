import { cp, rename, symlink } from "node:fs/promises";
import { LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import type { Operator } from "../../src/operator/operator.ts";
import { documentLine } from "../support/files.ts";
import { openForImport, why } from "../support/import-kit.ts";

describe("another folder of the same last name", () => {
  it("removes nothing of the one that a source has, and says why", async () => {
    const kit = await openForImport();
    await kit.write({ "A/docs/a.md": "A", "A/docs/b.md": "A", "A/docs/c.md": "A", "B/docs/z.md": "B" });
    await kit.import(["A/docs"], { source: "kb" });
    const report = await kit.import(["B/docs"], { source: "kb", sync: true });
    expect(report).toMatchObject({ added: 1, removed: 0, notSynced: [kit.at("B/docs")] });
    expect(report.notes).toEqual([expect.stringMatching(/looks like another folder than .*A\/docs/)]);
    await kit.remove("A/docs/b.md");
    expect(await kit.import(["A/docs"], { source: "kb", sync: true })).toMatchObject({ unchanged: 2, removed: 1 });
    await kit.remove("B/docs/z.md");
    expect(await kit.import(["B/docs"], { source: "kb", sync: true })).toMatchObject({ removed: 1, notSynced: [] });
    expect(await kit.texts()).toEqual({ "file:kb/a.md": "A", "file:kb/c.md": "A" });
  });

  it.each([
    ["of other pages", { "A/docs/x.md": "A", "A/docs/y.md": "A", "B/docs/x.md": "B" }],
    ["of the same pages", { "A/docs/x.md": "A", "B/docs/x.md": "B" }],
  ])("replaces nothing %s while its files stand", async (_, files) => {
    const kit = await openForImport();
    await kit.write(files);
    await kit.import(["A/docs"], { source: "kb" });
    const report = await kit.import(["B/docs"], { source: "kb" });
    expect(report).toMatchObject({ added: 0, changed: 0, failed: 1 });
    expect(why(report)).toMatch(/file:kb\/x\.md .*A\/docs\/x\.md, which still holds it.*--source NAME/);
    expect(await kit.texts()).toMatchObject({ "file:kb/x.md": "A" });
    // In either order of one import.
    expect(await kit.import(["B/docs", "A/docs"], { source: "kb" })).toMatchObject({ changed: 0, failed: 1 });
    await kit.remove("A/docs");
    expect(await kit.import(["B/docs"], { source: "kb" })).toMatchObject({ changed: 1, failed: 0 });
  });

  it("is taken for it when it is a copy, although the first one stands", async () => {
    const kit = await openForImport();
    await kit.write({ "1/docs/a.md": "A", "1/docs/b.md": "B", "1/docs/c.md": "C", "1/docs/d.md": "D" });
    await kit.import(["1/docs"], { source: "kb" });
    await cp(kit.at("1"), kit.at("2"), { recursive: true });
    await kit.write({ "2/docs/a.md": "changed" });
    await kit.remove("2/docs/b.md");
    expect(await kit.import(["2/docs"], { source: "kb", sync: true })).toMatchObject({ changed: 1, removed: 1 });
  });

  it("goes for a single file, and for lines, alike", async () => {
    const kit = await openForImport();
    await kit.write({ "q1/readme.md": "1", "q2/readme.md": "2" });
    await kit.write({ "q1/faq.jsonl": documentLine("x", "1"), "q2/faq.jsonl": documentLine("x", "2") });
    await kit.import(["q1/readme.md", "q1/faq.jsonl"], { source: "kb" });
    const report = await kit.import(["q2/readme.md", "q2/faq.jsonl"], { source: "kb" });
    expect(report).toMatchObject({ added: 0, changed: 0, failed: 2 });
    expect(why(report)).toContain("give it another id");
    await kit.remove("q1");
    const fresh = await kit.import(["q2/readme.md", "q2/faq.jsonl"], { source: "kb" });
    expect(fresh).toMatchObject({ changed: 2, failed: 0 });
  });
});

describe("a link that leads out of its folder", () => {
  it("is passed over, and what lies there is brought where it is named itself", async () => {
    const kit = await openForImport();
    await kit.write({ "site/a.md": "A", "ext/e.md": "E" });
    await symlink(kit.at("ext/e.md"), kit.at("site/e.md"));
    const report = await kit.import(["site"]);
    expect(report).toMatchObject({ added: 1, passedOver: 1, failed: 0 });
    expect(report.notes).toEqual([
      `${kit.at("site")}: the link ${kit.at("site/e.md")} leads out of it and was not followed; name it to import what lies there`,
    ]);
    await symlink(kit.at("ext/e.md"), kit.at("site/f.md"));
    expect((await kit.import(["site"])).notes.join()).toContain("2 links lead, the first");
    expect(Object.keys(await kit.texts())).toEqual(["file:site/a.md"]);
    expect(await kit.import(["site/e.md"])).toMatchObject({ added: 1, passedOver: 0, notes: [] });
    expect(await kit.import(["ext"])).toMatchObject({ added: 0, unchanged: 1 });
    expect(Object.keys(await kit.texts())).toEqual(["file:e.md", "file:site/a.md"]);
  });

  it("had brought documents before: they stay until the link goes", async () => {
    const kit = await openForImport();
    await kit.write({ "site/a.md": "A", "ext/e.md": "E", "ext/f.jsonl": documentLine("f1") + documentLine("f2") });
    await kit.import(["site"]);
    const [source] = await kit.bot.listSources();
    const [argument] = source?.arguments ?? [];
    const origin = { source: source?.name ?? "", argument: argument?.name ?? "" };
    const bring = (id: string, file: string) =>
      kit.bot.importDocument(
        { resourceDocId: id, type: "DOCUMENT", content: [{ md: id }] },
        { source: { ...origin, path: kit.at(file) } },
      );
    await bring("file:site/e.md", "ext/e.md");
    await bring("f1", "ext/f.jsonl");
    await bring("f2", "ext/f.jsonl");
    await symlink(kit.at("ext/e.md"), kit.at("site/e.md"));
    await symlink(kit.at("ext/f.jsonl"), kit.at("site/f.jsonl"));
    const kept = await kit.import(["site"], { sync: true });
    expect(kept).toMatchObject({ unchanged: 1, removed: 0, passedOver: 2, notSynced: [] });
    expect(kept.notes.join()).toMatch(/; the 3 documents that they had brought before stay in, unchanged$/);
    await kit.remove("site/f.jsonl");
    const less = await kit.import(["site"], { sync: true });
    expect(less).toMatchObject({ unchanged: 1, removed: 2 });
    expect(less.notes.join()).toMatch(/; the one document that it had brought before stays in, unchanged$/);
    // The link is there, what it led to is not.
    await kit.remove("ext/e.md");
    expect(await kit.import(["site"], { sync: true })).toMatchObject({ removed: 0, failed: 1 });
    await kit.remove("site/e.md");
    expect(await kit.import(["site"], { sync: true })).toMatchObject({ removed: 1, notes: [] });
    expect(Object.keys(await kit.texts())).toEqual(["file:site/a.md"]);
  });

  it("into the same folder is one more way to a file", async () => {
    const kit = await openForImport();
    await kit.write({ "site/a.md": "A", "site/deep/b.md": "B" });
    await symlink(kit.at("site/deep/b.md"), kit.at("site/c.md"));
    await symlink(kit.at("site"), kit.at("here"));
    expect(await kit.import(["here"])).toMatchObject({ added: 2, passedOver: 0, notes: [] });
  });
});

describe("what moves between two arguments of one sync", () => {
  it.each([
    ["m1", "m2"],
    ["m2", "m1"],
  ])("stays the same document, %s being read first", async (...names) => {
    const kit = await openForImport();
    await kit.write({ "m1/p.md": "P", "m1/l.jsonl": documentLine("x"), "m2/q.md": "Q", "m2/l.jsonl": "" });
    await kit.import(names, { source: "two" });
    await kit.bot.setDocumentStatus("file:two/p.md", "inactive");
    await rename(kit.at("m1/p.md"), kit.at("m2/p.md"));
    await kit.write({ "m1/l.jsonl": "", "m2/l.jsonl": documentLine("x") });
    expect(await kit.import(names, { source: "two", sync: true })).toMatchObject({
      unchanged: 3,
      added: 0,
      removed: 0,
    });
    expect(await kit.bot.getDocument("file:two/p.md")).toMatchObject({ status: "inactive" });
    await kit.remove("m2/p.md");
    expect(await kit.import(["m2"], { source: "two", sync: true })).toMatchObject({ unchanged: 2, removed: 1 });
  });

  it("is not removed when one of them was not read whole", async () => {
    const kit = await openForImport();
    await kit.write({ "m1/p.md": "P", "m1/o.md": "O", "m2/q.md": "Q", "m3/r.md": "R" });
    await kit.import(["m1", "m2"], { source: "two" });
    await rename(kit.at("m1/p.md"), kit.at("m2/p.md"));
    await kit.write({ "m2/p.md": "---\na: [1\n---\nP" });
    const broken = await kit.import(["m1", "m2"], { source: "two", sync: true });
    expect(broken).toMatchObject({ removed: 0, failed: 1, notSynced: [kit.at("m1"), kit.at("m2")] });
    const missing = await kit.import(["m1", "gone"], { source: "two", sync: true });
    expect(missing).toMatchObject({ removed: 0, failed: 1, notSynced: [kit.at("m1"), kit.at("gone")] });
  });
});

describe("a bot that cannot be told of an argument", () => {
  it("ends the import, and the next one begins anew", async () => {
    const kit = await openForImport();
    await kit.bot.importDocument(JSON.parse(documentLine("file:docs/b.md")), { source: "file:docs" });
    await kit.write({ "docs/a.md": "A", "docs/b.md": "B" });
    let isFull = true;
    const full: Operator = {
      ...kit.operator,
      putSourceArgument: async (...given) => {
        if (!isFull) return kit.operator.putSourceArgument(...given);
        isFull = false;
        throw new LoredexError("DISK_FULL", "The disk is full.");
      },
    };
    await expect(kit.import(["docs"], { operator: full })).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/b.md"]);
    expect(await kit.import(["docs"])).toMatchObject({ added: 1, changed: 1, failed: 0 });
  });
});

describe("a file of lines", () => {
  it("that has moved is refused as a whole, and named with what to do", async () => {
    const kit = await openForImport();
    await kit.write({ "old/faq.jsonl": `${documentLine("x")}\n${documentLine("y")}` });
    await kit.import(["old/faq.jsonl"]);
    await rename(kit.at("old"), kit.at("new"));
    await kit.write({ "new/faq.jsonl": `${documentLine("x", "changed")}\n${documentLine("y")}` });
    await expect(kit.import(["new/faq.jsonl"])).rejects.toThrow(/loredex source move bot ".*old\/faq\.jsonl"/);
  });

  it("that says what is there already changes nothing", async () => {
    const kit = await openForImport();
    await kit.write({ "hb/a.md": "A", "ex.jsonl": "" });
    await kit.import(["hb"]);
    await kit.write({ "ex.jsonl": JSON.stringify(await kit.bot.getDocument("file:hb/a.md")) });
    expect(await kit.import(["ex.jsonl"], { sync: true })).toMatchObject({ unchanged: 1, failed: 0, removed: 0 });
    expect(await kit.sources()).toMatchObject({ [kit.at("hb")]: 1 });
  });
});
