import { expect, it } from "vitest";
import { RefusalQueue } from "../../src/admission/refusal-queue.ts";
import { SYSTEM_ROUNDS } from "../../src/admission/rounds.ts";

it("refuses sixteen strangers in a round, in the order in which they came, and the next at once when all are gone", async () => {
  const rounds: (() => void)[] = [];
  const turns = new RefusalQueue({ ...SYSTEM_ROUNDS, next: (run) => void rounds.push(run) });
  const refused: number[] = [];
  const come = (from: number, count: number): void => {
    for (let i = from; i < from + count; i++) void turns.next().then(() => refused.push(i));
  };
  const refusedInRound = async (): Promise<number> => {
    const before = refused.length;
    for (const run of rounds.splice(0)) run();
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return refused.length - before;
  };
  come(0, 40);
  expect(await refusedInRound()).toBe(32);
  expect(await refusedInRound()).toBe(8);
  come(40, 10);
  expect([await refusedInRound(), await refusedInRound(), rounds.length]).toEqual([10, 0, 0]);
  expect(refused).toEqual(Array.from({ length: 50 }, (_, i) => i));
});
