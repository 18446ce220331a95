import { describe, it } from "vitest";
import { expectLinear } from "./hostile-laws.ts";
import { CHARACTERS, constructs, pairsOf, runsAfterRuns, runsOf } from "./hostile-texts.ts";
import { READERS } from "./text-readers.ts";

const SHORT = process.env.TESTS_SHORT === "1";

/** UTF-16 units. Pairs are many: each is tried at two sizes only. */
const LARGEST = SHORT ? 32_000 : 1_024_000;
const PAIR = SHORT ? 8_000 : 64_000;

describe.each(Object.keys(READERS))("no text takes more than linear time as %s:", (reader) => {
  it("a run of any character, alone and beside a word", async () => {
    await expectLinear(reader, runsOf(CHARACTERS), SHORT ? LARGEST / 2 : 1_000, LARGEST);
  });

  it("what opens and never closes, and what stands in itself", async () => {
    await expectLinear(reader, constructs(), 1_000, LARGEST);
  });

  it("a run of any two characters, alone and beside a word", async () => {
    const pairs = runsOf(pairsOf(CHARACTERS));
    await expectLinear(reader, SHORT ? pairs.filter((_, i) => i % 31 === 0) : pairs, PAIR / 2, PAIR);
  });

  it("a run of one character before a run of another", async () => {
    const runs = runsAfterRuns(CHARACTERS);
    await expectLinear(reader, SHORT ? runs.filter((_, i) => i % 13 === 0) : runs, PAIR / 2, PAIR);
  });
});
