import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Engine } from "../../src/index.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { type DirectorySizes, sizesOf } from "../support/directory-sizes.ts";
import { offer } from "../support/embedded-bot.ts";
import { hnswlibPart } from "../support/graph-kinds.ts";

const MEBIBYTE = 1_048_576;
const PLENTY = 1_000_000_000_000;

/** What a store has come to when no file changes any more: a snapshot rests for a millisecond between its slices, on a busy machine for longer. */
async function restingSizes(disk: SimulatedDisk, store: string) {
  for (let before = -1; before !== disk.fileSystem.operations; ) {
    before = disk.fileSystem.operations;
    await setTimeout(4);
  }
  const isAtRest = async () => {
    const sizes = await sizesOf(disk, store);
    return !sizes.isWriting && aboveLimit(sizes) <= 0;
  };
  await expect.poll(isAtRest, { interval: 4 }).toBe(true);
  return sizesOf(disk, store);
}

/** How far it is above what it may take, or negative. */
function aboveLimit({ all, snapshot }: DirectorySizes): number {
  return all - 2.5 * snapshot - MEBIBYTE;
}

const life = fc.record({
  articles: fc.integer({ min: 1, max: 60 }),
  bodyCharacters: fc.integer({ min: 10, max: 20_000 }),
  together: fc.constantFrom(1, 4, 16),
  updates: fc.integer({ min: 100, max: 400 }),
});

it("a bot's directory stays small however often its articles are updated, also while a snapshot is written", async () => {
  let snapshots = 0;
  await fc.assert(
    fc.asyncProperty(life, async ({ articles, bodyCharacters, together, updates }) => {
      const disk = simulatedDisk();
      const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
      const limits = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
      const { bot: info } = await engine.createBot({ name: "updated", ...limits });
      const [bot, store] = [await engine.bot(info.id), `bot-${info.id}`];
      const ids: string[] = [];
      const body = (n: number): string => `${n} ${"word ".repeat(bodyCharacters / 5)}`;
      for (let n = 0; n < articles; n += 1) {
        ids.push((await bot.createArticle({ title: "Updated", body: body(n) })).article.id);
      }
      for (let n = 0; n < updates; n += together) {
        const changes = Array.from({ length: together }, (_, i) => ({
          id: ids[(n + i) % articles] ?? "",
          body: body(n + i),
        }));
        await Promise.all(changes.map(({ id, body: changed }) => bot.updateArticle(id, { body: changed })));
        const { all, snapshot } = await sizesOf(disk, store);
        expect(all).toBeLessThanOrEqual(3.5 * snapshot + MEBIBYTE);
        await restingSizes(disk, store);
      }
      const names = await disk.fileSystem.readDirectory(`/data/stores/${store}`);
      snapshots = Math.max(snapshots, ...names.map((name) => Number(/snapshot-(\d+)\.manifest/.exec(name)?.[1] ?? 0)));
      await engine.close();
    }),
    { numRuns: 3, seed: 1 },
  );
  expect(snapshots).toBeGreaterThan(3);
}, 120_000);

const growth = fc.array(fc.constantFrom(20, 300, 700), { minLength: 2, maxLength: 3 });

it.skipIf(hnswlibPart.isMissing)(
  hnswlibPart.named(
    "a bot's graph takes at most four times a snapshot and 1 MiB beside the rest, also when most of its vectors are gone",
  ),
  async () => {
    let [kept, dropped] = [0, 0];
    await fc.assert(
      fc.asyncProperty(growth, async (sizes) => {
        const disk = simulatedDisk();
        const embedders = { fake: offer([], { textsPerCall: 200 }) };
        const engine = await Engine.open({
          storage: await openOn(disk),
          embedders,
          graphVectorsMin: 200,
          graph: "hnswlib",
        });
        const { bot: info } = await engine.createBot({ name: "grown" });
        const [bot, store] = [await engine.bot(info.id), `bot-${info.id}`];
        let [size, before] = [0, 0];
        for (const wanted of sizes) {
          const changes: Promise<unknown>[] = [];
          for (; size > wanted; size -= 1) changes.push(bot.removeDocument(`d${size - 1}`));
          for (; size < wanted; size += 1) {
            const content = [{ md: `word${size} other${size % 40}` }];
            changes.push(bot.importDocument({ resourceDocId: `d${size}`, type: "WEBPAGE", content }));
          }
          await Promise.all(changes);
          await bot.whenUpgraded();
          // Two are kept, and both shall be of the bot as it is now.
          await bot.snapshot();
          await bot.putAgent("ann", true);
          await bot.snapshot();
          const { caches, snapshot } = await restingSizes(disk, store);
          expect(caches).toBeLessThanOrEqual(4 * snapshot + MEBIBYTE);
          if (caches > 0) kept += 1;
          if (before > 0 && caches === 0) dropped += 1;
          before = caches;
        }
        await engine.close();
      }),
      { numRuns: 4, seed: 3, examples: [[[700, 20, 300]]] },
    );
    expect(kept).toBeGreaterThan(3);
    expect(dropped).toBeGreaterThan(0);
  },
  120_000,
);
