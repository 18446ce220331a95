import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { filesWith } from "../support/files-of.ts";

const NAME = "zyxquorvuntrask";

async function open(disk: SimulatedDisk): Promise<Engine> {
  return Engine.open({ storage: await openOn(disk), embedders: {}, background: false });
}

/** A bot in a snapshot of the catalog, and in its log since. */
async function withBot(): Promise<SimulatedDisk> {
  const disk = simulatedDisk();
  const engine = await open(disk);
  await engine.createBot({ name: NAME });
  await engine.createBot({ name: "other" });
  await engine.purge("other");
  await engine.updateBot(NAME, { quotaCharacters: 7_000 });
  await engine.close();
  return disk;
}

it.each([
  ["crash", "afterKill"],
  ["crash", "afterPowerCut"],
  ["failOnce", "afterKill"],
] as const)(
  "a removal that is broken off anywhere (%s, %s) is ended by the next start: no file names the bot",
  async (kind, after) => {
    let removed = 0;
    for (let at = 1; ; at += 1) {
      const disk = await withBot();
      const engine = await open(disk);
      disk.fileSystem.setFault({ at: disk.fileSystem.operations + at, kind });
      await engine.removeBot(NAME).catch(() => undefined);
      if (!disk.fileSystem.faultHappened) {
        disk.fileSystem.setFault(undefined);
        await engine.close();
        expect(await filesWith(disk, NAME)).toEqual([]);
        break;
      }
      const next = simulatedDisk(disk.fileSystem[after]());
      const again = await open(next);
      const isThere = again.findBot(NAME) !== undefined;
      await again.close();
      if (isThere) continue;
      removed += 1;
      expect(await filesWith(next, NAME), `after a fault at ${at}`).toEqual([]);
    }
    expect(removed).toBeGreaterThan(5);
  },
);

it("a start purges the catalog only if a bot was removed since what is stored of it", async () => {
  const disk = simulatedDisk();
  const purgesOfStart = async (work: (engine: Engine) => Promise<void>): Promise<number> => {
    const storage = await openOn(disk);
    let purges = 0;
    const openStore = storage.open.bind(storage);
    storage.open = async (name) => {
      const store = await openStore(name);
      const purge = store.purge.bind(store);
      store.purge = (contents) => {
        purges += 1;
        return purge(contents);
      };
      return store;
    };
    const engine = await Engine.open({ storage, embedders: {}, background: false });
    const atStart = purges;
    await work(engine);
    await engine.close();
    return atStart;
  };
  const grow = async (engine: Engine): Promise<void> => {
    for (let changes = 0; changes < 700; changes += 1)
      await engine.updateBot("other", { quotaCharacters: 1 + changes });
  };
  await purgesOfStart(async (engine) => {
    await engine.createBot({ name: NAME });
    await engine.createBot({ name: "other" });
    await engine.removeBot(NAME);
    // An ordinary snapshot of the catalog, beside the one of the purge.
    await grow(engine);
  });
  expect(await purgesOfStart(grow)).toBe(0);
  expect(await purgesOfStart(async () => undefined)).toBe(0);
  expect(await filesWith(disk, NAME)).toEqual([]);
});
