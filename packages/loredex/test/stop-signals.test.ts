import { expect, it } from "vitest";
import { type StopSignal, stopSignal } from "../src/terminal/stop-signals.ts";

/** Signals that the test sends, and time that it lets pass. */
function signals() {
  const listeners = new Map<StopSignal, () => void>();
  const timers: (() => void)[] = [];
  const again: StopSignal[] = [];
  const first = stopSignal((signal) => again.push(signal), {
    on: (signal, listener) => listeners.set(signal, listener),
    later: (_ms, run) => void timers.push(run),
  });
  const send = (signal: StopSignal) => listeners.get(signal)?.();
  const pass = () => {
    for (const run of timers.splice(0)) run();
  };
  return { first, again, send, pass };
}

it("the first signal is told, and the next one calls for an end at once", async () => {
  const { first, again, send, pass } = signals();
  send("SIGTERM");
  expect(await first).toBe("SIGTERM");
  pass();
  expect(again).toEqual([]);
  send("SIGTERM");
  expect(again).toEqual(["SIGTERM"]);
});

it("Ctrl-C that npm passes on as well is one", async () => {
  const { first, again, send, pass } = signals();
  send("SIGINT");
  send("SIGINT");
  expect(await first).toBe("SIGINT");
  expect(again).toEqual([]);
  pass();
  send("SIGINT");
  expect(again).toEqual(["SIGINT"]);
});

it("another signal is another one however soon it comes", async () => {
  const { first, again, send } = signals();
  send("SIGTERM");
  send("SIGINT");
  expect(await first).toBe("SIGTERM");
  expect(again).toEqual(["SIGINT"]);
});
