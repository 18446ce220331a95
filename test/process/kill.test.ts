import { expect, it } from "vitest";
import { expectNothingLost } from "./kill-cycles.ts";

it("a process killed while it writes loses nothing that it acknowledged, and its characters still add up", async () => {
  const { acknowledged } = await expectNothingLost(2, 7);
  expect(acknowledged).toBeGreaterThan(100);
}, 120_000);
