/** A limit is counted in this many parts. */
const PARTS = 6;

/**
 * Calls `end` once `ms` have gone by, and returns what calls it off. Time in which this program was stopped (from the keyboard, or asleep with the
 * machine) counts as no more than a sixth of it: the process that it waits for stood still as well.
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
