import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { IndexQueue } from "../../src/background/index-queue.ts";
import { type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";
import { TestClock } from "../support/test-clock.ts";

it("waits for what waits already, whatever comes later and is taken out again", async () => {
  const indexed: string[] = [];
  const queue = new IndexQueue({
    *index(id) {
      indexed.push(id);
      yield;
    },
    slices: new TimeSlices(new TestClock()),
    logger: () => undefined,
    lengthMax: 4,
  });
  let [isIdle, hasCapacity] = [false, false];
  for (const id of ["a", "b", "c"]) queue.add(id);
  const idle = queue.whenIdle().then(() => {
    isIdle = true;
  });
  queue.add("d");
  const room = queue.whenNotFull().then(() => {
    hasCapacity = true;
  });
  for (const id of ["e", "f", "g"]) queue.add(id);
  for (const id of ["e", "f", "g"]) queue.remove(id);
  for (let i = 0; i < 9; i += 1) await undefined;
  expect({ indexed, isIdle, hasCapacity }).toEqual({ indexed: [], isIdle: false, hasCapacity: false });
  queue.remove("a");
  for (let i = 0; i < 9; i += 1) await undefined;
  expect({ indexed, isIdle, hasCapacity }).toEqual({ indexed: [], isIdle: false, hasCapacity: true });
  await Promise.all([idle, room]);
  expect(indexed.slice(0, 2)).toEqual(["b", "c"]);
  await setImmediate();
  expect(indexed).toEqual(["b", "c", "d"]);
  await queue.whenIdle();
  await queue.close();
});

/** A queue of documents that take `steps` turns each, and what it has indexed. `onRest` is called between two turns. */
function queueOf(steps: number, onRest: () => void = () => undefined) {
  const [indexed, events]: [string[], string[]] = [[], []];
  let ms = 0;
  const clock = { wallMs: () => ms, monotonicMs: () => (ms += 100) };
  const rest = async (): Promise<void> => {
    await setImmediate();
    onRest();
  };
  const queue = new IndexQueue({
    *index(id): Sliced<void> {
      for (let i = 0; i < steps; i++) yield;
      indexed.push(id);
    },
    slices: new TimeSlices(clock, { lane: rest }),
    logger: ({ event }) => void events.push(event),
    lengthMax: 4,
  });
  return { queue, indexed, events };
}

it("comes to a document behind one that is written all the time, which is indexed too", async () => {
  const { queue, indexed } = queueOf(3, () => {
    if (indexed.length < 200) queue.add("a");
  });
  queue.add("a");
  queue.add("b");
  queue.add("c");
  const waited = queue.whenIdle().then(() => [...indexed]);
  while (indexed.length < 100) await setImmediate();
  expect(indexed.slice(0, 4)).toEqual(["a", "b", "c", "a"]);
  expect((await waited).length).toBeLessThanOrEqual(4);
  await queue.whenIdle();
  await queue.close();
});

it("has indexed what was written when it says so, also of a document that was being indexed", async () => {
  let version = 1;
  let rests = 0;
  const waits: Promise<void>[] = [];
  const seen: number[] = [];
  let ms = 0;
  const lane = async (): Promise<void> => {
    await setImmediate();
    if (++rests > 60) return;
    const mine = ++version;
    queue.add("a");
    waits.push(queue.whenIdle().then(() => expect(seen.at(-1)).toBeGreaterThanOrEqual(mine)));
  };
  const queue: IndexQueue = new IndexQueue({
    *index(id): Sliced<void> {
      const begun = version;
      for (let i = 0; i < 3; i++) yield;
      if (id === "a") seen.push(begun);
    },
    slices: new TimeSlices({ wallMs: () => ms, monotonicMs: () => (ms += 100) }, { lane }),
    logger: () => undefined,
    lengthMax: 4,
  });
  queue.add("a");
  queue.add("b");
  expect(queue.length).toBe(2);
  while (rests <= 60) await setImmediate();
  await queue.whenIdle();
  expect(waits).toHaveLength(60);
  await Promise.all(waits);
  expect(queue.length).toBe(0);
  await queue.close();
});

it("goes on after something that could not be done besides", async () => {
  const { queue, indexed, events } = queueOf(3);
  queue.addChore(
    (function* (): Sliced<void> {
      yield;
      throw new RangeError("There is no room.");
    })(),
  );
  queue.add("a");
  await queue.whenIdle();
  expect({ indexed, events }).toEqual({ indexed: ["a"], events: ["indexChoreFailed"] });
  await queue.close();
});
