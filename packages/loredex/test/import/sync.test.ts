import { rename } from "node:fs/promises";
import { importSources, syncSources } from "@loredex/import";
import { expect, it } from "vitest";
import { importTarget } from "../../src/operator/import-target.ts";
import { documentLine } from "../support/files.ts";
import { openForImport } from "../support/import-kit.ts";

it("brings every source up to date as it was imported, and says what came of each", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A", "docs/b.md": "B", "faq.jsonl": documentLine("q"), "kb/page.md": "Page" });
  await kit.import(["docs"]);
  await kit.import(["faq.jsonl"]);
  await importSources(kit.bot, [kit.at("kb")], { source: "kb", type: "WEBPAGE" });
  await kit.bot.importDocument(
    { resourceDocId: "own", type: "DOCUMENT", content: [{ md: "x" }] },
    { source: "program" },
  );
  await kit.remove("docs/b.md");
  await kit.write({ "docs/c.md": "C", "kb/page.md": "Page, changed", "kb/new.md": "New" });
  const told: string[] = [];
  const synced = await syncSources(kit.bot, { onSource: (source) => told.push(source) });
  expect(synced).toMatchObject([
    { source: kit.at("docs"), report: { added: 1, unchanged: 1, removed: 1, failed: 0 } },
    { source: kit.at("faq.jsonl"), report: { unchanged: 1, removed: 0 } },
    { source: "kb", report: { added: 1, changed: 1 } },
  ]);
  expect(told).toEqual([kit.at("docs"), kit.at("faq.jsonl"), "kb"]);
  expect((await kit.bot.getDocument("file:kb/new.md"))?.type).toBe("WEBPAGE");
  expect(await kit.bot.getDocument("own")).toBeDefined();
});

it("removes nothing of a source that is not there, and goes on with the others", async () => {
  const kit = await openForImport();
  await kit.write({ "one/a.md": "A", "two/b.md": "B" });
  await kit.import(["one"]);
  await kit.import(["two"]);
  await rename(kit.at("one"), kit.at("away"));
  await kit.write({ "two/b.md": "B, changed" });
  expect(await syncSources(kit.bot)).toMatchObject([
    { source: kit.at("one"), report: { removed: 0, failed: 1, notSynced: [kit.at("one")] } },
    { source: kit.at("two"), report: { changed: 1 } },
  ]);
  expect(Object.keys(await kit.texts()).sort()).toEqual(["file:one/a.md", "file:two/b.md"]);
});

it("brings one source up to date, by its name or by the path that it is", async () => {
  const kit = await openForImport();
  await kit.write({ "one/a.md": "A", "two/b.md": "B" });
  await kit.import(["one", "two"], { source: "both" });
  await kit.write({ "one/a.md": "A2", "two/b.md": "B2" });
  expect(await syncSources(importTarget(kit.operator, "bot"), { source: "both" })).toMatchObject([
    { source: "both", report: { changed: 2 } },
  ]);
  await expect(syncSources(kit.bot, { source: "neither" })).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
});

it("does not convert again what has not changed, and removes nothing of it", async () => {
  const kit = await openForImport();
  const table = (article: string) => `Article,Price\n${article},5\n`;
  await kit.write({ "docs/a.csv": table("Kettle"), "docs/b.csv": table("Pan") });
  expect(await kit.import(["docs"])).toMatchObject({ added: 2, failed: 0 });
  const before = await kit.bot.ownedDocuments([kit.at("docs")]);
  expect(before.every(({ digest }) => digest !== undefined)).toBe(true);
  await kit.write({ "docs/b.csv": table("Lid") });
  const [synced] = await syncSources(kit.bot);
  expect(synced).toMatchObject({ report: { added: 0, changed: 1, unchanged: 1, removed: 0 } });
  const after = await kit.bot.ownedDocuments([kit.at("docs")]);
  const digests = (all: typeof after) => Object.fromEntries(all.map(({ id, digest }) => [id, digest]));
  expect(digests(after)["file:docs/a.csv"]).toBe(digests(before)["file:docs/a.csv"]);
  expect(digests(after)["file:docs/b.csv"]).not.toBe(digests(before)["file:docs/b.csv"]);
});

it("removes nothing when most has gone at once and nobody is there to see it; an import with sync does", async () => {
  const kit = await openForImport();
  const files = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`docs/${i}.md`, `Text ${i}`]));
  await kit.write(files);
  await kit.import(["docs"]);
  for (let i = 0; i < 13; i += 1) await kit.remove(`docs/${i}.md`);
  const [held] = await syncSources(kit.bot);
  expect(held?.report).toMatchObject({ unchanged: 12, removed: 0, notSynced: [kit.at("docs")] });
  expect(held?.report?.notes.join()).toContain("13 of the 25 documents");
  await kit.write({ "docs/12.md": "Text 12" });
  expect(await syncSources(kit.bot)).toMatchObject([{ report: { removed: 12 } }]);
  for (let i = 12; i < 24; i += 1) await kit.remove(`docs/${i}.md`);
  expect(await kit.import(["docs"], { sync: true })).toMatchObject({ removed: 12, notSynced: [] });
  // As an unmounted disk looks: that nobody means.
  await kit.write(files);
  await kit.import(["docs"]);
  for (const name of Object.keys(files)) await kit.remove(name);
  expect(await kit.import(["docs"], { sync: true })).toMatchObject({ removed: 0, notSynced: [kit.at("docs")] });
});
