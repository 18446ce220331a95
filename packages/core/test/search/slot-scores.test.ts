import { expect, it } from "vitest";
import { SlotScores } from "../../src/search/slot-scores.ts";

it("keeps the best score of each slot, and of equal scores the lowest ordinal", () => {
  const scores = new SlotScores();
  scores.reset(100);
  scores.raise(99, 0.5, 7);
  scores.raise(99, 0.5, 3);
  scores.raise(99, 0.4, 1);
  scores.raise(2, 0.1, 9);
  expect([scores.count, scores.slotAt(0), scores.slotAt(1)]).toEqual([2, 99, 2]);
  expect([scores.scoreOf(99), scores.ordinalOf(99), scores.scoreOf(2)]).toEqual([0.5, 3, 0.1]);
  scores.reset(100);
  expect([scores.count, scores.scoreOf(99)]).toEqual([0, 0]);
});

it("throws for a slot that no document can have: its score would be lost, and its passage quoted by another's lines", () => {
  const scores = new SlotScores();
  scores.reset(64);
  for (const slot of [-1, 1_000]) {
    expect(() => scores.raise(slot, 0.5, 7)).toThrow("the score of a slot");
    expect(() => scores.scoreOf(slot)).toThrow("the score of a slot");
    expect(() => scores.ordinalOf(slot)).toThrow("the best passage of a slot");
  }
  expect(scores.count).toBe(0);
});
