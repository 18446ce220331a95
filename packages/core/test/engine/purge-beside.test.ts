import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import type { OpenFile } from "../../src/storage/file-system.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { tokenCodesOfWords } from "../support/fake-token-codes.ts";
import { filesOf } from "../support/files-of.ts";

/** A purge beside all else that a bot does at the same time: what was deleted before it is in no file after it. */

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("import" as const), lines: fc.constantFrom(1, 1, 2, 160) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("remove" as const, "replace" as const), at: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("purge" as const, "search" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("switch" as const), to: fc.constantFrom("one", "two", "plain", "none") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("snapshot" as const, "restart" as const) }) },
);
const life = fc.record({
  steps: fc.array(fc.record({ step, turns: fc.constantFrom(0, 0, 1, 3, 10, 40) }), { minLength: 6, maxLength: 24 }),
  textsPerCall: fc.constantFrom(1, 8, 400),
  waits: fc.array(fc.constantFrom(0, 0, 0, 1, 4, 20), { minLength: 5, maxLength: 11 }),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

/** Has every write to files of blocks wait for others to have their turn. */
function slowBlocks({ fileSystem }: SimulatedDisk, wait: () => Promise<void>): void {
  const open = fileSystem.open.bind(fileSystem);
  fileSystem.open = async (path, mode): Promise<OpenFile> => {
    const file = await open(path, mode);
    if (!path.includes(".blocks")) return file;
    const write = file.write.bind(file);
    file.write = async (chunks, position) => {
      await wait();
      await write(chunks, position);
    };
    return file;
  };
}

/** The words and ids of these that any file has, as text or as token codes. */
async function inFiles(disk: SimulatedDisk, words: Iterable<string>): Promise<string[]> {
  const files = await filesOf(disk);
  const found: string[] = [];
  for (const word of words) {
    for (const [path, bytes] of files)
      if (bytes.includes(word) || bytes.includes(Buffer.from(tokenCodesOfWords(word))))
        found.push(`${word} in ${path}`);
  }
  return found;
}

it("after a purge no file has anything of what was deleted before it, whatever goes on beside it", async () => {
  let [purges, switches] = [0, 0];
  await fc.assert(
    fc.asyncProperty(life, async ({ steps, textsPerCall, waits }) => {
      const disk = simulatedDisk();
      let waited = 0;
      const wait = (): Promise<void> => turns(waits[waited++ % waits.length] ?? 0);
      slowBlocks(disk, wait);
      const offer = (version: string, tokens?: string) => ({
        languages: [],
        open: async () => {
          await wait();
          return new FakeEmbedder({
            version,
            textsPerCall,
            onPassages: wait,
            ...(tokens === undefined ? {} : { tokens }),
          });
        },
      });
      const embedders = { one: offer("1", "1"), two: offer("2", "2"), plain: offer("1") };
      const open = async (): Promise<Engine> => Engine.open({ storage: await openOn(disk), embedders });
      let engine = await open();
      await engine.createBot({ name: "bot", embedder: "one" });
      const live: { readonly id: string; readonly word: string }[] = [];
      const gone = new Set<string>();
      const purged = new Set<string>();
      let going: Promise<unknown>[] = [];
      let made = 0;
      const bring = async (bot: Bot, id: string, lines: number): Promise<void> => {
        const word = `secret${made++}word`;
        const md = Array.from({ length: lines }, (_, i) => `Line ${i} has ${word}, ${"as is told ".repeat(22)}.`);
        live.push({ id, word });
        await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md: md.join("\n\n") }] });
      };
      for (const { step, turns: after } of steps) {
        const bot = await engine.bot("bot");
        const [old] = "at" in step ? live.splice(step.at % Math.max(1, live.length), 1) : [];
        if (step.kind === "import") await bring(bot, `document${made}id`, step.lines);
        else if (step.kind === "replace" && old !== undefined) {
          await bring(bot, old.id, 1);
          gone.add(old.word);
        } else if (step.kind === "remove" && old !== undefined) {
          await bot.removeDocument(old.id);
          gone.add(old.word).add(old.id);
        } else if (step.kind === "purge") {
          const before = [...gone];
          purges += before.length > 0 ? 1 : 0;
          const purge = async (): Promise<void> => {
            await engine.purge("bot");
            for (const word of before) purged.add(word);
            expect(await inFiles(disk, before)).toEqual([]);
          };
          going.push(purge());
        } else if (step.kind === "search") going.push(bot.search("what is told"));
        else if (step.kind === "snapshot") going.push(bot.snapshot());
        else if (step.kind === "switch") {
          switches++;
          going.push(engine.updateBot("bot", { embedder: step.to }));
        } else if (step.kind === "restart") {
          await Promise.all(going);
          going = [];
          await engine.close();
          engine = await open();
        }
        await turns(after);
      }
      await Promise.all(going);
      const bot = await engine.bot("bot");
      await bot.whenUpgraded();
      // What the embedder had during a purge has come since.
      expect(await inFiles(disk, purged)).toEqual([]);
      await engine.purge("bot");
      await bot.whenUpgraded();
      expect(await inFiles(disk, gone)).toEqual([]);
      const { texts, tokenCodes } = (await bot.stats()).vectors;
      if (tokenCodes !== undefined)
        expect(tokenCodes).toMatchObject({ texts, documentsWaiting: 0, documentsGivenUp: 0 });
      await engine.close();
      expect(await inFiles(disk, gone)).toEqual([]);
    }),
    { numRuns: lawRuns(160), endOnFailure: true },
  );
  expect([purges > 1, switches > 5]).toEqual([true, true]);
});
