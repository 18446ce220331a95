import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../../src/runtime/steps.ts";
import { IndexQueue } from "../../src/upkeep/index-queue.ts";
import { TestClock } from "../support/test-clock.ts";

it("waits for what waits already, whatever comes later and is taken out again", async () => {
  const indexed: string[] = [];
  const queue = new IndexQueue({
    *index(id) {
      indexed.push(id);
      yield;
    },
    turns: new Turns(new TestClock()),
    logger: () => undefined,
    lengthMax: 4,
  });
  let [isIdle, hasRoom] = [false, false];
  for (const id of ["a", "b", "c"]) queue.add(id);
  const idle = queue.whenIdle().then(() => {
    isIdle = true;
  });
  queue.add("d");
  const room = queue.whenRoom().then(() => {
    hasRoom = true;
  });
  for (const id of ["e", "f", "g"]) queue.add(id);
  for (const id of ["e", "f", "g"]) queue.remove(id);
  for (let i = 0; i < 9; i += 1) await undefined;
  expect({ indexed, isIdle, hasRoom }).toEqual({ indexed: [], isIdle: false, hasRoom: false });
  queue.remove("a");
  for (let i = 0; i < 9; i += 1) await undefined;
  expect({ indexed, isIdle, hasRoom }).toEqual({ indexed: [], isIdle: false, hasRoom: true });
  await Promise.all([idle, room]);
  expect(indexed.slice(0, 2)).toEqual(["b", "c"]);
  await setImmediate();
  expect(indexed).toEqual(["b", "c", "d"]);
  await queue.whenIdle();
  await queue.close();
});
