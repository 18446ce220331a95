import { expect } from "vitest";
import type { HostileText } from "./hostile-texts.ts";
import { moreThanLinear } from "./linear-time.ts";
import { READERS } from "./text-readers.ts";

/** Reads every text in one way, at growing sizes: none takes more than linear time. */
export function expectLinear(reader: string, texts: readonly HostileText[], smallest: number, largest: number): void {
  const read = READERS[reader];
  if (read === undefined) throw new Error(`There is no reader ${reader}.`);
  const slow = texts.flatMap(({ name, of }) => {
    const work = (units: number): (() => void) => {
      const text = of(units);
      return () => read(text);
    };
    const why = moreThanLinear(work, smallest, largest);
    return why === undefined ? [] : [`${name}: ${why}`];
  });
  expect(slow).toEqual([]);
}
