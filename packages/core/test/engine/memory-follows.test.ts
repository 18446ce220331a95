import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Bot, Engine } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { sizesOf } from "../support/directory-sizes.ts";

const PLENTY = 1_000_000_000;

/** An article of words that no other round has. */
function body(round: number): string {
  return Array.from({ length: 120 }, (_, window) => {
    const words = Array.from({ length: 20 }, (_, word) => `r${round}p${window}w${word}`);
    return `# Part ${window}\n\n${words.join(" ")}`;
  }).join("\n\n");
}

/** Until nothing is tidied any more. */
async function settled(bot: Bot): Promise<void> {
  await bot.whenSearchable();
  for (let round = 0; round < 2_000; round++) await setImmediate();
}

it("memory and snapshots follow what is there now when an article is updated again and again", async () => {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
  try {
    const limits = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
    const { bot: info } = await engine.createBot({ name: "updates", ...limits });
    const bot = await engine.bot(info.id);
    const snapshotBytes = async (): Promise<number> => {
      await bot.snapshot();
      return (await sizesOf(disk, `bot-${info.id}`)).snapshot;
    };
    const { article } = await bot.createArticle({ title: "Updated", body: body(0) });
    const other = await bot.createArticle({ title: "Kept", body: "What stays is found." });
    await settled(bot);
    const [once, snapshotOnce] = [await bot.stats(), await snapshotBytes()];
    expect(snapshotOnce).toBeGreaterThan(10_000);
    for (let round = 1; round <= 40; round++) {
      await bot.updateArticle(article.id, { body: body(round) });
      await bot.whenSearchable();
    }
    await settled(bot);
    const [now, snapshotNow] = [await bot.stats(), await snapshotBytes()];
    expect(snapshotNow).toBeLessThan(snapshotOnce * 1.2);
    expect(now.terms).toBeLessThan(once.terms * 1.2);
    expect(now.memoryBytes).toBeLessThan(once.memoryBytes * 4);
    const found = async (query: string): Promise<string[]> =>
      (await bot.search(query)).map(({ resourceDocId }) => resourceDocId);
    expect(await found("r40p7w3 r40p7w4")).toEqual([article.id]);
    expect(await found("r3p7w3 r3p7w4")).toEqual([]);
    expect(await found("what stays")).toEqual([other.article.id]);
  } finally {
    await engine.close();
  }
});
