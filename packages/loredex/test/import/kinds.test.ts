import { Readable } from "node:stream";
import { importSources, syncSources } from "@loredex/import";
import { escapePath } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { importTarget } from "../../src/operator/import-target.ts";
import { openForImport, why } from "../support/import-kit.ts";

const FAQ = "question,answer\nHow long?,Two days.\nWhere?,In Rome.\n";

describe("a file with questions", () => {
  it("brings each as a document of its own, which goes when it leaves the file", async () => {
    const kit = await openForImport();
    await kit.write({ "kb/faq.csv": FAQ, "kb/a.md": "A" });
    expect(await kit.import(["kb"])).toMatchObject({ added: 3, failed: 0 });
    const before = await kit.texts();
    expect(Object.keys(before).sort()).toEqual([
      "file:kb/a.md",
      expect.stringMatching(/^file:kb\/faq\.csv#qna-[0-9a-f]{16}$/),
      expect.stringMatching(/^file:kb\/faq\.csv#qna-[0-9a-f]{16}$/),
    ]);
    expect(await kit.import(["kb"], { sync: true })).toMatchObject({ added: 0, unchanged: 3, removed: 0 });
    await kit.write({ "kb/faq.csv": "question,answer\nHow long?,Three days.\n" });
    expect(await kit.import(["kb"], { sync: true })).toMatchObject({ changed: 1, unchanged: 1, removed: 1 });
    expect(Object.values(await kit.texts()).sort()).toEqual(["A", "Three days."]);
    // The file alone is known by what it has brought.
    await kit.write({ "kb/faq.csv": FAQ });
    expect(await kit.import(["kb/faq.csv"])).toMatchObject({ added: 1, unchanged: 0, changed: 1 });
    expect(await kit.texts()).toEqual(before);
    expect(await kit.sources()).toEqual({ [kit.at("kb")]: 3 });
  });

  it("brings the first of two that are the same, and says so", async () => {
    const kit = await openForImport();
    await kit.write({ "faq.csv": "question,answer\nHow?,So.\nHow? ,Not so.\n" });
    const report = await kit.import(["faq.csv"]);
    expect(report).toMatchObject({ added: 1, failed: 0 });
    expect(report.notes).toEqual([expect.stringContaining("one question stands in it again")]);
    expect(Object.values(await kit.texts())).toEqual(["So."]);
  });

  it("keeps what it had where it cannot be read, however it is reached", async () => {
    const kit = await openForImport();
    await kit.write({ "kb/faq.csv": FAQ, "other/a.md": "A" });
    await kit.import(["kb", "other"]);
    await kit.write({ "kb/faq.csv": "question,answer\u0000\u0001\n" });
    const report = await kit.import(["kb/faq.csv", "kb", "other"], { sync: true });
    expect(report).toMatchObject({ removed: 0, failed: 1 });
    expect(why(report)).toContain("no text");
    expect(Object.keys(await kit.texts())).toHaveLength(3);
  });
});

describe("a pattern", () => {
  it("brings what it matches, and is in step with that", async () => {
    const kit = await openForImport();
    await kit.write({
      "docs/a.md": "A",
      "docs/sub/b.md": "B",
      "docs/sub/c.txt": "C",
      "docs/.hidden.md": "H",
      "docs/node_modules/x/d.md": "D",
    });
    expect(await kit.import(["docs/**/*.md"])).toMatchObject({ added: 2, passedOver: 0 });
    expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md", "file:docs/sub/b.md"]);
    expect(await kit.sources()).toEqual({ [kit.at("docs/**/*.md")]: 2 });
    await kit.remove("docs/sub/b.md");
    await kit.write({ "docs/sub/e.md": "E" });
    expect(await kit.import(["docs/**/*.md"], { sync: true })).toMatchObject({ added: 1, unchanged: 1, removed: 1 });
    const [source] = await kit.operator.listSources("bot");
    expect(source?.arguments).toEqual([
      expect.objectContaining({
        kind: "folder",
        path: kit.at("docs"),
        settings: { glob: "**/*.md", type: "DOCUMENT" },
      }),
    ]);
  });

  it("leaves files with the source that brought them, and what it does not match alone", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "docs/b.txt": "B" });
    await kit.import(["docs"]);
    expect(await kit.import(["docs/*.md"], { sync: true })).toMatchObject({ unchanged: 1, removed: 0 });
    expect(await kit.sources()).toEqual({ [kit.at("docs")]: 2 });
  });

  it("is one of several arguments of a named source", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A", "docs/b.txt": "B", "docs/c.csv": "k,v\nx,1\n" });
    const both = ["docs/*.md", "docs/*.txt"];
    expect(await kit.import(both, { source: "kb", sync: true })).toMatchObject({ added: 2 });
    expect(await kit.import(both, { source: "kb", sync: true })).toMatchObject({ unchanged: 2, removed: 0 });
    await kit.remove("docs/a.md");
    await kit.write({ "docs/z.md": "Z" });
    expect(await kit.import(["docs/*.md"], { source: "kb", sync: true })).toMatchObject({ added: 1, removed: 1 });
    expect(Object.keys(await kit.texts())).toEqual(["file:kb/b.txt", "file:kb/z.md"]);
  });

  it("is brought up to date with all other sources, also in a folder whose name is one", async () => {
    const kit = await openForImport();
    await kit.write({ "docs (new) [1]/a.md": "A" });
    const folder = escapePath(kit.at("docs (new) [1]"));
    await importSources(importTarget(kit.operator, "bot"), [`${folder}/*.md`]);
    await importSources(importTarget(kit.operator, "bot"), ["-"], {
      source: "pipe",
      stdin: Readable.from([Buffer.from("P")]),
    });
    expect(await kit.texts()).toEqual({ "file:docs (new) [1]/a.md": "A", "file:pipe/stdin": "P" });
    await kit.write({ "docs (new) [1]/b.md": "B", "docs (new) [1]/c.txt": "C" });
    const synced = await syncSources(importTarget(kit.operator, "bot"));
    expect(synced).toEqual([
      {
        source: kit.at("docs (new) [1]/*.md"),
        report: expect.objectContaining({ added: 1, unchanged: 1, removed: 0 }),
      },
      { source: "pipe", why: expect.stringContaining("standard input") },
    ]);
  });

  it("that matches nothing is told, and removes nothing", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/a.md": "A" });
    await kit.import(["docs/*.md"]);
    await kit.remove("docs/a.md");
    const report = await kit.import(["docs/*.md"], { sync: true });
    expect(report).toMatchObject({ removed: 0, failed: 1 });
    expect(why(report)).toBe("no file matches it");
    expect(why(await kit.import(["nowhere/*.md"]))).toContain("no such file or folder");
  });

  it("is a name where a file is called so", async () => {
    const kit = await openForImport();
    await kit.write({ "docs/[a].md": "A", "docs/a.md": "Other" });
    expect(await kit.import(["docs/[a].md"])).toMatchObject({ added: 1 });
    expect(Object.keys(await kit.texts())).toEqual(["file:[a].md"]);
  });
});

