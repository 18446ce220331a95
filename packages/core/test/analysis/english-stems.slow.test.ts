import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { englishStem } from "../../src/analysis/english-stems.ts";
import { plainWordsBelow, winkStem } from "../support/wink-stems.ts";

const DATA = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));

describe("the stems of English words", () => {
  it.skipIf(!existsSync(DATA))("are those of wink-nlp for every word of all judged sets", () => {
    const words = plainWordsBelow(DATA);
    expect(words.size).toBeGreaterThan(50_000);
    const other = [...words].filter((word) => englishStem(word) !== winkStem(word));
    expect(other).toEqual([]);
  });
});
