import { LoredexError } from "@loredex/core";
import { expect, it } from "vitest";
import { logLines } from "../../src/log/log-lines.ts";
import { CapturedTerminal } from "../support/captured-terminal.ts";

const now = (): Date => new Date(0);

it("says when, how bad, what, and everything else that is known", () => {
  const terminal = new CapturedTerminal();
  const event = { level: "info", event: "request", message: "answered 200", status: 200, durationMs: 1.23456 } as const;
  logLines(terminal, now)({ ...event, ...{ route: "/api/v1/knowledge/:id", botId: "b1", empty: "" } });
  expect(terminal.errors).toBe(
    '1970-01-01T00:00:00.000Z info request answered 200 status=200 durationMs=1.235 route=/api/v1/knowledge/:id botId=b1 empty=""\n',
  );
});

it("tells what was thrown on purpose without a trace of where", () => {
  const terminal = new CapturedTerminal();
  const error = new LoredexError("DISK_FULL", "The disk is full.", { cause: new Error("ENOSPC") });
  logLines(terminal, now)({ level: "warn", event: "snapshotFailed", message: "It was not written.", error });
  expect(terminal.errors).toBe(
    "1970-01-01T00:00:00.000Z warn snapshotFailed It was not written. (The disk is full.)\n",
  );
});

it("tells an error with its cause, on one line that nothing can break or steer", () => {
  const terminal = new CapturedTerminal();
  const error = new Error("it\nbroke\u001b[2J");
  logLines(terminal, now)({ level: "error", event: "indexFailed", message: "Document a\nb failed.", error });
  expect(terminal.errors).toContain("error indexFailed Document a b failed. (Error: it broke\ufffd[2J at ");
  expect(terminal.errors.indexOf("\n")).toBe(terminal.errors.length - 1);
  expect(terminal.errors).not.toContain("\u001b");
});
