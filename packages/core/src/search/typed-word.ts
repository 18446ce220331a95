import type { Analyzer } from "../analysis/analyzer.ts";
import type { TypedWord } from "../index/postings/close-terms.ts";

const LAST_CHARACTER_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * Returns a function from a term of a text to the word that was typed for it, in each language's way of writing it.
 * It returns no word for a term that is not a whole word. The text is read on the first call only, since it may have hundreds of terms.
 */
export function typedWords(text: string, analyzer: Analyzer): (term: string) => readonly TypedWord[] {
  let known: ReadonlyMap<string, readonly TypedWord[]> | undefined;
  return (term) => {
    known ??= wordsByTerm(text, analyzer);
    return known.get(term) ?? [];
  };
}

/** Words by term. If several words have the same term, the last one counts. */
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
