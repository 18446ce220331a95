import type { Aim } from "../../measuring/report.ts";

/** How long things are measured. */
export interface Lengths {
  readonly rounds: number;
  /** Milliseconds of each measurement of a rate. */
  readonly ms: number;
  /** Questions of each measurement of a time. */
  readonly questions: number;
  readonly passages: number;
}

/** A table of a bench, and what it is held against. */
export interface Measured {
  readonly rows: readonly object[];
  readonly aims: readonly Aim[];
}

/** Milliseconds of each call, one after the other. */
export async function timesOf(count: number, call: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await call(index);
    times.push(performance.now() - start);
  }
  return times;
}
