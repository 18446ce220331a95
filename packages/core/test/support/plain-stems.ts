import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import model from "wink-eng-lite-web-model";
import { WORD_CHARACTERS_MAX } from "../../src/text/words.ts";

/** The stemmer itself, which wink-nlp asks: what a word's stem is, whatever is made of the word on the way. */
export function plainStem(word: string): string {
  const { stem } = model.addons;
  return typeof stem === "function" ? String(stem(word)) : expect.fail("The model has no stemmer.");
}

/** All words of the letters a to z in the files below a directory, without accents. */
export function plainWordsBelow(directory: string): Set<string> {
  const words = new Set<string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(`${entry.parentPath}/${entry.name}`, "utf8")
      .normalize("NFD")
      .replace(/\p{M}+/gu, "");
    for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
      if (word.length <= WORD_CHARACTERS_MAX) words.add(word);
    }
  }
  return words;
}
