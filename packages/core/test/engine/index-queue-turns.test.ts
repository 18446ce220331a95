import { expect, it } from "vitest";
import { IndexQueue } from "../../src/background/index-queue.ts";
import { type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";

/** A queue whose every step ends its turn; what happens in the rest after a step is the test's. */
function queueOf(slicesOf: (id: string) => number, onRest: (rests: number) => void) {
  const begun: string[] = [];
  const indexed: string[] = [];
  let rests = 0;
  let ms = 0;
  const clock = { wallMs: () => ms, monotonicMs: () => (ms += 100) };
  const rest = async (): Promise<void> => {
    await new Promise(setImmediate);
    onRest(++rests);
  };
  const queue = new IndexQueue({
    *index(id): Sliced<void> {
      begun.push(id);
      for (let i = 0; i < slicesOf(id); i++) yield;
      indexed.push(id);
    },
    slices: new TimeSlices(clock, { lane: rest }),
    logger: () => undefined,
    lengthMax: 4,
  });
  return { queue, begun, indexed };
}

it("rests within a document, after every turn", async () => {
  let rests = 0;
  const { queue, indexed } = queueOf(
    (id) => (id === "long" ? 40 : 1),
    () => {
      rests++;
    },
  );
  queue.add("long");
  queue.add("short");
  await queue.whenIdle();
  expect(indexed).toEqual(["long", "short"]);
  expect(rests).toBeGreaterThan(40);
});

it("begins a document anew that is written again meanwhile, in its place", async () => {
  const { queue, begun, indexed } = queueOf(
    () => 6,
    (rests) => {
      if (rests === 4) queue.add("a");
    },
  );
  queue.add("a");
  queue.add("b");
  await queue.whenIdle();
  expect(begun).toEqual(["a", "a", "b"]);
  expect(indexed).toEqual(["a", "b"]);
});

it("finishes a version in the end of one that is always written again", async () => {
  let isOver = false;
  const { queue, begun, indexed } = queueOf(
    () => 3,
    () => {
      if (!isOver) queue.add("a");
    },
  );
  queue.add("a");
  while (indexed.length < 3) await new Promise(setImmediate);
  isOver = true;
  await queue.whenIdle();
  expect(begun.length).toBeLessThan(indexed.length * 7);
  expect(queue.length).toBe(0);
});

it("gives up what is taken out meanwhile, and whoever waits for it waits no longer", async () => {
  const { queue, begun, indexed } = queueOf(
    () => 6,
    (rests) => {
      if (rests === 4) queue.remove("a");
    },
  );
  queue.add("a");
  queue.add("b");
  await queue.whenIdle();
  expect(begun).toEqual(["a", "b"]);
  expect(indexed).toEqual(["b"]);
});

it("indexes what is taken out and put in again meanwhile", async () => {
  const { queue, begun, indexed } = queueOf(
    () => 6,
    (rests) => {
      if (rests !== 4) return;
      queue.remove("a");
      queue.add("a");
    },
  );
  queue.add("a");
  queue.add("b");
  // What is put in again came later than those who waited.
  await queue.whenIdle();
  await queue.whenIdle();
  expect(begun).toEqual(["a", "b", "a"]);
  expect(indexed).toEqual(["b", "a"]);
});

it("gives up what is under way when it is closed", async () => {
  let closing: Promise<void> | undefined;
  const { queue, indexed } = queueOf(
    () => 50,
    (rests) => {
      if (rests === 9) closing = queue.close();
    },
  );
  queue.add("a");
  await queue.whenIdle();
  await closing;
  expect(indexed).toEqual([]);
});

it("does what is to be done besides before the next document, and closing does not wait for it", async () => {
  const done: string[] = [];
  const { queue, indexed } = queueOf(
    () => 2,
    (rests) => {
      if (rests === 2) queue.addChore(chore());
    },
  );
  function* chore(): Sliced<void> {
    for (let i = 0; i < 3; i++) yield;
    done.push(...indexed);
  }
  queue.add("a");
  queue.add("b");
  await queue.whenIdle();
  expect(done).toEqual(["a"]);
  expect(indexed).toEqual(["a", "b"]);
});
