import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bot, type CopyProgress, copyStores, Engine, LoredexError, type Storage } from "../../src/index.ts";
import { aDatabase, aDirectory, type Place } from "../support/places.ts";
import { TestClock } from "../support/test-clock.ts";

const PLACES = { "a directory": aDirectory, "a database": aDatabase };
const WORDS = ["refund", "parcel", "harbour", "invoice", "lantern"];

async function withEngine<Result>(place: Place, work: (engine: Engine) => Promise<Result>): Promise<Result> {
  const storage = await place();
  const engine = await Engine.open({ storage, clock: new TestClock(), background: false });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Makes a bot for each number, with that many articles. Returns their keys. */
function filled(place: Place, sizes: readonly number[]): Promise<string[]> {
  return withEngine(place, async (engine) => {
    const keys: string[] = [];
    for (const [index, size] of sizes.entries()) {
      keys.push((await engine.createBot({ name: `bot ${index}` })).key);
      const bot = await engine.bot(`bot ${index}`);
      for (let i = 0; i < size; i += 1) {
        await bot.createArticle({ title: `On ${WORDS[i % 5]}`, body: `The ${WORDS[(i * 3) % 5]} ${i}.\n\n- then\n` });
      }
      if (size > 0) await bot.putAgent("ann", true);
    }
    return keys;
  });
}

async function answersOf(bot: Bot): Promise<unknown> {
  await bot.whenSearchable();
  const found = [];
  for (const word of WORDS) found.push(await bot.search(word, { topK: 100, includeContent: true }));
  return [found, await bot.listArticles(), await bot.listAgents(), bot.info()];
}

/** All that an engine answers, and which bots the keys open. */
function answersIn(place: Place, keys: readonly string[]): Promise<string> {
  return withEngine(place, async (engine) => {
    const bots = [];
    for (const { id } of engine.listBots()) bots.push(await answersOf(await engine.bot(id)));
    return JSON.stringify([bots, keys.map((key) => engine.authenticate(key)?.id)]);
  });
}

async function copied(from: Place, to: Place, change: (storage: Storage) => Storage = (storage) => storage) {
  const [source, target] = [await from(), await to()];
  try {
    return await copyStores(source, change(target));
  } finally {
    await source.close();
    await target.close();
  }
}

/** Fails at the n-th call of a storage or of a store that it makes. */
function failing(calls: number): (storage: Storage) => Storage {
  let left = calls;
  const wrapped = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function" || name === "close") return value;
        return (...given: unknown[]) => {
          left -= 1;
          if (left < 0) return Promise.reject(new Error("interrupted"));
          return Reflect.apply(value, target, given.map(withWrappedCheck));
        };
      },
    });
  const withWrappedCheck = (given: unknown): unknown =>
    typeof given === "object" && given !== null && "check" in given && typeof given.check === "function"
      ? { ...given, check: wrappedCheck(given.check) }
      : given;
  const wrappedCheck =
    (check: object) =>
    (store: object): unknown =>
      Reflect.apply(check as () => void, undefined, [wrapped(store)]);
  return wrapped;
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof LoredexError ? error.code : error;
}

