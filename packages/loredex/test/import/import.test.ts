import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Engine, LoredexError } from "@loredex/core";
import { type ImportProblem, type ImportReport, importSources } from "@loredex/import";
import { describe, expect, it, onTestFinished } from "vitest";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import { importTarget } from "../../src/operator/import-target.ts";
import type { Operator } from "../../src/operator/operator.ts";
import { documentLine, writeFiles } from "../support/files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A bot in memory, and a folder to import from. */
class Kit {
  readonly told: ImportProblem[] = [];
  done = 0;
  constructor(
    readonly operator: Operator,
    readonly directory: string,
  ) {}

  static async open(): Promise<Kit> {
    const operator = engineOperator(await Engine.open(), { ownsEngine: true });
    onTestFinished(() => operator.close());
    await operator.createBot({ name: "bot" });
    return new Kit(operator, await temporaryDirectory());
  }

  import(names: readonly string[], { sync = false, operator = this.operator } = {}): Promise<ImportReport> {
    const paths = names.map((name) => join(this.directory, name));
    return importSources(importTarget(operator, "bot"), paths, {
      type: "DOCUMENT",
      sync,
      onProgress: (done) => {
        this.done = done;
      },
      onProblem: (problem) => this.told.push(problem),
    });
  }

  async ids(): Promise<string[]> {
    return (await this.operator.listDocuments("bot", {})).map(({ id }) => id);
  }
}

it("an argument keeps what came of its last import", async () => {
  const kit = await Kit.open();
  await writeFiles(kit.directory, { "docs/a.md": "A", "docs/b.md": "B", "docs/bad.md": "---\n: [\n---\n" });
  const reports = async () =>
    (await kit.operator.listSources("bot")).flatMap(({ arguments: all }) => all.map(({ report }) => report));
  await kit.import(["docs"]);
  expect(await reports()).toEqual([
    { added: 2, changed: 0, unchanged: 0, removed: 0, failed: 1, problems: [expect.objectContaining({})] },
  ]);
  await rm(join(kit.directory, "docs/bad.md"));
  await rm(join(kit.directory, "docs/b.md"));
  await writeFiles(kit.directory, { "docs/a.md": "Another A" });
  await kit.import(["docs"], { sync: true });
  expect(await reports()).toEqual([{ added: 0, changed: 1, unchanged: 0, removed: 1, failed: 0, problems: [] }]);
});

describe("an import", () => {
  it("brings what is new or changed, and says so", async () => {
    const kit = await Kit.open();
    await writeFiles(kit.directory, { "docs/a.md": "A", "docs/b.md": "B", "docs/c.exe": "C" });
    expect(await kit.import(["docs"])).toEqual({
      sources: [join(kit.directory, "docs")],
      added: 2,
      changed: 0,
      unchanged: 0,
      removed: 0,
      passedOver: 1,
      passedOverFor: { kind: 1 },
      passedOverKinds: { ".exe": 1 },
      drafts: 0,
      failed: 0,
      problems: [],
      notSynced: [],
      notes: [],
    });
    await writeFiles(kit.directory, { "docs/b.md": "B, changed", "docs/d.md": "D" });
    expect(await kit.import(["docs"])).toMatchObject({ added: 1, changed: 1, unchanged: 1 });
    expect(kit.done).toBe(3);
  });

  it("names every bad line with file and line, and the rest goes in", async () => {
    const kit = await Kit.open();
    const article = '{"resourceDocId":"e","type":"EXTERNAL","content":[]}';
    const lines = [documentLine("a"), "{", article, "[]", documentLine("b"), '{"type":"PDF","contents":1}'];
    await writeFiles(kit.directory, { "x.jsonl": lines.join("\n"), "bad.md": "---\na: [\n---\n" });
    const report = await kit.import(["x.jsonl", "bad.md", "missing"]);
    expect(report).toMatchObject({ added: 2, failed: 6 });
    expect(await kit.ids()).toEqual(["a", "b"]);
    const path = join(kit.directory, "x.jsonl");
    const sorted = [...report.problems].sort((a, b) => (a.place < b.place ? -1 : 1));
    expect(sorted.map(({ place }) => place)).toEqual([
      expect.stringMatching(/bad\.md:[23]$/),
      join(kit.directory, "missing"),
      `${path}:2`,
      `${path}:3`,
      `${path}:4`,
      `${path}:6`,
    ]);
    expect(sorted[3]?.message).toContain("EXTERNAL");
    expect(sorted[5]?.message).toMatch(/resourceDocId is required.*contents is not a known field/);
    expect(kit.told).toEqual(report.problems);
  });

  it("takes the last of two lines with one id", async () => {
    const kit = await Kit.open();
    const lines = Array.from({ length: 50 }, (_, i) => documentLine("same", `Version ${i}.`));
    await writeFiles(kit.directory, { "x.jsonl": lines.join("\n") });
    expect(await kit.import(["x.jsonl"])).toMatchObject({ added: 1, changed: 49 });
    expect(await kit.operator.getDocument("bot", "same")).toMatchObject({ content: [{ md: "Version 49." }] });
  });

  it("keeps so many problems and counts them all", async () => {
    const kit = await Kit.open();
    await writeFiles(kit.directory, { "x.jsonl": "nope\n".repeat(1_500) });
    const report = await kit.import(["x.jsonl"]);
    expect([report.failed, report.problems.length, kit.told.length]).toEqual([1_500, 1_000, 1_500]);
  });

  it("has several documents on their way at once, but not all of them", async () => {
    const kit = await Kit.open();
    const lines = Array.from({ length: 200 }, (_, i) => documentLine(`d${i}`));
    await writeFiles(kit.directory, { "x.jsonl": lines.join("\n") });
    let [running, most] = [0, 0];
    const operator: Operator = {
      ...kit.operator,
      importDocument: async (...parameters) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return kit.operator.importDocument(...parameters);
      },
    };
    expect(await kit.import(["x.jsonl"], { operator })).toMatchObject({ added: 200 });
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThanOrEqual(32);
  });

  it("stops at what keeps every document out, and says what", async () => {
    const kit = await Kit.open();
    const lines = Array.from({ length: 500 }, (_, i) => documentLine(`d${i}`));
    await writeFiles(kit.directory, { "x.jsonl": lines.join("\n") });
    let tried = 0;
    const operator: Operator = {
      ...kit.operator,
      importDocument: async (...parameters) => {
        tried += 1;
        if (tried > 10) throw new LoredexError("DISK_FULL", "The disk is full.");
        return kit.operator.importDocument(...parameters);
      },
    };
    await expect(kit.import(["x.jsonl"], { operator, sync: true })).rejects.toThrow("The disk is full.");
    expect(tried).toBeLessThan(100);
    expect(await kit.ids()).toHaveLength(10);
  });
});

