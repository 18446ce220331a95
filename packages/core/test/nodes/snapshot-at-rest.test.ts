import { expect, it, vi } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { Snapshotter } from "../../src/background/snapshotter.ts";
import { storeName } from "../../src/catalog/store-names.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { emptyState } from "../../src/log/state.ts";
import { SHARED_SNAPSHOT_LOG_BYTES_MIN } from "../../src/model/options.ts";
import { JobTurn } from "../../src/nodes/job-turn.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import type { Store } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { opened } from "../support/embedded-bot.ts";

const IGNORED = { snapshot: () => undefined, record: () => undefined };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("a node that closes a bot leaves nothing of its writes to be replayed", async () => {
  const database = new SimulatedDatabase();
  const { engine, bot } = await opened(database.open());
  for (let count = 0; count < 3; count += 1) {
    await bot.createArticle({ title: `Long ${count}`, body: "word ".repeat(2_000) });
  }
  await engine.close();
  const store = await database.open().open(storeName(bot.id));
  expect(await store.recover(IGNORED)).toMatchObject({ replayedRecords: 0 });
  await store.close();
});

/** A snapshotter of a shared store whose log has grown, and whose rest is decided by the test. */
async function snapshotter(logBytesSinceSnapshot: number) {
  const storage = new SimulatedDatabase().open();
  await storage.create("bot");
  const stored = await storage.open("bot");
  await stored.recover(IGNORED);
  const writeSnapshot = vi.fn(async () => []);
  const sizes = () => ({ logBytesSinceSnapshot, snapshotBytes: 0, totalBytes: 0 });
  const { shared } = stored;
  const store: Store = Object.assign(Object.create(stored), { shared, sizes, writeSnapshot });
  const rests: (() => void)[] = [];
  const state = emptyState();
  const clock = { monotonicMs: () => 0 };
  let isIndexed = true;
  const made = new Snapshotter({
    store,
    state,
    index: new SearchIndex(new LanguageAnalyzer("multi")),
    logger: () => undefined,
    botId: "bot",
    lagBytesMax: 1,
    turn: new JobTurn("snapshot", shared, clock),
    isIndexed: () => isIndexed,
    sleep: (_ms, signal) => {
      const { promise, resolve } = deferred();
      rests.push(resolve);
      signal.addEventListener("abort", () => resolve());
      return promise;
    },
  });
  /** Ends the pause in which the snapshotter looks whether something is written. */
  const pause = async (): Promise<void> => {
    rests.pop()?.();
    for (let turn = 0; turn < 20; turn += 1) await settled();
  };
  const indexed = (is: boolean): void => {
    isIndexed = is;
  };
  return { made, state, writeSnapshot, rests, pause, indexed };
}

it("writes a snapshot once nothing was written for a while, and all is indexed", async () => {
  const { made, state, writeSnapshot, pause, indexed } = await snapshotter(SHARED_SNAPSHOT_LOG_BYTES_MIN + 1);
  made.writeIfDue();
  state.sequence += 1;
  await pause();
  expect(writeSnapshot).not.toHaveBeenCalled();
  indexed(false);
  await pause();
  expect(writeSnapshot).not.toHaveBeenCalled();
  indexed(true);
  await pause();
  expect(writeSnapshot).toHaveBeenCalledOnce();
});

it("writes none at rest for a short log, and none when it is closed meanwhile", async () => {
  const short = await snapshotter(SHARED_SNAPSHOT_LOG_BYTES_MIN);
  short.made.writeIfDue();
  await short.pause();
  await short.pause();
  expect(short.writeSnapshot).not.toHaveBeenCalled();
  const closed = await snapshotter(SHARED_SNAPSHOT_LOG_BYTES_MIN + 1);
  closed.made.stop();
  closed.made.writeIfDue();
  expect(closed.rests).toEqual([]);
});
