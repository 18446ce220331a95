import { expect, it } from "vitest";
import { call } from "./support/client.ts";
import { FakeEngine, searchResult } from "./support/fake-engine.ts";
import { serve } from "./support/server.ts";

it("a long answer gives others their turn after each slice, also where the client takes it at once", async () => {
  const engine = new FakeEngine();
  const { url } = await serve(engine);
  const slices = 200;
  engine.bot1.results = [searchResult({ content: [{ md: "x".repeat(slices * 65_536) }] })];
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answer = await call(url, "POST", "/api/v1/knowledge/search", { body: { query: "x" } });
  isOver = true;
  expect(answer.json).toEqual(engine.bot1.results);
  expect(turns).toBeGreaterThanOrEqual(slices);
});
