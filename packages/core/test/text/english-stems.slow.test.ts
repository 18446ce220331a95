import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EnglishStems } from "../../src/text/english-stems.ts";
import { plainStem, plainWordsBelow } from "../support/plain-stems.ts";

const DATA = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));

describe("the stems of English words", () => {
  it.skipIf(!existsSync(DATA))("are those of the stemmer for every word of all judged sets", () => {
    const words = plainWordsBelow(DATA);
    expect(words.size).toBeGreaterThan(50_000);
    const stems = new EnglishStems();
    const other = [...words].filter((word) => stems.stem(word) !== plainStem(word));
    expect(other).toEqual([]);
  });
});
