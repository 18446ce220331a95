import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { KnownFiles } from "../../../src/sources/belonging/known-files.ts";
import { Placing } from "../../../src/sources/belonging/placing.ts";
import { planned } from "../../../src/sources/belonging/plan.ts";
import { targetOf } from "../../../src/sources/belonging/target.ts";
import { Conversions } from "../../../src/sources/reading/conversions.ts";
import type { SourceItem } from "../../../src/sources/reading/read-file.ts";
import { readSource } from "../../../src/sources/reading/read-source.ts";
import { documentLine, writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const INVALID = Buffer.from([0x61, 0, 0xff, 0x61, 0x0a]);

async function items(argument: string, type: "DOCUMENT" | "WEBPAGE" = "DOCUMENT"): Promise<SourceItem[]> {
  const list: SourceItem[] = [];
  const placing = new Placing(new KnownFiles({ listSources: async () => [], ownedDocuments: async () => [] }), {
    isNamed: false,
  });
  const conversions = new Conversions();
  const convert = conversions.convert.bind(conversions);
  const parts = { sources: [], name: undefined, isAlike: async () => false };
  for (const plan of await planned([await targetOf(argument)], parts)) {
    const place = async (file: Parameters<Placing["place"]>[1]) => placing.place(plan, file);
    for await (const item of readSource(plan.target, {
      type,
      place,
      convert,
      knownAt: () => [],
      drafts: false,
      ahead: 2,
    }))
      list.push(item);
  }
  return list;
}

const summaries = (list: readonly SourceItem[], root: string): string[] =>
  list.map((item) => `${item.kind} ${relative(root, "place" in item ? item.place : item.file)}`);

describe("a folder", () => {
  it("is read in order, with ids from its name on", async () => {
    const root = await temporaryDirectory();
    const folder = join(root, "handbook");
    await writeFiles(folder, {
      "b.md": "\ufeff# B",
      "sub/a.MARKDOWN": "A",
      "sub/deep/faq.jsonl": `${documentLine("x")}\nnope\n`,
      "image.png": "x",
      ".hidden.md": "x",
      ".git/x.md": "x",
      "bad.md": INVALID,
      "broken.md": "---\na: 1\nb: [1\n---\nx",
    });
    await symlink(folder, join(folder, "sub", "circle"));
    await symlink(join(folder, "b.md"), join(folder, "z.md"));
    const list = await items(folder, "WEBPAGE");
    expect(summaries(list, folder)).toEqual([
      "document b.md",
      "problem bad.md",
      expect.stringMatching(/^problem broken\.md:[34]$/),
      "passedOver image.png",
      "document sub/a.MARKDOWN",
      "passedOver sub/circle",
      "document sub/deep/faq.jsonl:1",
      "problem sub/deep/faq.jsonl:2",
    ]);
    expect(list[0]).toMatchObject({
      document: {
        resourceDocId: "file:handbook/b.md",
        type: "WEBPAGE",
        content: [{ md: "# B" }],
        metaData: { title: "B", sourceLine: 1 },
      },
    });
    expect(list[4]).toMatchObject({ document: { resourceDocId: "file:handbook/sub/a.MARKDOWN" } });
    expect(list[6]).toMatchObject({ document: { resourceDocId: "x", type: "DOCUMENT" } });
  });

  it("gives the same ids however it is named", async () => {
    const folder = join(await temporaryDirectory(), "handbook");
    await writeFiles(folder, { "a.md": "A" });
    for (const argument of [folder, `${folder}/`, `${folder}/../handbook`, relative(".", folder)]) {
      expect(await items(argument)).toMatchObject([{ document: { resourceDocId: "file:handbook/a.md" } }]);
    }
  });

  it("may have names with marks that are folders elsewhere", async () => {
    const folder = join(await temporaryDirectory(), "h");
    await writeFiles(folder, { "a\\b.md": "A" });
    expect(await items(folder)).toMatchObject([{ document: { resourceDocId: "file:h/a\\b.md" } }]);
  });
});

describe("a file", () => {
  it("has the id of its name alone", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { "sub/a.md": "A" });
    expect(await items(join(root, "sub/a.md"))).toMatchObject([{ document: { resourceDocId: "file:a.md" } }]);
  });

  it.skipIf(process.platform === "win32")("is never waited for if it is none", async () => {
    const root = await temporaryDirectory();
    execFileSync("mkfifo", [join(root, "pipe.md")]);
    expect(await items(root)).toMatchObject([{ kind: "problem", message: "this is no file" }]);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["a.XLS", ".xls files are not read; save it as .xlsx or .csv, then import that"],
    ["a.ods", ".ods files are not read; save it as .xlsx or .csv, then import that"],
    ["a.doc", ".doc files are not read; save it as .docx or PDF, then import that"],
    ["a.odt", ".odt files are not read; save it as .docx or PDF, then import that"],
    ["a.rtf", ".rtf files are not read; save it as .docx or PDF, then import that"],
    ["a.pages", ".pages files are not read; save it as .docx or PDF, then import that"],
    ["a.pptx", ".pptx files are not read; save it as PDF, then import that"],
    ["a.odp", ".odp files are not read; save it as PDF, then import that"],
    ["a.epub", ".epub files are not read; save it as PDF or .html, then import that"],
  ])("says what to save it as: %s", async (name, message) => {
    const root = await temporaryDirectory();
    await writeFiles(root, { [name]: "x" });
    expect(await items(join(root, name))).toMatchObject([{ kind: "problem", message }]);
  });

  it("is one problem, and says what can be", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { "a.exe": "x" });
    await mkdir(join(root, "folder.md"));
    const argument = join(root, "a.exe");
    const [item, ...others] = await items(argument);
    expect(item).toMatchObject({ kind: "problem", place: argument, message: expect.stringContaining(".jsonl") });
    expect(others).toEqual([]);
    expect(await items(join(root, "folder.md"))).toEqual([]);
  });
});