describe("--sync", () => {
  it("removes what the same argument brought before, and nothing else", async () => {
    const kit = await Kit.open();
    await kit.operator.importDocument("bot", JSON.parse(documentLine("mine")), "elsewhere");
    await writeFiles(kit.directory, { "docs/a.md": "A", "docs/b.md": "B", "docs/x.jsonl": documentLine("x") });
    await writeFiles(kit.directory, { "other/a.md": "A", "faq.jsonl": `${documentLine("y")}\n${documentLine("z")}` });
    await kit.import(["docs", "other", "faq.jsonl"]);
    for (const gone of ["docs/b.md", "docs/x.jsonl", "other/a.md"]) await rm(join(kit.directory, gone));
    await writeFiles(kit.directory, { "faq.jsonl": documentLine("z") });
    expect(await kit.import(["docs"], { sync: true })).toMatchObject({ unchanged: 1, removed: 2 });
    expect(await kit.ids()).toEqual(["file:docs/a.md", "file:other/a.md", "mine", "y", "z"]);
    expect(await kit.import(["faq.jsonl", "other"], { sync: true })).toMatchObject({ unchanged: 1, removed: 2 });
    expect(await kit.ids()).toEqual(["file:docs/a.md", "mine", "z"]);
  });

  it("is not done without being asked for", async () => {
    const kit = await Kit.open();
    await writeFiles(kit.directory, { "docs/a.md": "A" });
    await kit.import(["docs"]);
    await rm(join(kit.directory, "docs/a.md"));
    expect(await kit.import(["docs"])).toMatchObject({ removed: 0, notSynced: [] });
    expect(await kit.ids()).toHaveLength(1);
  });

  it("removes nothing for an argument that failed or was read in part, and says for which", async () => {
    const kit = await Kit.open();
    const whole = `${documentLine("x")}\n${documentLine("y")}\n`;
    await writeFiles(kit.directory, { "docs/a.md": "A", "docs/b.md": "B", "faq.jsonl": whole });
    await kit.import(["docs", "faq.jsonl"]);
    await rm(join(kit.directory, "docs/b.md"));
    await writeFiles(kit.directory, { "docs/a.md": "---\na: [\n---\n", "faq.jsonl": `${documentLine("x")}\n{` });
    const report = await kit.import(["docs", "faq.jsonl", "gone"], { sync: true });
    expect(report).toMatchObject({ removed: 0, failed: 3 });
    expect(report.notSynced).toEqual(["docs", "faq.jsonl", "gone"].map((name) => join(kit.directory, name)));
    expect(await kit.ids()).toEqual(["file:docs/a.md", "file:docs/b.md", "x", "y"]);
  });

  it("takes a bad document for a part that was not read", async () => {
    const kit = await Kit.open();
    await writeFiles(kit.directory, { "faq.jsonl": `${documentLine("x")}\n${documentLine("y")}` });
    await kit.import(["faq.jsonl"]);
    await writeFiles(kit.directory, { "faq.jsonl": `${documentLine("x")}\n{"resourceDocId":"y","type":"NONE"}` });
    expect(await kit.import(["faq.jsonl"], { sync: true })).toMatchObject({ removed: 0 });
    expect(await kit.ids()).toEqual(["x", "y"]);
  });

  it("does not mind if somebody else was faster", async () => {
    const kit = await Kit.open();
    await writeFiles(kit.directory, { "docs/a.md": "A", "docs/b.md": "B" });
    await kit.import(["docs"]);
    await rm(join(kit.directory, "docs/b.md"));
    const operator: Operator = {
      ...kit.operator,
      ownedDocuments: async (...parameters) => {
        const owned = await kit.operator.ownedDocuments(...parameters);
        await kit.operator.removeDocument("bot", "file:docs/b.md");
        return owned;
      },
    };
    expect(await kit.import(["docs"], { operator, sync: true })).toMatchObject({ removed: 0, failed: 0 });
  });
});
