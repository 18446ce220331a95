import { LoredexError } from "@loredex/core";
import { expect, it } from "vitest";
import { whileShort } from "../../../src/sources/importing/while-short.ts";

/** Refuses as often as said, and counts the pauses. */
function shortFor(refusals: number) {
  const pauses: number[] = [];
  let left = refusals;
  const give = async () => {
    if (left-- > 0) throw new LoredexError("OUT_OF_MEMORY", "short of memory: --memory-max");
    return "added";
  };
  const pause = async (ms: number) => pauses.push(ms);
  return { pauses, give, pause };
}

it("gives a document again while memory is short, for a minute at most", async () => {
  const passing = shortFor(12);
  expect(await whileShort(passing.give, undefined, passing.pause)).toBe("added");
  expect(passing.pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  const lasting = shortFor(13);
  await expect(whileShort(lasting.give, undefined, lasting.pause)).rejects.toThrow("--memory-max");
});

it("gives nothing again that was refused for another reason, or that nobody waits for", async () => {
  const { give, pause, pauses } = shortFor(1);
  const full = () => Promise.reject(new LoredexError("BOT_FULL", "full"));
  await expect(whileShort(full, undefined, pause)).rejects.toThrow("full");
  expect(pauses).toEqual([]);
  await expect(whileShort(give, AbortSignal.abort(new Error("stopped")), pause)).rejects.toThrow("stopped");
});
