import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { moreThanLinear } from "../../packages/core/test/support/linear-time.ts";
import { count } from "../support/counts.ts";
import type { HostileText } from "./hostile-texts.ts";
import { READERS } from "./text-readers.ts";

/** Reads every text in one way, at growing sizes: none takes more than linear time. */
export async function expectLinear(
  reader: string,
  texts: readonly HostileText[],
  smallest: number,
  largest: number,
): Promise<void> {
  const read = READERS[reader];
  if (read === undefined) throw new Error(`There is no reader ${reader}.`);
  const slow: string[] = [];
  count("hostile texts, each read at two sizes or more", texts.length);
  for (const { name, of } of texts) {
    const work = (units: number): (() => void) => {
      const text = of(units);
      return () => read(text);
    };
    const why = await moreThanLinear(work, smallest, largest);
    if (why !== undefined) slow.push(`${name}: ${why}`);
    // The test runner wants to hear of us.
    await setImmediate();
  }
  expect(slow).toEqual([]);
}
