import { expect, it } from "vitest";
import { Progress } from "../src/terminal/progress.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";

const CLEAR = "\r\u001b[2K";

it("writes over one line of a screen, and clears it", () => {
  const terminal = new CapturedTerminal(false, true);
  let nowMs = 0;
  const progress = new Progress(terminal, () => nowMs);
  progress.clear();
  expect(terminal.errors).toBe("");
  for (nowMs = 0; nowMs <= 250; nowMs += 50) progress.update(`${nowMs}`);
  expect(terminal.errors).toBe(`${CLEAR}100${CLEAR}200`);
  progress.clear();
  progress.clear();
  expect(terminal.errors).toBe(`${CLEAR}100${CLEAR}200${CLEAR}`);
  expect(terminal.output).toBe("");
});

it("writes a line now and then where nobody watches", () => {
  const terminal = new CapturedTerminal();
  let nowMs = 0;
  const progress = new Progress(terminal, () => nowMs);
  for (nowMs = 0; nowMs <= 12_000; nowMs += 100) progress.update(`${nowMs}`);
  progress.clear();
  expect(terminal.errors).toBe("5000\n10000\n");
});
