import { expect, it } from "vitest";
import { moreThanLinear } from "./linear-time.ts";

/** Work that takes as many milliseconds as it says. */
const told = (ms: (units: number) => number) =>
  moreThanLinear(
    (units) => () => ms(units),
    1_000,
    16_000,
    async (work) => Number(work()),
  );

it("what takes the square of its length is told, and what is linear is not, with a cost of its own from some size on", async () => {
  expect(await told((units) => (units / 1_000) ** 2)).toMatch(/twice as many/);
  expect(await told((units) => units / 1_000)).toBeUndefined();
  expect(await told((units) => units / 1_000 + (units >= 4_000 ? 10 : 0))).toBeUndefined();
  expect(await told((units) => units / 1_000 + (units >= 16_000 ? 40 : 0))).toBeUndefined();
});
