/** What ends a server. SIGTERM comes from whoever runs it for others; Ctrl-C from a person, who does not want to wait. */
export type StopSignal = "SIGTERM" | "SIGINT";

/** What tells of signals, and of time that has passed. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  /** Has it run after so many milliseconds. */
  later(ms: number, run: () => void): void;
}

/** Within this time Ctrl-C comes twice where npm passes it on. */
const SAME_MS = 250;

const PROCESS: SignalSource = {
  on: (signal, listener) => process.on(signal, listener),
  later: (ms, run) => void setTimeout(run, ms).unref(),
};

/** Resolves with the first signal. A second one, another or the same a moment later, calls `again`: nobody wants to wait any more. */
export function stopSignal(again: (signal: StopSignal) => void, source: SignalSource = PROCESS): Promise<StopSignal> {
  return new Promise((resolve) => {
    let first: StopSignal | undefined;
    let mayBeTheSame = true;
    const hear = (signal: StopSignal) => (): void => {
      if (first === undefined) {
        first = signal;
        source.later(SAME_MS, () => {
          mayBeTheSame = false;
        });
        resolve(signal);
      } else if (signal !== first || !mayBeTheSame) {
        again(signal);
      }
    };
    source.on("SIGTERM", hear("SIGTERM"));
    source.on("SIGINT", hear("SIGINT"));
  });
}

/** With what code a program ends that a signal has ended. */
export function codeOfSignal(signal: StopSignal): number {
  return signal === "SIGTERM" ? 143 : 130;
}

/** Has SIGHUP mean that a server is to read files again: for one without a terminal, whose end would be the end of it. */
export function onHangup(run: () => void): void {
  process.on("SIGHUP", run);
}
