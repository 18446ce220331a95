import type { RequestEvent } from "@loredex/http";
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

  const request: RequestEvent = {
    ...({ level: "info", event: "request", message: "" } as const),
    ...{ method: "POST", route: "/api/v1/knowledge/search", status: 503, durationMs: 1, requestId: "r" },
  };
  /** What is said at each minute, of requests that end with a code at some of them. */
  const saidOf = (code: string, minutes: readonly number[], route = "/api/v1/knowledge/search"): number[] => {
    let nowMs = 0;
    const traffic = new Traffic(() => nowMs);
    const said: number[] = [];
    for (let minute = 0; minute <= 30; minute++) {
      nowMs = minute * MINUTE_MS;
      if (minutes.includes(minute)) traffic.logger({ ...request, route, code });
      traffic.logger(request);
      const { failed, overloaded } = traffic.failures;
      expect(failed && overloaded).toBe(false);
      if (code === "OVERLOADED" ? overloaded : failed) said.push(minute);
    }
    return said;
  };

  it("knows that requests fail or are turned away, as the rules for Prometheus do, and not of a single one", () => {
    for (const code of ["OVERLOADED", "DISK_FULL"]) {
      expect(saidOf(code, [3])).toEqual([]);
      expect(saidOf(code, [3, 9, 15])).toEqual([]);
      expect(saidOf(code, [3, 7, 11])).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    }
    expect(saidOf("VALIDATION", [3, 7, 11])).toEqual([]);
  });

  it("takes no limit of the admin API for a limit of users, but its failures", () => {
    const route = "/api/v1/admin/bots/:bot/uploads";
    expect(saidOf("OVERLOADED", [3, 7, 11], route)).toEqual([]);
    expect(saidOf("INTERNAL", [3, 7], route)).toEqual([8, 9, 10, 11]);
  });

  it("counts the heads of stores alone", () => {
    const traffic = new Traffic(() => 0);
    traffic.onStatement({ kind: "head", durationMs: 200, retries: 0, failed: false });
    traffic.onStatement({ kind: "bulk", durationMs: 200, retries: 0, failed: false });
    expect(traffic.heads.questions).toBe(1);
  });
});
