import { beforeEach, describe, expect, it } from "vitest";
import { BotFaults } from "../../src/catalog/bot-faults.ts";
import { CorruptError, type ErrorCode, LoredexError } from "../../src/model/errors.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { TestClock } from "../support/test-clock.ts";

const error = (code: ErrorCode, message = "Cannot open a file.") => new LoredexError(code, message);

let clock: TestClock;
let events: LogEvent[];
let faults: BotFaults;

beforeEach(() => {
  clock = new TestClock();
  events = [];
  faults = new BotFaults(clock, (event) => void events.push(event));
});

function isRefusedEarly(id: string): boolean {
  try {
    faults.refuseEarly(id);
    return false;
  } catch {
    return true;
  }
}

describe("a bot that cannot be opened", () => {
  it.each(["NO_ACCESS", "STORAGE_FAILED"] as const)(
    "for %s is tried again after pauses that grow, and told once",
    (code) => {
      const pausesMs: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        const told = faults.openingFailed("a", error(code));
        expect(told).toMatchObject({
          code: "BOT_INACCESSIBLE",
          message: expect.stringContaining("tried again by itself"),
        });
        let pauseMs = 0;
        while (isRefusedEarly("a")) {
          clock.advance(500);
          pauseMs += 500;
        }
        pausesMs.push(pauseMs);
      }
      expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      expect(events).toMatchObject([{ event: "botInaccessible", level: "error", botId: "a" }]);
      expect(events[0]).not.toHaveProperty("error");
      faults.usable("a");
      expect(faults.of("a")).toBeUndefined();
      faults.openingFailed("a", error(code));
      clock.advance(1_000);
      expect(isRefusedEarly("a")).toBe(false);
      expect(events.map(({ event }) => event)).toEqual(["botInaccessible", "botUsable", "botInaccessible"]);
    },
  );

  it("for damage in a storage of several nodes is tried again each minute, and told once", () => {
    const shared = new BotFaults(clock, (event) => void events.push(event), true);
    for (let minute = 0; minute < 3; minute += 1) {
      shared.openingFailed("a", error("CORRUPT"));
      expect(shared.of("a")).toMatchObject({ kind: "damaged" });
      expect(shared.isQuarantined("a")).toBe(false);
      clock.advance(59_999);
      expect(() => shared.refuseEarly("a")).toThrow("Cannot open a file.");
      clock.advance(1);
      shared.refuseEarly("a");
    }
    shared.usable("a");
    expect(events.map(({ event }) => event)).toEqual(["botQuarantined", "botUsable"]);
    expect(events[0]?.message).toContain("each minute");
  });

  it("for damage is refused for good, and the message says nothing of trying again", () => {
    const place = { file: "/data/x.log", offset: 128, sequence: 3 };
    const damage = new CorruptError("It is damaged.", place);
    expect(faults.openingFailed("a", damage)).toBe(damage);
    clock.advance(1_000_000);
    expect(() => faults.refuseEarly("a")).toThrow(damage);
    expect(events).toMatchObject([{ event: "botQuarantined", botId: "a", ...place }]);
    expect(events[0]?.message).toMatch(/until it is repaired and the server is started again/);
    expect(events[0]?.message).not.toContain("tried again");
    expect(faults.forbidden).toEqual([]);
  });

  it.each(["TOO_MANY_OPEN_FILES", "CLOSED"] as const)("for %s has no fault of its own", (code) => {
    const passing = error(code);
    expect(faults.openingFailed("a", passing)).toBe(passing);
    expect(faults.of("a")).toBeUndefined();
    expect(isRefusedEarly("a")).toBe(false);
    expect(events).toEqual([]);
  });

  it("for want of room is tried whenever it is asked for, and told once", () => {
    const full = error("DISK_FULL");
    for (let i = 0; i < 3; i += 1) expect(faults.openingFailed("a", full)).toBe(full);
    expect(isRefusedEarly("a")).toBe(false);
    expect(faults.of("a")).toMatchObject({ kind: "inaccessible" });
    expect(events).toMatchObject([{ event: "botInaccessible", botId: "a" }]);
  });

  it("as a look has found is told in one line with all others, and tried as soon as it is asked for", () => {
    const found = new Map(Array.from({ length: 12 }, (_, i) => [`bot${i}`, error("NO_ACCESS")]));
    faults.foundForbidden(found);
    expect(events).toHaveLength(1);
    expect(events[0]?.message).toMatch(/^12 bots .* bot0, .*bot9 and 2 more\. Cannot open a file\.$/);
    expect(isRefusedEarly("bot3")).toBe(false);
    faults.openingFailed("bot3", error("NO_ACCESS", "Cannot open another file."));
    expect(events).toHaveLength(1);
    expect(isRefusedEarly("bot3")).toBe(true);
    expect(faults.forbidden).toHaveLength(12);
  });
});

describe("a bot that cannot be written to", () => {
  it.each([
    ["READ_ONLY", "readOnly"],
    ["DISK_FULL", "notWritable"],
    ["NO_ACCESS", "notWritable"],
    ["STORAGE_FAILED", "notWritable"],
  ] as const)("for %s is told once, and once when it goes on", (code, kind) => {
    for (let i = 0; i < 5; i += 1) faults.writeFailed("a", error(code));
    expect([...faults.all()]).toEqual([["a", { kind, message: "Cannot open a file." }]]);
    faults.written("a");
    faults.written("a");
    expect(faults.of("a")).toBeUndefined();
    expect(events).toMatchObject([
      { event: "botNotWritable", level: "error", botId: "a" },
      { event: "botWritable", level: "info", botId: "a" },
    ]);
    expect(events[0]?.message.includes("tries again")).toBe(kind === "notWritable");
  });

  it("is none for a write that breaks a rule", () => {
    for (const code of ["QUOTA_EXCEEDED", "BOT_FULL", "CLOSED", "VALIDATION"] as const)
      faults.writeFailed("a", error(code));
    faults.writeFailed("a", new TypeError("broken"));
    expect(faults.all().size).toBe(0);
  });
});
