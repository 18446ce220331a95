import { expect, it } from "vitest";
import { IndexPin } from "../../src/scheduling/index-pin.ts";

it("all that was put off is done, also where one of it fails, which is told at the end", async () => {
  const still = new IndexPin();
  const done: string[] = [];
  const evict = still.keep();
  still.change("a", () => done.push("a"));
  still.change("b", () => {
    throw new Error("b fails");
  });
  still.change("c", () => done.push("c"));
  expect(done).toEqual([]);
  const free = still.whenFree();
  expect(() => [...evict()]).toThrow("b fails");
  await free;
  expect(done).toEqual(["a", "c"]);
  expect(still.isKept).toBe(false);
});
