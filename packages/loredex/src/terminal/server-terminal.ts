import { descriptorSink } from "./descriptor-sink.ts";
import { OutputQueue } from "./output-queue.ts";
import type { ServerTerminal, Terminal } from "./terminal.ts";

/** The longest wait of a stopping server for readers of its output, in milliseconds. */
const SETTLE_MS = 500;

/** The output of a server. Nothing that it prints makes it wait or end. */
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
      // Node prints warnings synchronously by itself, which may end the process on failure.
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
