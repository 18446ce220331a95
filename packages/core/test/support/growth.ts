/** Below this both sizes count as fine: a clock and a busy machine say little about less. */
const MEASURABLE_MS = 4;
const RUNS = 5;
const SIZE_MIN = 500;
const SIZE_MAX = 1_000_000;

/**
 * How much more work the double takes: about 2 if work grows with the size, 4 if it grows with its square. The size is
 * doubled until the work can be measured, so that what is quadratic ends early; each time is the least of several.
 */
export function growthOfWork(work: (size: number) => void): number {
  let size = SIZE_MIN;
  while (size < SIZE_MAX && least(work, size) < MEASURABLE_MS) size *= 2;
  let once = Number.POSITIVE_INFINITY;
  let twice = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i++) {
    once = Math.min(once, took(work, size));
    twice = Math.min(twice, took(work, 2 * size));
  }
  return twice / Math.max(once, MEASURABLE_MS / 2);
}

function least(work: (size: number) => void, size: number): number {
  return Math.min(took(work, size), took(work, size));
}

function took(work: (size: number) => void, size: number): number {
  const start = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
