import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { profileOf } from "../../packages/core/src/analysis/profiles.ts";
import { questionWordsOf } from "../../packages/core/src/analysis/question-words.ts";
import { allStemmers } from "../../packages/core/src/analysis/stemmers.ts";
import { isUnspaced } from "../../packages/core/src/analysis/unspaced.ts";
import { LANGUAGES } from "../../packages/core/src/model/language-tags.ts";

const PAGE = readFileSync(new URL("../../docs/languages.md", import.meta.url), "utf8");

/** Those that are no single language are told in sentences. */
const SINGLE = LANGUAGES.filter((language) => !["en", "multi", "auto"].includes(language));

it("the page on languages names under what is done to words all languages to which it is done, and no other", async () => {
  const stemmers = await allStemmers();
  const expected: Readonly<Record<string, (language: string) => boolean>> = {
    "words in all their endings": (language) => stemmers.has(language),
    "letters before a word": (language) => language === "he",
    "words typed without accents": (language) => profileOf(language).plainToo === true,
    "question words": (language) => questionWordsOf(language) !== "",
    "words that are written together": (language) => (profileOf(language).links ?? []).length > 0,
    "pairs of letters": (language) => isUnspaced(nameIn(language)),
    "as they stand": (language) =>
      !stemmers.has(language) && !isUnspaced(nameIn(language)) && profileOf(language).plainToo !== true,
  };
  const rows = [...PAGE.matchAll(/^\| \*\*(.+?)\*\*.*? \| (.+) \|$/gm)];
  const told = Object.fromEntries(rows.map(([, what = "", tags = ""]) => [what, tags.match(/\b[a-z]{2,3}\b/g) ?? []]));
  expect(told).toEqual(
    Object.fromEntries(Object.entries(expected).map(([what, has]) => [what, SINGLE.filter(has).sort()])),
  );
});

/** What a language calls itself. */
function nameIn(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? "";
}
