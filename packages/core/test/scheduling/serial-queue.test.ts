import { expect, it } from "vitest";
import { SerialQueue } from "../../src/scheduling/serial-queue.ts";
import { orderedWork } from "../support/ordered-work.ts";

it("runs work in the order of its calls, behind them, also after work that fails", async () => {
  const queue = new SerialQueue();
  const { order, work } = orderedWork();
  const [a, b] = [queue.run(work("a")), queue.run(work("b"))];
  expect(order).toEqual([]);
  const settled = queue.settled().then(() => [...order]);
  const c = queue.run(work("c"));
  await expect(a).rejects.toThrow("a fails");
  expect(await Promise.all([b, c])).toEqual(["b", "c"]);
  expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  // It waits for the work of earlier calls, and for no other.
  expect(await settled).toContain("b ends");
  expect(await settled).not.toContain("c ends");
});
