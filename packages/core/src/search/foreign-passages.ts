import { UNKNOWN_LANGUAGE } from "../analysis/analyzer.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { AnalyzedQuery } from "./parsed-query.ts";

/**
 * Tells which passages are written in another language than the question, and so cannot be expected to hold its words.
 * Undefined if the documents have one language only, or none is written in the question's. BM25 then treats all passages alike.
 */
export function foreignPassages(
  { analyzer, documents }: Pick<SearchIndex, "analyzer" | "documents">,
  question: AnalyzedQuery,
): ((ordinal: number) => boolean) | undefined {
  if (analyzer.documents === undefined || documents.languages.length < 2) return undefined;
  const language = question.languageBy(analyzer.documents);
  if (language === UNKNOWN_LANGUAGE || !documents.languages.includes(language)) return undefined;
  return (ordinal) => {
    const own = documents.ofOrdinal(ordinal)?.language ?? UNKNOWN_LANGUAGE;
    return own !== language && own !== UNKNOWN_LANGUAGE;
  };
}
