import { median, percentile } from "./measures.ts";

const ROUNDS = 5;
const BLOCK = 50;
const SEARCHING_MS_MAX = 60_000;

export type Ask = (question: string) => unknown;

export interface AskedTimes {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/**
 * Asks several ways in one process, turn about in blocks of questions, in the reversed order every other round. A question's time is the least of all rounds. Returns
 * the times in the order of the ways.
 */
export async function inTurn(questions: readonly string[], ways: readonly Ask[]): Promise<AskedTimes[]> {
  const asked = ways.map((ask) => ({ ask, least: new Float64Array(questions.length).fill(Number.POSITIVE_INFINITY) }));
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    for (let from = 0; from < questions.length; from += BLOCK) {
      for (const { ask, least } of round % 2 === 0 ? asked : [...asked].reverse()) {
        for (let i = from; i < Math.min(questions.length, from + BLOCK); i++) {
          const began = performance.now();
          const answered = ask(questions[i] ?? "");
          if (answered instanceof Promise) await answered;
          least[i] = Math.min(least[i] ?? 0, performance.now() - began);
        }
      }
    }
    if (performance.now() - start > SEARCHING_MS_MAX) break;
  }
  return asked.map(({ least }) => ({ medianMs: median([...least]), p99Ms: percentile([...least], 0.99) }));
}
