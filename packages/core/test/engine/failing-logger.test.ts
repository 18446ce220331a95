import { afterEach, expect, it, vi } from "vitest";
import { Engine, type LogEvent } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

afterEach(() => vi.restoreAllMocks());

const FAILING: Readonly<Record<string, (event: LogEvent) => void>> = {
  throws: () => {
    throw new Error("the log is full");
  },
  "throws what is no error": () => {
    throw undefined;
  },
  // Boundary of the test: TypeScript takes an asynchronous function for one that returns nothing.
  rejects: async () => {
    throw new Error("the log is full");
  },
};

it.each(Object.keys(FAILING))("a logger that %s breaks nothing, and is told once", async (how) => {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  process.on("unhandledRejection", onUncaught);
  try {
    const disk = simulatedDisk();
    const logger = vi.fn(FAILING[how]);
    const engine = await Engine.open({ storage: await openOn(disk), logger });
    await engine.createBot({ name: "one", quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 });
    const bot = await engine.bot("one");
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "open", pathEnd: ".section.tmp", code: "ENOSPC" });
    for (let n = 0; n < 200 || logger.mock.calls.length < 2; n += 1) {
      await bot.createArticle({ title: `Written ${n}`, body: "word ".repeat(400) });
    }
    await bot.whenSearchable();
    expect(await bot.search("written word")).toHaveLength(10);
    disk.fileSystem.setFault(undefined);
    await engine.close();
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(uncaught).toEqual([]);
  } finally {
    process.off("unhandledRejection", onUncaught);
  }
});
