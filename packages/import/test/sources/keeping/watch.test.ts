import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { expect, it, onTestFinished } from "vitest";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import type { ImportTarget } from "../../../src/sources/importing/import-target.ts";
import type { SyncedSource } from "../../../src/sources/keeping/sync-sources.ts";
import { Watch } from "../../../src/sources/keeping/watch.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

async function ownBot(): Promise<Bot> {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({ name: "help" });
  return engine.bot(bot.id);
}

/** A watch of these folders, that looks when it is told to. */
async function watched(files: Readonly<Record<string, string>>, folders: readonly string[]) {
  const [bot, directory] = [await ownBot(), await temporaryDirectory()];
  const write = (given: Readonly<Record<string, string>>) => writeFiles(directory, given);
  await write(files);
  for (const folder of folders) await importSources(bot, [join(directory, folder)]);
  const synced: SyncedSource[] = [];
  let asked = 0;
  const target: ImportTarget = {
    listSources: () => bot.listSources(),
    ownedDocuments: (sources) => {
      asked += 1;
      return bot.ownedDocuments(sources);
    },
    putSourceArgument: (...given) => bot.putSourceArgument(...given),
    importDocument: (...given) => bot.importDocument(...given),
    removeDocument: (...given) => bot.removeDocument(...given),
  };
  const watch = new Watch(target, {
    signal: new AbortController().signal,
    onSynced: (one) => synced.push(one),
    onTrouble: (error) => {
      throw error;
    },
    troubleMs: 0,
  });
  /** What two looks bring, which is what lies still. */
  const look = async (): Promise<readonly SyncedSource[]> => {
    synced.length = 0;
    for (const _ of [1, 2]) {
      await watch.round();
      await watch.whenIdle();
    }
    return [...synced];
  };
  return { bot, at: (name: string) => join(directory, name), write, look, asked: () => asked };
}

it("asks once what all sources have brought, and not again for what it has brought itself", async () => {
  const folders = ["a", "b", "c", "d", "e"];
  const watch = await watched(Object.fromEntries(folders.map((name) => [`${name}/1.md`, "One"])), folders);
  expect(await watch.look()).toHaveLength(5);
  await watch.write({ "b/2.md": "Two" });
  expect(await watch.look()).toMatchObject([{ report: { added: 1, unchanged: 1 } }]);
  await watch.write({ "b/2.md": "Two, changed", "d/1.md": "One, changed" });
  expect(await watch.look()).toMatchObject([
    { report: { changed: 1, unchanged: 1, removed: 0 } },
    { report: { changed: 1, unchanged: 0, removed: 0 } },
  ]);
  expect(watch.asked()).toBe(1);
});

it("sees what others have changed meanwhile", async () => {
  const watch = await watched({ "a/1.html": "<p>One</p>", "a/2.html": "<p>Two</p>" }, ["a"]);
  await watch.look();
  // Somebody takes one out: it is back when its folder is looked at again.
  await watch.bot.removeDocument("file:a/1.html");
  await watch.write({ "a/3.html": "<p>Three</p>" });
  expect(await watch.look()).toMatchObject([{ report: { added: 2, unchanged: 1 } }]);
  // Somebody imports what the watch would bring.
  await watch.write({ "a/4.html": "<p>Four</p>" });
  await importSources(watch.bot, [watch.at("a")]);
  expect(await watch.look()).toMatchObject([{ report: { added: 0, unchanged: 4, removed: 0 } }]);
  await watch.write({ "c/1.html": "<p>One</p>" });
  await importSources(watch.bot, [watch.at("c")]);
  expect(await watch.look()).toMatchObject([{ report: { unchanged: 1 } }]);
});
