import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Progress, UnfinishedWork } from "../../src/background/unfinished-work.ts";

/** The work of bots whose embedder is the first letter of their ids, in a time that passes when the test says so. */
function work(progress: (id: string) => Progress) {
  const taken: string[] = [];
  const sleeps: { readonly ms: number; readonly end: () => void }[] = [];
  const unfinished = new UnfinishedWork({
    embedderOf: (id) => (id.startsWith("?") ? undefined : id.slice(0, 1)),
    takeUp: async (id) => {
      taken.push(id);
      const come = progress(id);
      // It stays open, and is let go for the next.
      if (come === "stuck") unfinished.add(id);
      return come;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          signal.removeEventListener("abort", end);
          resolve();
        };
        sleeps.push({ ms, end });
        signal.addEventListener("abort", end);
      }),
  });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  };
  return { unfinished, taken, sleeps, settled };
}

it("bots whose embedder gets nowhere are taken up one after a pause, longer each time, and those of others at once", async () => {
  let isAway = true;
  const { unfinished, taken, sleeps, settled } = work((id) => (isAway && id.startsWith("a") ? "stuck" : "done"));
  for (const id of ["a1", "a2", "b1", "a3", "?", "b2"]) unfinished.add(id);
  await settled();
  expect(taken).toEqual(["a1", "b1", "b2"]);
  for (let pause = 0; pause < 11; pause++) {
    sleeps.at(-1)?.end();
    await settled();
  }
  expect(taken.slice(3)).toEqual(["a2", "a3", "a1", "a2", "a3", "a1", "a2", "a3", "a1", "a2", "a3"]);
  expect(sleeps.map(({ ms }) => ms)).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
  ]);
  isAway = false;
  sleeps.at(-1)?.end();
  await settled();
  expect(taken.slice(-3).sort()).toEqual(["a1", "a2", "a3"]);
  await unfinished.close();
});

it("a bot that is added while its embedder is given time is taken up when that is over", async () => {
  let isAway = true;
  const { unfinished, taken, sleeps, settled } = work(() => (isAway ? "stuck" : "done"));
  unfinished.add("a1");
  await settled();
  unfinished.add("a2");
  await settled();
  isAway = false;
  sleeps.at(-1)?.end();
  await settled();
  expect(taken).toEqual(["a1", "a1", "a2"]);
  await unfinished.close();
});

it("nothing is taken up any more once it is closed", async () => {
  const { unfinished, taken, settled } = work(() => "stuck");
  unfinished.add("a1");
  await settled();
  await unfinished.close();
  unfinished.add("b1");
  await settled();
  expect(taken).toEqual(["a1"]);
});
