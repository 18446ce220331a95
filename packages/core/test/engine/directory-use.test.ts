import { expect, it } from "vitest";
import { Engine, type EngineOptions, type LogEvent } from "../../src/index.ts";
import { openOn, type SimulatedDisk, simulatedDisk, writeWhole } from "../storage/kit.ts";

/** A disk with the bot `one`, which has a document. */
async function filledDisk(): Promise<{ disk: SimulatedDisk; id: string }> {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk) });
  const { bot } = await engine.createBot({ name: "one" });
  const content = [{ md: "red apple" }];
  await (await engine.bot("one")).importDocument({ resourceDocId: "p", type: "WEBPAGE", content });
  await engine.close();
  return { disk, id: bot.id };
}

it("an engine that is closed while a bot is salvaged waits for it, and lets the directory go", async () => {
  const { disk, id } = await filledDisk();
  const log = `/data/stores/bot-${id}/segment-0000000000000001.log`;
  await writeWhole(disk, log, Buffer.alloc(2_000));
  const engine = await Engine.open({ storage: await openOn(disk) });
  await expect(engine.bot("one")).rejects.toMatchObject({ code: "CORRUPT" });
  const listings = disk.fileSystem.count("readDirectory");
  const salvage = engine.salvage("one");
  // Not a turn later: on this disk it would be over by then.
  while (disk.fileSystem.count("readDirectory") === listings) await undefined;
  await engine.close();
  expect((await salvage).problems).toHaveLength(1);
  await expect(engine.salvage("one")).rejects.toMatchObject({ code: "CLOSED" });
  await (await openOn(disk)).close();
});

it("an engine that cannot be opened says why, and lets the directory go", async () => {
  const { disk } = await filledDisk();
  const offers: EngineOptions["embedders"] = {
    get late(): never {
      throw new TypeError("no such model");
    },
  };
  await expect(Engine.open({ storage: await openOn(disk), embedders: offers })).rejects.toThrow("no such model");
  await (await openOn(disk)).close();
});

it("a removed bot that cannot be deleted yet keeps no other from being opened", async () => {
  const { disk, id } = await filledDisk();
  const engine = await Engine.open({ storage: await openOn(disk) });
  await engine.createBot({ name: "two" });
  const isLeft = () => disk.fileSystem.stat(`/data/stores/bot-${id}`).then((found) => found !== undefined);
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "rename", pathEnd: `bot-${id}`, code: "EACCES" });
  await expect(engine.removeBot("one")).rejects.toMatchObject({ code: "NO_ACCESS" });
  await engine.close();
  const events: LogEvent[] = [];
  const next = await Engine.open({ storage: await openOn(disk), logger: (event) => void events.push(event) });
  expect(events).toMatchObject([{ event: "removedNotDeleted", botId: id }]);
  expect(next.listBots().map(({ name }) => name)).toEqual(["two"]);
  expect(await isLeft()).toBe(true);
  await next.close();
  disk.fileSystem.setFault(undefined);
  await (await Engine.open({ storage: await openOn(disk) })).close();
  expect(await isLeft()).toBe(false);
});

it("a bot that is removed while everything is verified is no damage", async () => {
  const { disk } = await filledDisk();
  const engine = await Engine.open({ storage: await openOn(disk) });
  for (const name of ["two", "three"]) await engine.createBot({ name });
  const verifying = engine.verify();
  await engine.removeBot("three");
  const { isWhole, stores } = await verifying;
  expect(isWhole).toBe(true);
  expect(stores.map(({ bot }) => bot?.name ?? "").sort()).toEqual(["", "one", "two"]);
  // One that is missing and not removed is.
  await disk.fileSystem.rename(`/data/stores/bot-${engine.findBot("two")?.id}`, "/data/stores/.elsewhere");
  expect((await engine.verify()).isWhole).toBe(false);
  expect((await engine.verify("two")).isWhole).toBe(false);
  await engine.close();
});

it("a bot that cannot be closed keeps neither the others open nor the directory held", async () => {
  const { disk, id } = await filledDisk();
  const engine = await Engine.open({ storage: await openOn(disk) });
  await engine.createBot({ name: "two" });
  const [one, two] = [await engine.bot("one"), await engine.bot("two")];
  const log = `bot-${id}/segment-0000000000000001.log`;
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "close", pathEnd: log });
  await expect(engine.close()).rejects.toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining(log) });
  for (const bot of [one, two]) await expect(bot.stats()).rejects.toMatchObject({ code: "CLOSED" });
  await (await openOn(disk)).close();
});
