import { join } from "node:path";
import { Engine, SOURCE_NOTES_MAX } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import { FileNotes } from "../../../src/sources/importing/file-notes.ts";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import type { ImportTarget } from "../../../src/sources/importing/import-target.ts";
import { ReportNotes } from "../../../src/sources/importing/report-notes.ts";
import { noteMarkOf } from "../../../src/sources/reading/note-mark.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

it("says by the next import what one that did not come to its end has not said", async () => {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const bot = await engine.bot((await engine.createBot({ name: "help" })).bot.id);
  const docs = await temporaryDirectory();
  await writeFiles(docs, { "a.csv": "question,answer,other\nWhy?,So.,x\n", "b.csv": "Article,Price\nKettle,5\n" });
  const broken: ImportTarget = {
    listSources: () => bot.listSources(),
    ownedDocuments: (sources) => bot.ownedDocuments(sources),
    importDocument: (...given) => bot.importDocument(...given),
    removeDocument: (...given) => bot.removeDocument(...given),
    putSourceArgument: async (source, place, options = {}) => {
      if (options.imported === true) throw new Error("it is off");
      await bot.putSourceArgument(source, place, options);
    },
  };
  await expect(importSources(broken, [docs])).rejects.toThrow("it is off");
  expect(await bot.listDocuments()).toHaveLength(2);
  const { notes, unchanged } = await importSources(bot, [docs]);
  expect([notes.length, unchanged]).toEqual([1, 2]);
  expect(notes[0]).toContain(`${join(docs, "a.csv")}: `);
  const again = await importSources(bot, [docs]);
  expect(again.notes).toEqual([expect.stringContaining("one note on a file as before")]);
});

it("counts all notes that were said, and keeps the words of the first", () => {
  const files = Array.from({ length: SOURCE_NOTES_MAX + 30 }, (_, at) => `/docs/${at}.csv`);
  const first = new FileNotes();
  expect(files.filter((file) => first.add(file, "It has no header."))).toHaveLength(files.length);
  expect(first.all).toHaveLength(SOURCE_NOTES_MAX);
  const second = new FileNotes(first.all);
  const mark = noteMarkOf(["It has no header."]);
  for (const file of files) {
    expect(second.isSaid(file, mark)).toBe(true);
    second.unchanged(file, 1);
  }
  expect(second.again).toBe(files.length);
  expect(second.all).toEqual(first.all);
});

it("knows a note by its words, and a file whose path or note is longer than what is kept", () => {
  const [file, message] = [`/${"\u{1F4C4}".repeat(400)}`, "\u{1F4C4}".repeat(400)];
  const first = new FileNotes();
  expect(first.add(file, ` ${message}`)).toBe(true);
  // As a bot gives it back.
  const kept = first.all.map(({ place, message: words }) => ({
    place: place.slice(0, 500).toWellFormed(),
    message: words.slice(0, 500).toWellFormed(),
  }));
  const second = new FileNotes(kept);
  expect(second.isSaid(file, noteMarkOf([` ${message}`]))).toBe(true);
  expect(second.isSaid(file, noteMarkOf([message]))).toBe(false);
  expect(second.isSaid("/other", noteMarkOf([message]))).toBe(false);
  expect(second.isSaid("/other", noteMarkOf([]))).toBe(true);
  expect(second.add(file, ` ${message}`)).toBe(false);
  expect(second.again).toBe(1);
});

it("lists so many notes on files, says how many more there are, and leaves nothing else out", () => {
  const notes = new ReportNotes();
  for (let at = 0; at < 1_002; at += 1) notes.addFound(`${at}`);
  notes.add("nothing was removed");
  expect(notes.all.slice(999)).toEqual([
    "999",
    "nothing was removed",
    "2 more notes on files and pages are not listed",
  ]);
});
