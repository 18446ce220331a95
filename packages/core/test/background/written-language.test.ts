import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WrittenLanguage } from "../../src/background/written-language.ts";
import { LoredexError } from "../../src/model/errors.ts";
import { document, wordsOnly } from "../search/rerank-kit.ts";
import { TestClock } from "../support/test-clock.ts";

describe("the language that a bot's documents are written in", () => {
  it("is not read again at once if a reading fails, as that of a removed bot does", async () => {
    const index = wordsOnly([document("a", "Money comes back within 14 days.")]);
    let asked = 0;
    let failing = 0;
    const written = new WrittenLanguage({
      index,
      clock: new TestClock(),
      info: () => {
        asked++;
        // Not for ever: a reading that is due again at once would never give others their turn.
        if (failing-- > 0) throw new LoredexError("BOT_NOT_FOUND", "There is no such bot.");
        return { language: "en" };
      },
      written: {
        reader: { isPlainlyEnglish: () => true, teller: () => expect.fail("English is plain") },
        lastKnown: undefined,
        onKnown: () => undefined,
      },
      background: true,
    });
    await written.refresh();
    expect([asked, written.isDue]).toEqual([1, false]);
    failing = 5;
    index.replace(document("b", "Parcels leave at noon."), 2);
    expect(written.isDue).toBe(true);
    await written.refresh();
    await setImmediate();
    expect([asked, written.isDue]).toEqual([2, false]);
    index.replace(document("c", "The shop is open."), 3);
    index.replace(document("d", "The shop is closed."), 4);
    expect(written.isDue).toBe(true);
    written.close();
    expect(written.isDue).toBe(false);
  });
});
