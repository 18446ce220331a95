import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import { syncSources } from "../../../src/sources/keeping/sync-sources.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A bot that counts what it is asked, and a folder to import from. */
async function kit() {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const bot = await engine.bot((await engine.createBot({ name: "help" })).bot.id);
  const root = await temporaryDirectory();
  const asked: string[] = [];
  const counting = new Proxy(bot, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        asked.push(String(name));
        return Reflect.apply(member, target, given);
      };
    },
  });
  const at = (name: string): string => join(root, name);
  const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files);
  return { bot, counting, asked, at, write };
}

async function ids(bot: Bot): Promise<string[]> {
  return (await bot.listDocuments()).map(({ resourceDocId }) => resourceDocId).sort();
}

it("asks what all sources have brought once, however many are synced", async () => {
  const { bot, counting, asked, at, write } = await kit();
  const names = Array.from({ length: 12 }, (_, i) => `${i}.md`);
  await write(Object.fromEntries(names.map((name) => [name, `Text of ${name}`])));
  await importSources(bot, names.map(at));
  await write({ "3.md": "Another text" });
  expect(await syncSources(counting)).toHaveLength(12);
  expect(asked.filter((name) => name === "ownedDocuments" || name === "listSources")).toEqual([
    "listSources",
    "ownedDocuments",
  ]);
  expect(asked.filter((name) => name === "importDocument")).toHaveLength(12);
});

it("knows what a source before has brought and removed", async () => {
  const { bot, at, write } = await kit();
  const line = (id: string): string => JSON.stringify({ resourceDocId: id, type: "DOCUMENT", content: [{ md: id }] });
  // Both folders lead to lines of their own; what the first gives up comes with the second.
  await write({ "a/one.jsonl": `${line("x")}\n${line("y")}`, "b/two.jsonl": line("z") });
  await importSources(bot, [at("a"), at("b")]);
  await write({ "a/one.jsonl": `${line("y")}\n${line("new")}`, "b/two.jsonl": `${line("x")}\n${line("z")}` });
  expect(await syncSources(bot)).toMatchObject([
    { report: { added: 1, unchanged: 1, removed: 1, failed: 0 } },
    { report: { added: 1, unchanged: 1, removed: 0, failed: 0 } },
  ]);
  expect(await ids(bot)).toEqual(["new", "x", "y", "z"]);
  expect(await syncSources(bot)).toMatchObject([
    { report: { unchanged: 2, removed: 0 } },
    { report: { unchanged: 2, removed: 0 } },
  ]);
});

it("is one import of all arguments of a source, however each of them is read", async () => {
  const { bot, counting, asked, at, write } = await kit();
  await write({ "pages/a.md": "A", "pages/b.md": "B", "notes/c.md": "C" });
  await importSources(bot, [at("pages")], { source: "kb", type: "WEBPAGE" });
  await importSources(bot, [at("notes")], { source: "kb", drafts: true });
  await rename(at("pages/a.md"), at("notes/a.md"));
  await write({ "notes/d.md": "---\ndraft: true\n---\nD", "pages/e.md": "---\ndraft: true\n---\nE" });
  const [synced] = await syncSources(counting);
  // The document that lies in the other folder now is the same one.
  expect(synced?.report).toMatchObject({ added: 1, changed: 1, unchanged: 2, removed: 0, drafts: 1, failed: 0 });
  expect(asked).not.toContain("removeDocument");
  const types = (await bot.listDocuments()).map(({ resourceDocId, type }) => `${resourceDocId} ${type}`);
  expect(types.sort()).toEqual([
    "file:kb/a.md DOCUMENT",
    "file:kb/b.md WEBPAGE",
    "file:kb/c.md DOCUMENT",
    "file:kb/d.md DOCUMENT",
  ]);
});

it("removes nothing of a source of which any argument was not read whole", async () => {
  const { bot, at, write } = await kit();
  await write({ "pages/a.md": "A", "pages/b.md": "B", "notes/c.md": "C" });
  await importSources(bot, [at("pages")], { source: "kb", type: "WEBPAGE" });
  await importSources(bot, [at("notes")], { source: "kb" });
  await rm(at("pages/b.md"));
  await rm(at("notes"), { recursive: true });
  const [synced] = await syncSources(bot);
  expect(synced?.report).toMatchObject({ removed: 0, failed: 1, notSynced: [at("pages"), at("notes")] });
  expect(await ids(bot)).toEqual(["file:kb/a.md", "file:kb/b.md", "file:kb/c.md"]);
});

it("tells how many documents of all sources are in, counting up", async () => {
  const { bot, at, write } = await kit();
  await write({ "1/a.md": "A", "1/b.md": "B", "2/c.csv": "Article,Price\nKettle,5\n", "3/d.md": "D" });
  await importSources(bot, [at("1"), at("2"), at("3")]);
  const told: (readonly [number, number])[] = [];
  await syncSources(bot, { onProgress: (done, files) => told.push([done, files]) });
  expect(told.map(([done]) => done)).toEqual([1, 2, 3, 4]);
  expect(told.at(-1)).toEqual([4, 4]);
});

it("tells what is to be said of a file once, and keeps it as long as it holds", async () => {
  const { bot, at, write } = await kit();
  const table = "question,answer,other\nWhy?,So.,x\n";
  await write({ "docs/a.csv": table, "docs/b.csv": "Article,Price\nKettle,5\n" });
  const first = await importSources(bot, [at("docs")]);
  const noted = first.notes.filter((note) => note.startsWith(at("docs/a.csv")));
  expect(noted).not.toEqual([]);
  const kept = async () => (await bot.listSources())[0]?.arguments[0]?.report?.notes ?? [];
  expect(await kept()).toEqual(
    noted.map((note) => ({ place: at("docs/a.csv"), message: note.slice(`${at("docs/a.csv")}: `.length) })),
  );
  // The file has not changed, and is not converted again.
  const before = await kept();
  const counted = [`${at("docs")}: one note on a file as before ("loredex source list BOT --json" has the words)`];
  expect((await syncSources(bot))[0]?.report).toMatchObject({ unchanged: 2, notes: counted });
  expect(await kept()).toEqual(before);
  // It is converted again, and says the same.
  await write({ "docs/a.csv": `${table}How?,Thus.,y\n` });
  expect((await syncSources(bot))[0]?.report).toMatchObject({ added: 1, notes: counted });
  await write({ "docs/a.csv": "question,answer\nWhy?,So.\n" });
  expect((await syncSources(bot))[0]?.report).toMatchObject({ removed: 1, notes: [] });
  expect(await kept()).toEqual([]);
});
