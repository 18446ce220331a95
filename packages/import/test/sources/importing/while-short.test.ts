import { LoredexError } from "@loredex/core";
import { expect, it } from "vitest";
import { Patience } from "../../../src/sources/importing/while-short.ts";

/** Refuses as often as said, and counts the pauses. */
function shortFor(refusals: number) {
  const pauses: number[] = [];
  const told: string[] = [];
  let left = refusals;
  const give = async () => {
    if (left-- > 0) throw new LoredexError("OUT_OF_MEMORY", "short of memory: --memory-max");
    return "added";
  };
  const pause = async (ms: number) => void pauses.push(ms);
  const onWait = (reason: string) => void told.push(reason);
  return { pauses, told, give, options: { pause, onWait } };
}

it("gives a document again while memory is short, for a minute at most", async () => {
  const passing = shortFor(12);
  expect(await new Patience(passing.options).ask(passing.give)).toBe("added");
  expect(passing.pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  expect(passing.told).toEqual(["short of memory: --memory-max"]);
  const lasting = shortFor(13);
  await expect(new Patience(lasting.options).ask(lasting.give)).rejects.toThrow("--memory-max");
});

it("waits with all documents together, once, until one of them succeeds", async () => {
  const { pauses, give, options } = shortFor(Number.POSITIVE_INFINITY);
  const patience = new Patience(options);
  const given = await Promise.allSettled(Array.from({ length: 40 }, () => patience.ask(give)));
  expect(given.every(({ status }) => status === "rejected")).toBe(true);
  // What comes later does not wait again.
  await expect(patience.ask(give)).rejects.toThrow("--memory-max");
  expect(pauses).toHaveLength(12);
  expect(await patience.ask(async () => "removed")).toBe("removed");
  await expect(patience.ask(give)).rejects.toThrow("--memory-max");
  expect(pauses).toHaveLength(24);
});

it("gives nothing again that was refused for another reason, or that nobody waits for", async () => {
  const { give, options, pauses } = shortFor(1);
  const full = () => Promise.reject(new LoredexError("BOT_FULL", "full"));
  await expect(new Patience(options).ask(full)).rejects.toThrow("full");
  expect(pauses).toEqual([]);
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(new Patience({ ...options, signal }).ask(give)).rejects.toThrow("stopped");
});
