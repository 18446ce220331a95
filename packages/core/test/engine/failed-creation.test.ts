import { expect, it } from "vitest";
import { Engine } from "../../src/index.ts";
import { encodeBackup } from "../../src/operations/backup-file.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";

async function* arriving(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function backupOfOne(): Promise<Uint8Array> {
  const engine = await Engine.open();
  await engine.createBot({ name: "one" });
  const bot = await engine.bot("one");
  await bot.importDocument({ resourceDocId: "p", type: "WEBPAGE", content: [{ md: "red apple" }] });
  const fragments: Uint8Array[] = [];
  for await (const fragment of engine.backup("one")) fragments.push(fragment);
  await engine.close();
  return Buffer.concat(fragments);
}

async function storesOn(disk: SimulatedDisk): Promise<number> {
  const names = await disk.fileSystem.readDirectory("/data/stores");
  return names.filter((name) => name !== "catalog").length;
}

it.each(["createBot", "restore"])(
  "%s that cannot enter the bot in the catalog leaves no half of it, whatever a power cut does",
  async (call) => {
    const backup = await backupOfOne();
    for (let seed = 1; seed <= 30; seed += 1) {
      const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
      const engine = await Engine.open({ storage: await openOn(disk) });
      disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation: "dataSync" });
      const made = call === "restore" ? engine.restore(arriving(backup)) : engine.createBot({ name: "one" });
      await expect(made).rejects.toMatchObject({ code: "READ_ONLY" });
      const after = simulatedDisk(disk.fileSystem.afterPowerCut());
      const next = await Engine.open({ storage: await openOn(after) });
      for (const { name } of next.listBots()) await next.bot(name);
      expect((await next.verify()).isWhole).toBe(true);
      await next.close();
    }
  },
);

it.each(["createBot", "restore"])("%s that the catalog has no room for leaves nothing", async (call) => {
  const disk = simulatedDisk();
  const backup = await backupOfOne();
  const engine = await Engine.open({ storage: await openOn(disk) });
  const catalog = "/data/stores/catalog/segment-0000000000000001.log";
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "write", pathEnd: catalog, code: "ENOSPC" });
  const made = call === "restore" ? engine.restore(arriving(backup)) : engine.createBot({ name: "one" });
  await expect(made).rejects.toMatchObject({ code: "DISK_FULL" });
  expect(await storesOn(disk)).toBe(0);
  await engine.close();
});

it.each(["createBot", "restore"])("%s on a full disk leaves nothing", async (call) => {
  const disk = simulatedDisk();
  const backup = await backupOfOne();
  const engine = await Engine.open({ storage: await openOn(disk) });
  disk.fileSystem.capacityBytes = 150;
  const made = call === "restore" ? engine.restore(arriving(backup)) : engine.createBot({ name: "one" });
  await expect(made).rejects.toMatchObject({ code: "DISK_FULL" });
  expect(await storesOn(disk)).toBe(0);
  await engine.close();
});

it("a backup whose checksums are right and that makes no sense is refused by name", async () => {
  const settings = { name: "one", quotaCharacters: 1, rateCharactersPerMinute: 1, language: "en", embedder: "none" };
  const about = { entry: { id: "0123456789abcdef01234567", settings, createdAtMs: 1 }, takenAtMs: 1 };
  const engine = await Engine.open();
  for (const content of ["garbage", "\u0001", "\u0002\0\0\0\0\0\0\0[]"]) {
    const sections = ["articles", "documents", "vectors", "accounts"].map((name) => {
      return { name, version: 1, chunks: [Buffer.from(content)] };
    });
    const restored = engine.restore(encodeBackup(about, { sequence: 5, sections }));
    await expect(restored, content).rejects.toMatchObject({ code: "CORRUPT" });
  }
  expect(engine.listBots()).toEqual([]);
  await engine.close();
});
