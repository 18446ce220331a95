import type { TypedWord } from "../lexical/close-terms.ts";
import type { Analyzer } from "../text/analyzer.ts";

const LAST_CHARACTER_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * Tells which word of a text a term of it comes from, as it was typed. Undefined if the term is not the whole of a word. The text is read
 * when the first term is asked for, and only then: it may have hundreds.
 */
export function typedWords(text: string, analyzer: Analyzer): (term: string) => TypedWord | undefined {
  let known: ReadonlyMap<string, TypedWord> | undefined;
  return (term) => {
    known ??= wordsByTerm(text, analyzer);
    return known.get(term);
  };
}

/** Of several words with one term the last. */
function wordsByTerm(text: string, analyzer: Analyzer): ReadonlyMap<string, TypedWord> {
  const someWordOf: TypedWord["someWordOf"] = (...wanted) => analyzer.someWordOf(...wanted);
  const typed = analyzer.words(text);
  const byTerm = new Map<string, TypedWord>();
  for (const [at, word] of typed.entries()) {
    const [term, another] = analyzer.terms(word);
    if (term === undefined || another !== undefined) continue;
    const isUnfinished = at === typed.length - 1 && LAST_CHARACTER_IN_WORD.test(text);
    byTerm.set(term, { word: analyzer.compared(word), isUnfinished, someWordOf });
  }
  return byTerm;
}
