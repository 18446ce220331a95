import { expect, it } from "vitest";
import { languageLine } from "../src/commands/bot.ts";

it("bot show says how far a bot's words are read in its new language", () => {
  expect(languageLine("de-CH", undefined)).toBe("de-CH");
  expect(languageLine("de-CH", { documents: 4_000, documentsRead: 1_200 })).toBe(
    "de-CH: 1,200 of 4,000 documents read in it; until all are, questions are answered by the words of the language before",
  );
});
