import { expect, it } from "vitest";
import { IndexPin } from "../../src/scheduling/index-pin.ts";

it("all that was put off is done, also where one of it fails, which is told at the end", async () => {
  const pin = new IndexPin();
  const done: string[] = [];
  const unpin = pin.pin();
  pin.change("a", () => done.push("a"));
  pin.change("b", () => {
    throw new Error("b fails");
  });
  pin.change("c", () => done.push("c"));
  expect(done).toEqual([]);
  const free = pin.whenFree();
  expect(() => [...unpin()]).toThrow("b fails");
  await free;
  expect(done).toEqual(["a", "c"]);
  expect(pin.isPinned).toBe(false);
});

it("has one reader at a time: a second one would be unpinned by the first", () => {
  const pin = new IndexPin();
  const unpin = pin.pin();
  expect(() => pin.pin()).toThrow("pinned again");
  expect([...unpin()]).toEqual([]);
  expect([...pin.pin()()]).toEqual([]);
});
