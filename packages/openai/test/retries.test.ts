import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RETRY_AFTER_MS_MAX, withRetries } from "../src/model-server.ts";
import { type ProblemKind, ServerProblem } from "../src/server-problem.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The moments of the tries, in milliseconds, while every try fails with this problem. */
async function triesOf(kind: ProblemKind, retryAfterMs?: number, retries = 3): Promise<number[]> {
  const moments: number[] = [];
  const start = Date.now();
  const attempt = async (): Promise<never> => {
    moments.push(Date.now() - start);
    throw new ServerProblem(kind, "no", retryAfterMs);
  };
  const failure = withRetries(attempt, { retries, retryMsMin: 100 }, new AbortController().signal).catch(String);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(await failure).toContain("no");
  return moments;
}

describe("a request that fails", () => {
  it("is tried again after waits that double, up to 16 times the first, and are always the same", async () => {
    expect(await triesOf("away")).toEqual([0, 100, 300, 700]);
    expect(await triesOf("failed", undefined, 7)).toEqual([0, 100, 300, 700, 1_500, 3_100, 4_700, 6_300]);
  });

  it("is tried again no sooner than the server asks", async () => {
    expect(await triesOf("away", 250)).toEqual([0, 250, 500, 900]);
  });

  it("is given up at once when the server asks for more patience than there is", async () => {
    expect(await triesOf("away", RETRY_AFTER_MS_MAX)).toHaveLength(4);
    expect(await triesOf("away", RETRY_AFTER_MS_MAX + 1)).toEqual([0]);
  });

  it("is not tried again where that helps nobody", async () => {
    expect(await triesOf("refused")).toEqual([0]);
    expect(await triesOf("setting")).toEqual([0]);
  });
});
