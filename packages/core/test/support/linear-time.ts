/** Whether something takes linear time: the processor time of n against that of 2n, each the least of several runs. */

/** Of twice as much, linear work takes twice as long, quadratic four times. */
const RATIO_MAX = 3;
/** Below this nothing can be said. */
const NOISE_MS = 2;
/** Only what seems to grow too fast is measured so often. */
const RUNS_MAX = 20;
/** What takes longer is measured less often: noise seldom doubles it, but a collection of garbage of its size can. */
const LONG_MS = 200;
const LONG_RUNS_MAX = 5;

/** How many milliseconds a piece of work takes. */
type Measure = (work: () => unknown) => Promise<number>;

/** Undefined if it is linear from `smallest` to `largest` units; else what was measured. */
export async function moreThanLinear(
  work: (units: number) => () => unknown,
  smallest: number,
  largest: number,
  measure: Measure = processorMs,
): Promise<string | undefined> {
  for (let units = smallest; units * 2 <= largest; units *= 2) {
    const [once, twice] = [work(units), work(units * 2)];
    let ofOnce = Number.POSITIVE_INFINITY;
    let ofTwice = Number.POSITIVE_INFINITY;
    let runs = 0;
    const isFine = (): boolean => ofTwice <= Math.max(ofOnce, NOISE_MS) * RATIO_MAX;
    do {
      ofOnce = Math.min(ofOnce, await measure(once));
      ofTwice = Math.min(ofTwice, await measure(twice));
    } while (!isFine() && ++runs < runsMax(ofTwice));
    if (isFine() || (await isLinearBeyond(work, units * 2, ofTwice, measure))) continue;
    return `${units} units take ${ofOnce.toFixed(1)} ms, twice as many ${ofTwice.toFixed(1)} ms`;
  }
  return undefined;
}

/**
 * Whether it is linear after all: what takes longer from some size on, as where one collection of garbage falls into every run, grows no further with the next
 * doubling; what is quadratic does.
 */
async function isLinearBeyond(
  work: (units: number) => () => unknown,
  units: number,
  ofUnits: number,
  measure: Measure,
): Promise<boolean> {
  const next = work(units * 2);
  let ofNext = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < runsMax(ofUnits) && ofNext > ofUnits * RATIO_MAX; runs++) {
    ofNext = Math.min(ofNext, await measure(next));
  }
  return ofNext <= ofUnits * RATIO_MAX;
}

function runsMax(ms: number): number {
  return ms > LONG_MS ? LONG_RUNS_MAX : RUNS_MAX;
}

/** Of this process, whatever else the machine does. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
