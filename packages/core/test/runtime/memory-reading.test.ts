import { expect, it, vi } from "vitest";
import { machineReading } from "../../src/runtime/memory-reading.ts";

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