describe("the standard input", () => {
  async function piped(text: string | Buffer, { source, kind }: { source?: string; kind?: "html" | "csv" } = {}) {
    const kit = await openForImport();
    const bytes = Buffer.from(text);
    // In pieces as small as a pipe may give them.
    const stdin = Readable.from([...Array(bytes.length).keys()].map((at) => bytes.subarray(at, at + 1)));
    const report = await importSources(importTarget(kit.operator, "bot"), ["-"], {
      stdin,
      ...(source === undefined ? {} : { source }),
      ...(kind === undefined ? {} : { kind }),
    });
    return { report, texts: await kit.texts(), kit };
  }

  it("is a file of the source that is named", async () => {
    const { report, texts } = await piped("# Title\n\nText.\n", { source: "pipe" });
    expect(report).toMatchObject({ added: 1, failed: 0 });
    expect(texts).toEqual({ "file:pipe/stdin": "# Title\n\nText.\n" });
  });

  it("is what it looks like, or what is said", async () => {
    const line = JSON.stringify({ resourceDocId: "x", type: "DOCUMENT", content: [{ md: "X" }] });
    expect((await piped(`${line}\n`, { source: "pipe" })).texts).toEqual({ x: "X" });
    const { texts } = await piped(FAQ, { source: "pipe", kind: "csv" });
    expect(Object.values(texts).sort()).toEqual(["In Rome.", "Two days."]);
    expect((await piped("", { source: "pipe" })).report.notes).toEqual([expect.stringContaining("no text")]);
  });

  it("needs a name", async () => {
    expect(why((await piped("A")).report)).toContain("--source NAME");
  });
});

it("a file is what is said, or what it looks like where its name says nothing", async () => {
  const kit = await openForImport();
  await kit.write({ README: "# Read me\n", "data.dat": FAQ, "docs/LICENSE": "x" });
  expect(await kit.import(["README"])).toMatchObject({ added: 1 });
  expect(why(await kit.import(["data.dat"]))).toContain("--kind");
  expect(await kit.import(["docs"])).toMatchObject({ added: 0, passedOver: 1 });
  expect(await kit.import(["data.dat"], { kind: "csv" })).toMatchObject({ added: 2 });
  expect(await kit.import(["*.dat"], { kind: "csv" })).toMatchObject({ unchanged: 2 });
});
