import { expect, it } from "vitest";
import { slowShare } from "../storage/kit.ts";
import { askHostileQuestions } from "./hostile-questions.ts";

const RUNS = Number(process.env.TESTS_RUNS ?? slowShare(2_000));

it(`${RUNS} hostile questions are answered within the budget of a search`, () => {
  expect(askHostileQuestions(400, RUNS).cutOff).toBeGreaterThan(0);
});
