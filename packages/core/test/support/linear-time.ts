/** Whether something takes linear time: the processor time of n against that of 2n, each the least of several runs. */

/** Of twice as much, linear work takes twice as long, quadratic four times. */
const RATIO_MAX = 3;
/** Below this nothing can be said. */
const NOISE_MS = 2;
/** Only what seems to grow too fast is measured so often. */
const RUNS_MAX = 20;
/** Above this, noise does not double anything. */
const LONG_MS = 200;

/** Undefined if it is linear from `smallest` to `largest` units; else what was measured. */
export async function moreThanLinear(
  work: (units: number) => () => unknown,
  smallest: number,
  largest: number,
): Promise<string | undefined> {
  for (let units = smallest; units * 2 <= largest; units *= 2) {
    const [once, twice] = [work(units), work(units * 2)];
    let ofOnce = Number.POSITIVE_INFINITY;
    let ofTwice = Number.POSITIVE_INFINITY;
    let runs = 0;
    const isFine = (): boolean => ofTwice <= Math.max(ofOnce, NOISE_MS) * RATIO_MAX;
    do {
      ofOnce = Math.min(ofOnce, await processorMs(once));
      ofTwice = Math.min(ofTwice, await processorMs(twice));
    } while (!isFine() && ++runs < (ofTwice > LONG_MS ? 2 : RUNS_MAX));
    if (!isFine()) return `${units} units take ${ofOnce.toFixed(1)} ms, twice as many ${ofTwice.toFixed(1)} ms`;
  }
  return undefined;
}

/** Of this process, whatever else the machine does. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
