import { describe, it } from "vitest";
import { expectLinear } from "./hostile-laws.ts";
import { CHARACTERS, constructs, runsOf } from "./hostile-texts.ts";
import { READERS } from "./text-readers.ts";

/** A busy machine may take its time. */
const TIMEOUT_MS = 120_000;

describe.each(Object.keys(READERS))("no text takes more than linear time as %s:", (reader) => {
  it(
    "a run of any character, alone and beside a word",
    async () => {
      await expectLinear(reader, runsOf(CHARACTERS), 4_000, 8_000);
    },
    TIMEOUT_MS,
  );

  it(
    "what opens and never closes, and what stands in itself",
    async () => {
      await expectLinear(reader, constructs(), 1_000, 8_000);
    },
    TIMEOUT_MS,
  );
});
