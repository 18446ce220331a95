import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/scheduling/semaphore.ts";
import { orderedWork } from "../support/ordered-work.ts";

describe("a semaphore", () => {
  it("has as many permits as were said; callers that come later wait, and are served in order", async () => {
    const semaphore = new Semaphore(2);
    const served: number[] = [];
    const waits = [0, 1, 2, 3].map(async (number) => {
      await semaphore.acquire();
      served.push(number);
    });
    await setImmediate();
    expect(served).toEqual([0, 1]);
    semaphore.release();
    await setImmediate();
    expect(served).toEqual([0, 1, 2]);
    semaphore.release();
    await Promise.all(waits);
    expect(served).toEqual([0, 1, 2, 3]);
  });

  it("passes over a caller that has left the queue", async () => {
    const semaphore = new Semaphore(1);
    const leaving = new AbortController();
    expect(semaphore.acquire()).toBeUndefined();
    const left = semaphore.acquire(leaving.signal);
    const next = semaphore.acquire();
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    semaphore.release();
    await expect(next).resolves.toBeUndefined();
  });

  it("leaves a permit with its holder that leaves too late", async () => {
    const semaphore = new Semaphore(1);
    const late = new AbortController();
    expect(semaphore.acquire(late.signal)).toBeUndefined();
    const second = semaphore.acquire(late.signal);
    semaphore.release();
    late.abort(new Error("too late"));
    await expect(second).resolves.toBeUndefined();
    const third = semaphore.acquire();
    semaphore.release();
    await expect(third).resolves.toBeUndefined();
    semaphore.release();
    expect(semaphore.acquire()).toBeUndefined();
  });

  it("runs work one after the other, also after work that fails", async () => {
    const semaphore = new Semaphore(1);
    const { order, work } = orderedWork();
    const [a, b] = [semaphore.run(work("a")), semaphore.run(work("b"))];
    await expect(a).rejects.toThrow("a fails");
    expect(await b).toBe("b");
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});
