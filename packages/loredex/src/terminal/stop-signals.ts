/** The signals that end a server. SIGTERM comes from a supervisor; Ctrl-C comes from a person, who does not want to wait. */
export type StopSignal = "SIGTERM" | "SIGINT";

/** The source of signals and timers. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  /** Runs it after `ms` milliseconds. */
  later(ms: number, run: () => void): void;
}

/** Within this time, in milliseconds, npm may pass one Ctrl-C on a second time. */
const SAME_MS = 250;

const PROCESS: SignalSource = {
  on: (signal, listener) => process.on(signal, listener),
  later: (ms, run) => void setTimeout(run, ms).unref(),
};

/** Resolves with the first signal. A second one, another or the same a moment later, calls `again`: the user does not want to wait. */
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

/** The exit code of a program that a signal has ended. */
export function codeOfSignal(signal: StopSignal): number {
  return signal === "SIGTERM" ? 143 : 130;
}

/** Calls `run` on SIGHUP, so that a server reads files again. For a server without a terminal: the end of a terminal sends SIGHUP too. */
export function onHangup(run: () => void): void {
  process.on("SIGHUP", run);
}