describe.each(Object.keys(PLACES).flatMap((from) => Object.keys(PLACES).map((to) => ({ from, to }))))(
  "a copy from $from to $to",
  ({ from, to }) => {
    const places = (): [Place, Place] => [
      PLACES[from === "a database" ? from : "a directory"](),
      PLACES[to === "a database" ? to : "a directory"](),
    ];

    it("answers as its source, wherever an earlier copy was interrupted", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
          fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 2 }),
          async (sizes, interruptions) => {
            const [source, target] = places();
            const keys = await filled(source, sizes);
            let isWhole = false;
            for (const calls of interruptions) {
              isWhole = (await copied(source, target, failing(calls)).catch(() => undefined)) !== undefined || isWhole;
              if (!isWhole) await opensNoBot(target);
            }
            const report = await copied(source, target);
            expect(report.bots).toBe(sizes.length);
            expect(await answersIn(target, keys)).toBe(await answersIn(source, keys));
          },
        ),
        { numRuns: 25 },
      );
    });

    it("skips bots that are whole, and replaces those that have changed", async () => {
      const [source, target] = places();
      await filled(source, [3, 3, 3]);
      // The creation of the catalog fails: all bots are there.
      const failsAtCatalog = (storage: Storage): Storage => ({
        ...boundTo(storage),
        create: (name, ...rest) =>
          name === "catalog" ? Promise.reject(new Error("interrupted")) : storage.create(name, ...rest),
      });
      await expect(copied(source, target, failsAtCatalog)).rejects.toThrow("interrupted");
      await withEngine(source, async (engine) => {
        await (await engine.bot("bot 1")).createArticle({ title: "Later", body: "later" });
        await engine.removeBot("bot 2");
      });
      expect(await copied(source, target)).toMatchObject({ bots: 2, botsBefore: 1 });
      expect(await answersIn(target, [])).toBe(await answersIn(source, []));
      expect(await copied(source, target)).toMatchObject({ bots: 2, botsBefore: 2, records: 0 });
    });

    it("refuses a target with other bots, and one that went on after its copy", async () => {
      const [source, target] = places();
      await filled(source, [2]);
      const [, other] = places();
      await filled(other, [1]);
      expect(await codeOf(copied(source, other))).toBe("BOT_EXISTS");
      await copied(source, target);
      await withEngine(target, async (engine) =>
        (await engine.bot("bot 0")).createArticle({ title: "Later", body: "later" }),
      );
      expect(await codeOf(copied(source, target))).toBe("BOT_EXISTS");
    });

    it("takes a target that an engine has opened and left empty", async () => {
      const [source, target] = places();
      const keys = await filled(source, [2]);
      await withEngine(target, async () => undefined);
      await copied(source, target);
      expect(await answersIn(target, keys)).toBe(await answersIn(source, keys));
    });
  },
);

it("a copy ends at a signal, tells its progress, and is continued", async () => {
  const [from, to] = [aDatabase(), aDatabase()];
  await filled(from, [2, 2, 2]);
  const [source, target] = [await from(), await to()];
  const stop = new AbortController();
  const told: CopyProgress[] = [];
  const onProgress = (progress: CopyProgress) => {
    told.push(progress);
    if (progress.botsDone === 2) stop.abort(new Error("stopped"));
  };
  await expect(copyStores(source, target, { onProgress, signal: stop.signal })).rejects.toThrow("stopped");
  expect(told).toEqual([
    { bots: 3, botsDone: 1, records: 3 },
    { bots: 3, botsDone: 2, records: 6 },
  ]);
  expect(await copyStores(source, target)).toMatchObject({ bots: 3, botsBefore: 2 });
});

it("a copy of a database that a node writes to meanwhile fails, and the target has no catalog", async () => {
  const [from, to] = [aDatabase(), aDatabase()];
  await filled(from, [2, 2]);
  const [source, target] = [await from(), await to()];
  let isWritten: Promise<void> | undefined;
  const onProgress = () => {
    isWritten ??= withEngine(from, async (engine) => {
      await (await engine.bot("bot 0")).createArticle({ title: "Meanwhile", body: "meanwhile" });
    });
  };
  const slow: Storage = {
    ...boundTo(target),
    create: async (...given) => {
      await isWritten;
      return target.create(...given);
    },
  };
  expect(await codeOf(copyStores(source, slow, { onProgress }))).toBe("CONFLICT");
  expect(await target.exists("catalog")).toBe(false);
  expect(await copyStores(source, target)).toMatchObject({ bots: 2 });
});

it("a copy needs a source with a catalog", async () => {
  expect(await codeOf(copied(aDatabase(), aDirectory()))).toBe("CORRUPT");
});

/** The functions of a storage as own properties, so that it can be spread. */
function boundTo(storage: Storage): Storage {
  return {
    ...(storage.shared === undefined ? {} : { shared: storage.shared }),
    create: storage.create.bind(storage),
    exists: storage.exists.bind(storage),
    open: storage.open.bind(storage),
    list: storage.list.bind(storage),
    remove: storage.remove.bind(storage),
    verify: storage.verify.bind(storage),
    salvage: storage.salvage.bind(storage),
    requireAccess: storage.requireAccess.bind(storage),
    requireWritable: storage.requireWritable.bind(storage),
    close: storage.close.bind(storage),
  };
}

/** An engine either refuses the place, or finds no bot in it. */
async function opensNoBot(place: Place): Promise<void> {
  const found = await withEngine(place, async (engine) => engine.listBots()).catch((error: unknown) => error);
  if (found instanceof LoredexError) expect(found.code).toBe("CORRUPT");
  else expect(found).toEqual([]);
}
