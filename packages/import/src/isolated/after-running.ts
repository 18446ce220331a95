/** Number of parts in which a limit is counted. */
const PARTS = 6;

/**
 * Calls `end` after `ms` milliseconds, and returns a function that cancels it. Time in which this program was stopped (from the keyboard, or asleep with the
 * machine) counts as at most a sixth of the limit: the awaited process stood still as well.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let left = PARTS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    end();
  }, ms / PARTS);
  return () => clearInterval(timer);
}
