import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { LoredexError } from "../../src/model/errors.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import type { Store } from "../../src/storage/store.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { CAR, offer, opened } from "../support/embedded-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { TestClock } from "../support/test-clock.ts";

/** A storage whose bots cannot be opened while the test says so. */
class RefusingStorage extends KeptStorage {
  refusal: LoredexError | undefined;
  tries = 0;

  override async open(name: string): Promise<Store> {
    if (name.startsWith("bot-")) {
      this.tries += 1;
      if (this.refusal !== undefined) throw this.refusal;
    }
    return super.open(name);
  }
}

const worse = ({ level }: LogEvent): boolean => level !== "info";

it("a damaged bot with unfinished work is told once: refused until a restart, and not tried again", async () => {
  const storage = new RefusingStorage();
  let asked = 0;
  const onPassages = (): void => {
    asked += 1;
    throw new Error("There is no embedder today.");
  };
  const first = await opened(storage, { onPassages });
  await first.bot.createArticle(CAR);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await first.engine.close();
  storage.refusal = new LoredexError("CORRUPT", "Its log is damaged.");
  const events: LogEvent[] = [];
  const embedders = { fake: offer([]) };
  const engine = await Engine.open({ storage, embedders, logger: (event) => void events.push(event) });
  await expect.poll(() => events.filter(worse)).toHaveLength(1);
  for (let i = 0; i < 3; i += 1) await expect(engine.bot("bot")).rejects.toMatchObject({ code: "CORRUPT" });
  expect(events.filter(worse)).toMatchObject([{ event: "botQuarantined" }]);
  expect(events[0]?.message).not.toContain("tried again");
  expect(engine.listBots()[0]?.fault).toMatchObject({ kind: "damaged" });
  await engine.close();
});

it("a bot that cannot be opened is tried again after a pause, however many ask for it, and is whole when it can be", async () => {
  const storage = new RefusingStorage();
  const clock = new TestClock();
  const first = await Engine.open({ storage });
  const { bot } = await first.createBot({ name: "bot" });
  await (await first.bot("bot")).createArticle(CAR);
  await first.close();
  storage.refusal = new LoredexError("NO_ACCESS", "Cannot open a file.");
  storage.tries = 0;
  const events: LogEvent[] = [];
  const engine = await Engine.open({ storage, clock, background: false, logger: (event) => void events.push(event) });
  for (let i = 0; i < 5; i += 1) await expect(engine.bot("bot")).rejects.toMatchObject({ code: "BOT_INACCESSIBLE" });
  expect(storage.tries).toBe(1);
  expect(engine.condition()).toEqual({ canWrite: true, faults: [{ id: bot.id, kind: "inaccessible" }] });
  storage.refusal = undefined;
  await expect(engine.bot("bot")).rejects.toMatchObject({ code: "BOT_INACCESSIBLE" });
  clock.advance(1_000);
  expect(await (await engine.bot("bot")).search("car")).toHaveLength(1);
  expect(engine.condition().faults).toEqual([]);
  expect(engine.listBots()[0]).not.toHaveProperty("fault");
  expect(events.map(({ event }) => event)).toEqual(["botInaccessible", "botUsable"]);
  await engine.close();
});

it("an engine on a full disk tells it once, knows that nothing can be written, and sees when there is room", async () => {
  const disk = simulatedDisk();
  const events: LogEvent[] = [];
  const engine = await Engine.open({ storage: await openOn(disk), logger: (event) => void events.push(event) });
  const { bot } = await engine.createBot({ name: "bot", embedder: "none" });
  const opened = await engine.bot("bot");
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "write", code: "ENOSPC" });
  for (let i = 0; i < 4; i += 1) await expect(opened.createArticle(CAR)).rejects.toMatchObject({ code: "DISK_FULL" });
  await expect
    .poll(() => engine.condition())
    .toEqual({ canWrite: false, faults: [{ id: bot.id, kind: "notWritable" }] });
  disk.fileSystem.setFault(undefined);
  await opened.createArticle(CAR);
  expect(engine.condition().faults).toEqual([]);
  await expect.poll(() => engine.condition().canWrite).toBe(true);
  expect(events.map(({ event }) => event).sort()).toEqual([
    "botNotWritable",
    "botWritable",
    "directoryNotWritable",
    "directoryWritable",
  ]);
  await engine.close();
  expect(await disk.fileSystem.readDirectory("/data/stores")).not.toContain(".trial");
});
