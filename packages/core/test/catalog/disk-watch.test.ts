import { expect, it, onTestFinished } from "vitest";
import { BotFaults } from "../../src/catalog/bot-faults.ts";
import { DiskWatch } from "../../src/catalog/disk-watch.ts";
import { LoredexError } from "../../src/domain/errors.ts";
import type { LogEvent } from "../../src/runtime/log-event.ts";
import { TestClock } from "../support/test-clock.ts";

const forbidden = () => new LoredexError("NO_ACCESS", "Cannot read and write a file.");

const untilAborted = (_ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));

/** A watch over a disk that the test breaks and mends, whose pauses the test ends. */
function watched({ open = [] as string[], background = true } = {}) {
  const disk = { broken: new Set<string>(), isFull: false, isAwaited: false, looks: 0, trials: 0 };
  const events: LogEvent[] = [];
  const pausesMs: number[] = [];
  let wake = (): void => undefined;
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
    idleSleep: untilAborted,
    keepOpen: () => undefined,
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
  return { disk, events, pausesMs, faults, watch, wake: () => wake(), nextLook };
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
