/** A limit is counted in this many parts. */
const PARTS = 6;

/**
 * Calls `end` once `ms` have gone by, and returns what calls it off. Time in which this program stood still itself (stopped from the keyboard, asleep
 * with the machine, busy elsewhere) counts as no more than a sixth of it: whoever is waited for stood still as well, or has answered unheard.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let parts = 0;
  const timer = setInterval(() => {
    parts += 1;
    if (parts < PARTS) return;
    clearInterval(timer);
    end();
  }, ms / PARTS);
  return () => clearInterval(timer);
}

/** Calls `end` once `ms` have gone by, and returns what calls it off. It keeps no program running. */
export function afterMs(ms: number, end: () => void): () => void {
  const timer = setTimeout(end, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
