import { syncSources } from "@loredex/import";
import { expect, it } from "vitest";
import { openForImport } from "../support/import-kit.ts";

const DRAFT = "---\ndraft: true\n---\nNot yet.";

it("a draft stays out, and goes where it has become one", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/a.md": "A", "docs/b.md": DRAFT });
  expect(await kit.import(["docs"])).toMatchObject({ added: 1, drafts: 1, failed: 0 });
  await kit.write({ "docs/a.md": DRAFT });
  expect(await kit.import(["docs"])).toMatchObject({ drafts: 2, removed: 0 });
  expect(Object.keys(await kit.texts())).toEqual(["file:docs/a.md"]);
  expect(await kit.import(["docs"], { sync: true })).toMatchObject({ drafts: 2, removed: 1 });
  expect(await kit.texts()).toEqual({});
});

it("a draft comes in where drafts are wanted", async () => {
  const kit = await openForImport();
  await kit.write({ "docs/b.md": DRAFT, "docs/c.md": "---\ndraft: false\n---\nDone." });
  expect(await kit.import(["docs"], { drafts: true })).toMatchObject({ added: 2, drafts: 0 });
  expect(await kit.texts()).toEqual({ "file:docs/b.md": "Not yet.", "file:docs/c.md": "Done." });
});

it("that was brought goes at a sync that nobody looks at, too: its file is there, and says so", async () => {
  const kit = await openForImport();
  const names = Array.from({ length: 12 }, (_, i) => `docs/${i}.md`);
  await kit.write(Object.fromEntries([...names, "one.md"].map((name) => [name, `Text of ${name}`])));
  await kit.import(["docs", "one.md"]);
  await kit.write(Object.fromEntries([...names, "one.md"].map((name) => [name, DRAFT])));
  expect(await syncSources(kit.bot)).toMatchObject([
    { report: { drafts: 12, removed: 12, notSynced: [] } },
    { report: { drafts: 1, removed: 1, notSynced: [] } },
  ]);
});
