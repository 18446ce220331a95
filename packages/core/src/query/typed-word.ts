import type { TypedWord } from "../lexical/close-terms.ts";
import type { Analyzer } from "../text/analyzer.ts";
import { words } from "../text/words.ts";

const LAST_CHARACTER_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/** The word of a text that a term of it comes from, as it was typed. Undefined if the term is not the whole of a word. */
export function typedWord(term: string, text: string, analyzer: Analyzer): TypedWord | undefined {
  const typed = words(text);
  const at = typed.findLastIndex((word) => {
    const terms = analyzer.terms(word);
    return terms.length === 1 && terms[0] === term;
  });
  const word = typed[at];
  if (word === undefined) return undefined;
  return {
    word,
    isUnfinished: at === typed.length - 1 && LAST_CHARACTER_IN_WORD.test(text),
    someWordOf: (...wanted) => analyzer.someWordOf(...wanted),
  };
}
