import { rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import timers from "node:timers/promises";
import { type Bot, Engine, LoredexError } from "@loredex/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { importSources, syncSources } from "../../../src/index.ts";
import { documentLine, writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const PAUSE_MS = 5_000;

/** Pauses of imports, which take no time until the end of the test. */
function quickPauses(): number[] {
  const pauses: number[] = [];
  const { setTimeout: sleep } = timers;
  const quick: typeof sleep = async (ms, value, options) => {
    if (ms !== PAUSE_MS) return sleep(ms, value, options);
    pauses.push(ms);
    return value as never;
  };
  vi.spyOn(timers, "setTimeout").mockImplementation(quick);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return pauses;
}

const ASKED = ["listSources", "ownedDocuments", "putSourceArgument", "importDocument", "removeDocument"] as const;

/** The bot, whose process is short of memory at every other call of each kind: the first is refused. Counts those that were taken. */
function shortBot(bot: Bot) {
  const taken = new Map<string, number>();
  const refusing = new Set<string>();
  const short = new Proxy(bot, {
    get: (target, name: keyof Bot) => {
      const asked: unknown = Reflect.get(target, name);
      if (typeof asked !== "function" || !ASKED.some((each) => each === name)) return asked;
      return (...given: unknown[]) => {
        if (!refusing.delete(name)) {
          refusing.add(name);
          return Promise.reject(new LoredexError("OUT_OF_MEMORY", "short of memory: --memory-max"));
        }
        taken.set(name, (taken.get(name) ?? 0) + 1);
        return Reflect.apply(asked, target, given);
      };
    },
  });
  return { short, taken };
}

it("an import waits for memory with everything that it asks of a bot: at its first call, its report and what it removes", async () => {
  const pauses = quickPauses();
  const directory = await temporaryDirectory();
  const engine = await Engine.open({ embedders: {} });
  onTestFinished(() => engine.close());
  await engine.createBot({ name: "bot" });
  const { short, taken } = shortBot(await engine.bot("bot"));
  await writeFiles(directory, { "a.jsonl": documentLine("a"), "b.jsonl": documentLine("b") });
  expect(await importSources(short, [directory])).toMatchObject({ added: 2, failed: 0, problems: [] });
  expect(await importSources(short, [directory])).toMatchObject({ unchanged: 2, failed: 0 });
  await rm(join(directory, "b.jsonl"));
  const [synced] = await syncSources(short);
  expect(synced).toMatchObject({ report: { unchanged: 1, removed: 1, failed: 0 } });
  expect([...taken.keys()].sort()).toEqual([...ASKED].sort());
  // A pause for each call, and no more.
  const calls = [...taken.values()].reduce((sum, count) => sum + count, 0);
  expect(pauses).toHaveLength(calls);
});
