import { expect, it } from "vitest";
import { call } from "./support/client.ts";
import { FakeEngine, searchResult } from "./support/fake-engine.ts";
import { serve } from "./support/server.ts";

const SLICES = 200;

/** How many rounds the event loop has while so many clients are each given an answer of 200 slices. */
async function roundsDuring(answers: number): Promise<number> {
  const engine = new FakeEngine();
  const { url } = await serve(engine);
  engine.bot1.results = [searchResult({ content: [{ md: "x".repeat(SLICES * 65_536) }] })];
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const asked = Array.from({ length: answers }, () =>
    call(url, "POST", "/api/v1/knowledge/search", { body: { query: "x" } }),
  );
  for (const answer of await Promise.all(asked)) expect(answer.json).toEqual(engine.bot1.results);
  isOver = true;
  return rounds;
}

it("a long answer gives others their turn after each slice, also where the client takes it at once", async () => {
  expect(await roundsDuring(1)).toBeGreaterThanOrEqual(SLICES);
});

it("a round has a slice of one long answer, however many are given at once", async () => {
  expect(await roundsDuring(4)).toBeGreaterThanOrEqual(4 * SLICES);
});
