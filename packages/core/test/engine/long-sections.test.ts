import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { eventsOf } from "../support/embedded-bot.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";

/** The knowledge of a bot fits into a section, its index does not. */
const SECTION_BYTES_MAX = 16_000;
const ARTICLES = 10;
const WORDS = 150;

async function engineOn(disk: ReturnType<typeof simulatedDisk>, events: LogEvent[] = []): Promise<Engine> {
  const storage = await openOn(disk, { sectionBytesMax: SECTION_BYTES_MAX });
  return Engine.open({
    storage,
    embedders: {},
    clock: new TestClock(),
    random: seededRandom(1),
    logger: (event) => events.push(event),
  });
}

it("an index that is too long for a snapshot is made again at every start, which is said once", async () => {
  const disk = simulatedDisk();
  const events: LogEvent[] = [];
  const first = await engineOn(disk, events);
  await first.createBot({ name: "bot" });
  const bot = await first.bot("bot");
  for (let i = 0; i < ARTICLES; i += 1) {
    const words = Array.from({ length: WORDS }, (_, word) => `w${i}x${word}`);
    await bot.createArticle({ title: `Article ${i}`, body: `About a lantern, number ${i}. ${words.join(" ")}` });
  }
  await bot.whenSearchable();
  await bot.snapshot();
  await bot.snapshot();
  expect(eventsOf(events)).toEqual(["snapshotPartLeftOut"]);
  const answers = await bot.search("lantern number 7");
  expect(answers).not.toEqual([]);
  const backup: Uint8Array[] = [];
  for await (const fragment of first.backup("bot")) backup.push(fragment.slice());
  await first.close();

  const second = await engineOn(disk);
  expect(await (await second.bot("bot")).search("lantern number 7")).toEqual(answers);
  async function* fragments() {
    yield* backup;
  }
  await second.close();
  const other = await engineOn(simulatedDisk());
  await other.restore(fragments());
  expect(await (await other.bot("bot")).search("lantern number 7")).toEqual(answers);
  await other.close();
});
