const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Printed when the process is told to end, while the work continues to a point where it can end. */
export const STOPPING = "Stopping when what is on its way is in; Ctrl-C again ends at once.\n";

/** The messages when the process is told to end. */
export interface StopWords {
  /** Called on the first signal. The work continues to a point where it can end. */
  readonly atFirst: () => void;
  /** Called when the process ends. */
  readonly atEnd: () => void;
}

/** Runs work. If a signal tells the process to end meanwhile, calls `tell`, and the signal then ends the process as usual. */
export async function tellingWhenStopped<Result>(tell: () => void, work: () => Promise<Result>): Promise<Result> {
  const unlisten = listening((signal) => ending(signal, unlisten, tell));
  try {
    return await work();
  } finally {
    unlisten();
  }
}

/**
 * As {@link tellingWhenStopped}, for work that can be stopped. The first signal aborts the work's own signal.
 * When the work has ended, or a second signal arrives, the process ends by the signal as usual.
 */
export async function stoppable<Result>(
  { atFirst, atEnd }: StopWords,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let first: NodeJS.Signals | undefined;
  const unlisten = listening((signal) => {
    if (first !== undefined) return ending(signal, unlisten, atEnd);
    first = signal;
    atFirst();
    stop.abort();
  });
  const ended = (): Promise<never> => {
    ending(first ?? "SIGINT", unlisten, atEnd);
    return new Promise(() => undefined);
  };
  try {
    const result = await work(stop.signal);
    return stop.signal.aborted ? await ended() : result;
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return await ended();
    throw error;
  } finally {
    unlisten();
  }
}

/** Ends a wait when a signal tells the process to end. A second signal ends the process as usual. */
export async function untilTold<Result>(wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const unlisten = listening(() => {
    unlisten();
    stop.abort();
  });
  try {
    return await wait(stop.signal);
  } finally {
    unlisten();
  }
}

function listening(onSignal: (signal: NodeJS.Signals) => void): () => void {
  for (const known of SIGNALS) process.on(known, onSignal);
  return () => {
    for (const known of SIGNALS) process.off(known, onSignal);
  };
}

function ending(signal: NodeJS.Signals, unlisten: () => void, tell: () => void): void {
  unlisten();
  tell();
  process.kill(process.pid, signal);
}
