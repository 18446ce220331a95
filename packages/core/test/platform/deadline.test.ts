import { describe, expect, it, onTestFinished, vi } from "vitest";
import { unlessAborted, withinMs } from "../../src/platform/abort.ts";

/** Time that passes when the test says so. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("work that may take so long", () => {
  it("is told when its time is over, and not before", async () => {
    holdTime();
    const signals: AbortSignal[] = [];
    const late = withinMs(2_000, (signal) => {
      signals.push(signal);
      return unlessAborted(new Promise<void>(() => undefined), signal);
    });
    vi.advanceTimersByTime(1_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    vi.advanceTimersByTime(1);
    await expect(late).rejects.toMatchObject({ name: "TimeoutError", message: "It took longer than 2000 ms." });
  });

  it("leaves no timer behind, however it ends", async () => {
    holdTime();
    expect(await withinMs(2_000, async () => vi.getTimerCount())).toBe(1);
    await expect(withinMs(2_000, () => Promise.reject(new Error("not now")))).rejects.toThrow("not now");
    expect(vi.getTimerCount()).toBe(0);
  });
});
