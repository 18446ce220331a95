import { describe, expect, it } from "vitest";
import { Engine } from "../../src/index.ts";
import type { Fault } from "../../testing/simulated-file-system.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";

const NAMES = ["one", "two"];
const REFUSED = { code: "TOO_MANY_OPEN_FILES", message: expect.stringContaining("ulimit -n") };

/** An engine with room for one open bot, and two bots of one article each. */
async function engineOn(disk: SimulatedDisk): Promise<Engine> {
  const engine = await Engine.open({ storage: await openOn(disk, { segmentBytes: 160 }), openBotsMax: 1 });
  for (const name of NAMES) {
    await engine.createBot({ name, embedder: "none" });
    await (await engine.bot(name)).createArticle({ title: "Harbour", body: "Ships sleep." });
  }
  return engine;
}

describe.each(["EMFILE", "ENFILE"])("while no file can be opened (%s)", (code) => {
  const noFile: Fault = { at: 1, kind: "failFrom", operation: "open", code };

  it("a bot that is closed is refused on purpose, and used when files can be opened again", async () => {
    const disk = simulatedDisk();
    const engine = await engineOn(disk);
    const bot = await engine.bot("one");
    // There is room for one only.
    await (await engine.bot("two")).search("ships");
    disk.fileSystem.setFault(noFile);
    await expect(bot.search("ships")).rejects.toMatchObject(REFUSED);
    await expect(bot.createArticle({ title: "Quay", body: "A crane." })).rejects.toMatchObject(REFUSED);
    disk.fileSystem.setFault(undefined);
    expect(await bot.search("ships")).toHaveLength(1);
    await bot.createArticle({ title: "Quay", body: "A crane." });
    await bot.whenSearchable();
    expect(await bot.search("crane")).toHaveLength(1);
    await engine.close();
  });

  it("a write that needs a file is refused, reads go on, and so do writes later", async () => {
    const disk = simulatedDisk();
    const engine = await engineOn(disk);
    const bot = await engine.bot("two");
    await bot.whenSearchable();
    disk.fileSystem.setFault({ ...noFile, pathEnd: ".log" });
    // Each record is longer than a segment, so that each begins a new one.
    await expect(bot.createArticle({ title: "Quay", body: "A crane." })).rejects.toMatchObject(REFUSED);
    expect(await bot.search("ships")).toHaveLength(1);
    disk.fileSystem.setFault(undefined);
    await bot.createArticle({ title: "Quay", body: "A crane." });
    await bot.whenSearchable();
    expect(await bot.search("crane")).toHaveLength(1);
    await engine.close();
  });
});
