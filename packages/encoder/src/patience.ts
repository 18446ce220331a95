/** Number of parts in which a limit is counted. */
const PARTS = 6;

/**
 * Calls `end` after `ms` milliseconds, and returns a function that cancels it. This program itself may have stood still: stopped from the keyboard, asleep with
 * the machine, or busy elsewhere. Such time counts as at most a sixth of the limit: the awaited process stood still as well, or has answered unheard.
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

/** Calls `end` after `ms` milliseconds, and returns a function that cancels it. It does not keep the program running. */
export function afterMs(ms: number, end: () => void): () => void {
  const timer = setTimeout(end, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
