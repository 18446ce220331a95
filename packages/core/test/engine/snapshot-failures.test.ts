import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Engine } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

it("a snapshot that fails harms no write, and is tried again only when the log has grown", async () => {
  const disk = simulatedDisk();
  const failures: string[] = [];
  const engine = await Engine.open({
    storage: await openOn(disk),
    logger: ({ event }) => void (event === "snapshotFailed" && failures.push(event)),
  });
  const limits = { quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 };
  await engine.createBot({ name: "one", ...limits });
  const bot = await engine.bot("one");
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "open", pathEnd: ".section.tmp", code: "ENOSPC" });
  const write = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await bot.createArticle({ title: "Written", body: "word ".repeat(400) });
      await setImmediate();
    }
  };
  // About half a megabyte: 128 KiB until the first try, and as much until each after it.
  await write(200);
  expect(failures.length).toBeGreaterThan(1);
  expect(failures.length).toBeLessThan(6);
  disk.fileSystem.setFault(undefined);
  await write(80);
  expect((await disk.fileSystem.readDirectory(`/data/stores/bot-${bot.id}`)).join()).toContain(".manifest");
  await engine.close();
});
