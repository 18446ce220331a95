const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Said when the process is told to end, and work goes on to where it can end. */
export const STOPPING = "Stopping when what is on its way is in; Ctrl-C again ends at once.\n";

/** What is said when the process is told to end. */
export interface StopWords {
  /** When it is told, and the work goes on to where it can end. */
  readonly atFirst: () => void;
  /** When it ends. */
  readonly atEnd: () => void;
}

/** Has something said when the process is told to end while work goes on; then it ends by the signal, as it would have without. */
export async function tellingWhenStopped<Result>(tell: () => void, work: () => Promise<Result>): Promise<Result> {
  const unlisten = listening((signal) => ending(signal, unlisten, tell));
  try {
    return await work();
  } finally {
    unlisten();
  }
}

/**
 * The same for work that can be ended: once the process is told to end, the work is told by the signal that it gets, and when that has ended, or the
 * process is told again, it ends as it would have without.
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

/** Ends a wait when the process is told to end; told again, it ends as it would have without. */
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
