import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { machineReading } from "../../src/platform/memory-reading.ts";

it("what the process takes stays as it was read last where the system does not say", async () => {
  const { processBytes } = machineReading();
  const before = processBytes();
  expect(before).toBeGreaterThan(1_000_000);
  const rss = vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => {
    throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
  });
  const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1_000);
  try {
    expect(processBytes()).toBe(before);
    expect(rss).toHaveBeenCalled();
  } finally {
    rss.mockRestore();
    later.mockRestore();
  }
});

it("what the process takes is read ten times a second at most", () => {
  const { processBytes } = machineReading();
  const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 10_000);
  const rss = vi.spyOn(process.memoryUsage, "rss");
  try {
    for (let i = 0; i < 100; i++) processBytes();
    expect(rss).toHaveBeenCalledTimes(1);
    later.mockReturnValue(performance.now() + 101);
    processBytes();
    expect(rss).toHaveBeenCalledTimes(2);
  } finally {
    rss.mockRestore();
    later.mockRestore();
  }
});

it("what lives in the heap is read after full collections alone", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;
  const { heap } = machineReading();
  const rounds = 60;
  const before = heap().collections;
  for (let i = 0; i < rounds; i++) {
    collect({ type: "minor" });
    await setImmediate();
  }
  // Others may come of themselves.
  const between = heap().collections;
  expect(between - before).toBeLessThan(rounds / 4);
  collect();
  await expect.poll(() => heap().collections).toBeGreaterThan(between);
  expect(heap().liveBytes).toBeGreaterThan(1_000_000);
});
