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
