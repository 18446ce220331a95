import { expect, it, onTestFinished } from "vitest";
import { BotFaults } from "../../src/catalog/bot-faults.ts";
import { DiskWatch } from "../../src/catalog/disk-watch.ts";
import { LoredexError } from "../../src/model/errors.ts";
import { onAbort } from "../../src/platform/abort.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import type { LostStores } from "../../src/storage/store.ts";
import { TestClock } from "../support/test-clock.ts";

const forbidden = () => new LoredexError("NO_ACCESS", "Cannot read and write a file.");

/** A watch over a disk that the test breaks and mends, whose pauses the test ends. */
function watched({ open = [] as string[], background = true } = {}) {
  const disk = { broken: new Set<string>(), isFull: false, isAwaited: false, looks: 0, trials: 0 };
  const places = { check: async (): Promise<LostStores> => ({ stores: new Map() }), checks: 0, kept: [] as string[] };
  const events: LogEvent[] = [];
  const pausesMs: number[] = [];
  let wake = (): void => undefined;
  let check = (): void => undefined;
  const faults = new BotFaults(new TestClock(), (event) => void events.push(event));
  const watch = new DiskWatch({
    storage: {
      requireAccess: async (name) => {
        disk.looks += 1;
        if (disk.broken.has(name)) throw forbidden();
      },
      requireWritable: async () => {
        disk.trials += 1;
        if (disk.isFull) throw new LoredexError("DISK_FULL", "The disk is full.");
      },
      checkPlaces: () => places.check(),
    },
    faults,
    logger: (event) => void events.push(event),
    sleep: (ms, signal) => {
      pausesMs.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
        signal?.addEventListener("abort", () => resolve());
      });
    },
    idleSleep: (_ms, signal) => {
      places.checks += 1;
      return new Promise((resolve) => {
        check = resolve;
        onAbort(signal, () => resolve());
      });
    },
    keepOpen: (id) => void places.kept.push(id),
    isOpen: (id) => open.includes(id),
    isAwaited: () => disk.isAwaited,
    background,
  });
  onTestFinished(() => watch.close());
  const nextLook = async (): Promise<void> => {
    const before = pausesMs.length;
    wake();
    await expect.poll(() => pausesMs.length).toBeGreaterThan(before);
  };
  /** Checks all places, and resolves when the check is over. */
  const checked = async (): Promise<void> => {
    const before = places.checks;
    check();
    await expect.poll(() => places.checks).toBe(before + 1);
  };
  return { disk, places, events, pausesMs, faults, watch, wake: () => wake(), check: () => check(), nextLook, checked };
}

const names = (events: readonly LogEvent[]): string[] => events.map(({ event }) => event);

it("finds at the start what may not be used, tells it once, and sees when it is mended", async () => {
  const { disk, events, pausesMs, watch, wake, nextLook } = watched({ open: ["c"] });
  for (const id of ["b", "c"]) disk.broken.add(`bot-${id}`);
  watch.lookThrough(["a", "b", "c"]);
  await expect.poll(() => pausesMs).toEqual([1_000]);
  expect(watch.condition()).toEqual({ canWrite: true, faults: [{ id: "b", kind: "inaccessible" }] });
  await nextLook();
  await nextLook();
  expect(pausesMs).toEqual([1_000, 2_000, 4_000]);
  expect(names(events)).toEqual(["botsInaccessible"]);
  disk.broken.clear();
  wake();
  await expect.poll(() => watch.condition().faults).toEqual([]);
  expect(names(events)).toEqual(["botsInaccessible", "botUsable"]);
});

it("leaves a disk alone on which nothing is wrong", async () => {
  const { disk, events, pausesMs, watch } = watched();
  watch.lookThrough(["a", "b"]);
  await expect.poll(() => disk.looks).toBe(2);
  await watch.close();
  expect([events, pausesMs, disk.trials]).toEqual([[], [], 0]);
});

it("looks through while nobody waits for the disk", async () => {
  const { disk, pausesMs, watch, nextLook, wake } = watched();
  disk.isAwaited = true;
  watch.lookThrough(["a", "b"]);
  await expect.poll(() => pausesMs.length).toBe(1);
  await nextLook();
  expect(disk.looks).toBe(0);
  disk.isAwaited = false;
  wake();
  await expect.poll(() => disk.looks).toBe(2);
});

