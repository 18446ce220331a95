const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Has something said when the process is told to end while work goes on; then it ends by the signal, as it would have without. */
export async function tellingWhenStopped<Result>(tell: () => void, work: () => Promise<Result>): Promise<Result> {
  const stop = (signal: NodeJS.Signals): void => {
    for (const known of SIGNALS) process.off(known, stop);
    tell();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
