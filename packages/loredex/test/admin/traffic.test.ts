import { describe, expect, it } from "vitest";
import { Traffic } from "../../src/admin/traffic.ts";

const MINUTE_MS = 60_000;

describe("traffic", () => {
  it("is that of the last minute, by bot, with percentiles to a tenth", () => {
    let nowMs = 1_000_000;
    const traffic = new Traffic(() => nowMs);
    for (let n = 1; n <= 100; n++) traffic.onWork({ botId: "a", kind: "search", durationMs: n });
    traffic.onWork({ botId: "a", kind: "update", durationMs: 3 });
    traffic.onWork({ botId: "b", kind: "import", durationMs: 3, outcome: "added" });
    traffic.onWork({ botId: "a", kind: "suggest", durationMs: 3 });
    traffic.onWork({ botId: "a", kind: "search", durationMs: 3, code: "VALIDATION" });
    const { questions, writes, p50Ms = 0, p95Ms = 0, p99Ms = 0 } = traffic.of("a");
    expect([questions, writes]).toEqual([100, 1]);
    for (const [told, exact] of [
      [p50Ms, 50],
      [p95Ms, 95],
      [p99Ms, 99],
    ] as const) {
      expect(Math.abs(told / exact - 1)).toBeLessThan(0.13);
    }
    expect(traffic.of("b")).toEqual({ questions: 0, writes: 1 });
    expect(traffic.of("unknown")).toEqual({ questions: 0, writes: 0 });
    expect(traffic.all).toMatchObject({ questions: 100, writes: 2 });
    nowMs += MINUTE_MS / 2;
    traffic.onWork({ botId: "a", kind: "search", durationMs: 7_000_000 });
    expect(traffic.of("a").questions).toBe(101);
    nowMs += MINUTE_MS / 2;
    expect(traffic.of("a")).toMatchObject({ questions: 1, writes: 0 });
    nowMs += MINUTE_MS;
    expect(traffic.of("a")).toEqual({ questions: 0, writes: 0 });
    traffic.keepOnly(new Set());
    expect(traffic.of("a")).toEqual({ questions: 0, writes: 0 });
  });

  it("knows for five minutes that requests failed or were turned away", () => {
    let nowMs = 0;
    const traffic = new Traffic(() => nowMs);
    expect(traffic.failures).toEqual({ failed: false, overloaded: false });
    const request = {
      level: "error",
      event: "request",
      message: "",
      method: "POST",
      route: "/x",
      status: 500,
    } as const;
    const more = { durationMs: 1, requestId: "r" } as const;
    traffic.logger({ ...request, ...more, code: "DISK_FULL" } as never);
    traffic.logger({ ...request, ...more, code: "OVERLOADED" } as never);
    traffic.logger({ ...request, ...more } as never);
    expect(traffic.failures).toEqual({ failed: true, overloaded: true });
    nowMs += 5 * MINUTE_MS;
    expect(traffic.failures).toEqual({ failed: false, overloaded: false });
    traffic.onStatement({ kind: "head", durationMs: 200, retries: 0, failed: false });
    traffic.onStatement({ kind: "bulk", durationMs: 200, retries: 0, failed: false });
    expect(traffic.heads.questions).toBe(1);
  });
});
