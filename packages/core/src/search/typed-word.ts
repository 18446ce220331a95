import type { Analyzer } from "../analysis/analyzer.ts";
import type { TypedWord } from "../index/postings/close-terms.ts";

const LAST_CHARACTER_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * Tells which word of a text a term of it comes from, as it was typed: in each way that languages write it, and in none if the term is not the whole of
 * a word. The text is read when the first term is asked for, and only then: it may have hundreds.
 */
export function typedWords(text: string, analyzer: Analyzer): (term: string) => readonly TypedWord[] {
  let known: ReadonlyMap<string, readonly TypedWord[]> | undefined;
  return (term) => {
    known ??= wordsByTerm(text, analyzer);
    return known.get(term) ?? [];
  };
}

/** Of several words with one term the last. */
function wordsByTerm(text: string, analyzer: Analyzer): ReadonlyMap<string, readonly TypedWord[]> {
  const typed = analyzer.compared(text);
  const byTerm = new Map<string, readonly TypedWord[]>();
  for (const [at, forms] of typed.entries()) {
    const isUnfinished = at === typed.length - 1 && LAST_CHARACTER_IN_WORD.test(text);
    const ofWord = new Map<string, TypedWord[]>();
    for (const { term, word, someWordOf } of forms) {
      ofWord.set(term, [...(ofWord.get(term) ?? []), { word, isUnfinished, someWordOf }]);
    }
    for (const [term, words] of ofWord) byTerm.set(term, words);
  }
  return byTerm;
}
