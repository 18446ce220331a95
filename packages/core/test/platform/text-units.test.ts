import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { stringOf, TextUnits } from "../../src/platform/text-units.ts";

/** Short and long, of one byte a unit or two, with halves of pairs that stand alone. */
const text = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "é", "’", "語", "\u{1f600}", "\ud83d", "\ude00", "\0"), maxLength: 40 }),
    fc.constantFrom(1, 2, 100, 3_000),
  )
  .map(([piece, times]) => piece.repeat(times));

it("the units of a text are its own with a 0 behind them, whatever was read before, and make the same text again", () => {
  const units = new TextUnits();
  fc.assert(
    fc.property(text, fc.nat(60), (whole, from) => {
      // A piece of a text is kept in another way than a text.
      for (const each of [whole, whole.slice(from)]) {
        const read = units.of(each);
        let isSame = read[each.length] === 0;
        for (let at = 0; at < each.length; at++) isSame &&= read[at] === each.charCodeAt(at);
        expect(isSame).toBe(true);
        expect(stringOf(read, 0, each.length) === each).toBe(true);
      }
    }),
    { numRuns: lawRuns(300) },
  );
});