it("tries after a write that failed whether anything can be written, until it can", async () => {
  const { disk, events, watch, wake, nextLook, pausesMs } = watched();
  disk.isFull = true;
  watch.failed("write");
  await expect.poll(() => watch.condition().canWrite).toBe(false);
  await expect.poll(() => pausesMs).toHaveLength(1);
  watch.failed("write");
  await nextLook();
  expect(names(events)).toEqual(["directoryNotWritable"]);
  expect(events[0]?.message).toContain("The disk is full.");
  disk.isFull = false;
  wake();
  await expect.poll(() => watch.condition().canWrite).toBe(true);
  expect(names(events)).toEqual(["directoryNotWritable", "directoryWritable"]);
});

it("tries again after a write that fails in whatever moment of a watch's end", async () => {
  for (let moments = 0; moments < 20; moments += 1) {
    const { disk, watch, wake } = watched();
    watch.failed("write");
    expect(disk.trials).toBe(1);
    for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
    disk.isFull = true;
    watch.failed("write");
    const canWrite = (): boolean => {
      wake();
      return watch.condition().canWrite;
    };
    await expect.poll(canWrite, { message: `after ${moments} moments` }).toBe(false);
  }
});

it("takes one bot's failed write for no fault of all, and is still where nothing goes on by itself", async () => {
  const one = watched();
  one.watch.failed("write");
  await expect.poll(() => one.disk.trials).toBe(1);
  expect(one.watch.condition().canWrite).toBe(true);
  const still = watched({ background: false });
  still.disk.isFull = true;
  still.watch.lookThrough(["a"]);
  still.watch.failed("write");
  await still.watch.close();
  expect([still.disk.looks, still.disk.trials]).toEqual([0, 0]);
});

const lostStore = new LoredexError("READ_ONLY", "The log was removed.");
const lostDirectory = new LoredexError("READ_ONLY", "The data directory was removed.");

it("tells of a lost store once, and keeps its bot open as long as it is lost", async () => {
  const { places, events, faults, watch, checked } = watched();
  const lost = async () => ({ stores: new Map(["bot-a", "catalog"].map((name) => [name, lostStore])) });
  places.check = lost;
  await checked();
  await checked();
  expect(faults.of("a")).toEqual({ kind: "readOnly", message: lostStore.message });
  expect([names(events), places.kept, watch.condition().canWrite]).toEqual([["botNotWritable"], ["a", "a"], true]);
  places.check = async () => ({ stores: new Map() });
  await checked();
  places.check = lost;
  await checked();
  expect(places.kept).toEqual(["a", "a", "a"]);
});

it("tells of a lost directory once and of none of its bots, and does not try again to write there", async () => {
  const { disk, places, events, faults, watch, checked } = watched();
  places.check = async () => ({ directory: lostDirectory, stores: new Map([["bot-a", lostStore]]) });
  await checked();
  await checked();
  const fault = { kind: "readOnly", message: lostDirectory.message };
  expect(["a", "b"].map((id) => faults.of(id))).toEqual([fault, fault]);
  expect([names(events), places.kept]).toEqual([["directoryLost"], ["a", "a"]]);
  expect(watch.condition()).toEqual({ canWrite: false, faults: [] });
  // A write that was refused meanwhile is a fault of the directory.
  faults.writeFailed("a", lostStore);
  watch.failed("write");
  await watch.close();
  expect([names(events), disk.trials, watch.condition().canWrite]).toEqual([["directoryLost"], 0, false]);
  faults.openingFailed("c", new LoredexError("CORRUPT", "The bot is damaged."));
  expect(faults.of("c")).toMatchObject({ kind: "damaged" });
});

it("checks places again after a check that failed", async () => {
  const { places, events, checked } = watched();
  places.check = () => Promise.reject(new Error("The disk fails."));
  await checked();
  places.check = async () => ({ directory: lostDirectory, stores: new Map() });
  await checked();
  expect(names(events)).toEqual(["directoryLost"]);
});

it("tells nothing that a check finds while it is closed", async () => {
  const { places, events, watch, check } = watched();
  const checking = deferred();
  const begun = deferred();
  places.check = async () => {
    begun.resolve();
    await checking.promise;
    return { directory: lostDirectory, stores: new Map() };
  };
  check();
  await begun.promise;
  const closed = watch.close();
  checking.resolve();
  await closed;
  expect(events).toEqual([]);
});
