import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { sharedWhileHeld } from "../../src/platform/shared-while-held.ts";

it("what is large is opened once for all who hold it, also where they ask at once", async () => {
  let opened = 0;
  const open = sharedWhileHeld(async () => {
    await setImmediate();
    return { number: ++opened };
  });
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(await open()).toBe(first);
  expect(opened).toBe(1);
});

it("it is let go with the last who holds it", async () => {
  let opened = 0;
  const open = sharedWhileHeld(async () => ({ number: ++opened }));
  await open();
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("Node collects in another way now.");
  await setImmediate();
  collect();
  expect((await open()).number).toBe(2);
});

it("what could not be opened is tried again", async () => {
  let tries = 0;
  const open = sharedWhileHeld(async () => {
    if (++tries === 1) throw new Error("The file is not there.");
    return { tries };
  });
  await expect(open()).rejects.toThrow("The file is not there.");
  expect(await open()).toEqual({ tries: 2 });
});
