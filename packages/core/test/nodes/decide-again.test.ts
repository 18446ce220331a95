import { expect, it } from "vitest";
import { LoredexError } from "../../src/model/errors.ts";
import { decideAgain } from "../../src/nodes/decide-again.ts";
import { TestClock } from "../support/test-clock.ts";
import { codeOf } from "./nodes.ts";

/** Work that another node is always quicker than. Each try takes some time of a clock that tests move; `onTry` gets its number. */
function overtaken(onTry: (tries: number) => void = () => undefined, tookMs = 1_000) {
  const clock = new TestClock();
  const count = { tries: 0 };
  const deps = { clock, chance: () => 0.5, sleep: async () => undefined, replaced: async () => undefined };
  const work = async (): Promise<never> => {
    clock.advance(tookMs);
    count.tries += 1;
    onTry(count.tries);
    throw new LoredexError("CONFLICT", "Another node was quicker.");
  };
  return { count, decided: (signal?: AbortSignal) => codeOf(decideAgain(deps, work, signal)) };
}

it("is tried for ten seconds", async () => {
  const { count, decided } = overtaken();
  expect(await decided()).toBe("CONFLICT");
  expect(count.tries).toBe(10);
});

it("is tried three times if one try takes longer than that, as a purge may", async () => {
  const { count, decided } = overtaken(undefined, 60_000);
  expect(await decided()).toBe("CONFLICT");
  expect(count.tries).toBe(3);
});

it("is tried until the signal of its caller aborts, and once if it has", async () => {
  const caller = new AbortController();
  const { count, decided } = overtaken((tries) => {
    if (tries === 30) caller.abort();
  });
  expect(await decided(caller.signal)).toBe("CONFLICT");
  expect(count.tries).toBe(30);
  expect(await decided(caller.signal)).toBe("CONFLICT");
  expect(count.tries).toBe(31);
});
