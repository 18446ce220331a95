import { describe, it } from "vitest";
import { expectLinear } from "./hostile-laws.ts";
import { CHARACTERS, constructs, type HostileText, runsOf } from "./hostile-texts.ts";
import { READERS } from "./text-readers.ts";

const NAMES = Object.keys(READERS);
/** Each reader gets every fourth text, and the next one the texts beside them: all texts are read by two. The slow suite gives all to each. */
const EVERY = 4;
const shareOf = (reader: string, texts: readonly HostileText[]): HostileText[] =>
  texts.filter((_, at) => at % EVERY === NAMES.indexOf(reader) % EVERY);

/** A busy machine may take its time. */
const TIMEOUT_MS = 120_000;

describe.each(NAMES)("no text takes more than linear time as %s:", (reader) => {
  it(
    "a run of any character, alone and beside a word",
    async () => {
      await expectLinear(reader, shareOf(reader, runsOf(CHARACTERS)), 4_000, 8_000);
    },
    TIMEOUT_MS,
  );

  it(
    "what opens and never closes, and what stands in itself",
    async () => {
      await expectLinear(reader, shareOf(reader, constructs()), 1_000, 8_000);
    },
    TIMEOUT_MS,
  );
});
