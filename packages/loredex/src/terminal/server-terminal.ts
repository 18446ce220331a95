import { descriptorSink } from "./descriptor-sink.ts";
import { OutputQueue } from "./output-queue.ts";
import type { ServerTerminal, Terminal } from "./terminal.ts";

/** How long the end of a server waits for whoever reads its output. */
const SETTLE_MS = 500;

/** The process's output for a server: nothing that it says makes it wait, or end. */
export function serverTerminal({ isScreen, isProgressScreen }: Terminal): ServerTerminal {
  const out = new OutputQueue(descriptorSink(1));
  const err = new OutputQueue(descriptorSink(2));
  process.once("exit", () => {
    out.flushNow();
    err.flushNow();
  });
  return {
    isScreen,
    isProgressScreen,
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    tell: ({ dropped, warning }) => {
      err.onResumed = dropped;
      // Node's own way of telling writes at once, and may end the process where that fails.
      process.removeAllListeners("warning").on("warning", warning);
    },
    refusal: () => out.refusal,
    settled: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SETTLE_MS);
      });
      await Promise.race([Promise.all([out.settled(), err.settled()]), late]);
      clearTimeout(timer);
    },
  };
}
