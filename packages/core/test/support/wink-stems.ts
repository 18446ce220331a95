import { readdirSync, readFileSync } from "node:fs";
import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction } from "wink-nlp";
import { WORD_CHARACTERS_MAX } from "../../src/analysis/words.ts";

const wink = winkNLP(model, []);

/**
 * What wink-nlp answers for a document that is a word: 61 words of its lexicon are contractions without their apostrophe ("youre"), which it takes apart unless a comma follows.
 */
export function winkStem(word: string): string {
  const alone = wink.readDoc(word).tokens();
  const token = (alone.length() === 1 ? alone : wink.readDoc(`${word},`).tokens()).itemAt(0);
  // Boundary: the types of wink-nlp forget that such a function is given the add-ons of the model.
  return token.out(wink.its.stem as ItsFunction<string>);
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
