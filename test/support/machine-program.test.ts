import { expect, it, vi } from "vitest";
import { machineProgram } from "./machine-program.ts";

it("a program that the machine lacks is named where tests are skipped for it, and in a line of its own", () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  expect(machineProgram(process.execPath).isMissing).toBe(false);
  expect(warn).not.toHaveBeenCalled();
  expect(machineProgram("no-such-program").named("it")).toBe("it (skipped: no-such-program is not on the path.)");
  expect(warn.mock.calls).toEqual([
    ["Skipped: all tests that need the program no-such-program. no-such-program is not on the path."],
  ]);
  warn.mockRestore();
});
