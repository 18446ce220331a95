import type { Drop, ExplainedDocument, Explanation, ExplanationOutcome } from "./domain/explanation.ts";
import type { SearchResult } from "./domain/types.ts";
import type { EmbeddedQuestion } from "./embedding/shared-embedder.ts";
import { allowedBy, droppedBy } from "./query/allowed.ts";
import { explainPassages } from "./query/explained-passages.ts";
import { explainQuestion } from "./query/explained-question.ts";
import type { IndexedDocument } from "./query/indexed-document.ts";
import type { AnalyzedQuery, ParsedQuery } from "./query/parsed-query.ts";
import type { SearchRequest } from "./query/request.ts";
import { countBefore, type DocumentHits, hitsOf } from "./query/retrieval.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { textParts } from "./query/spans.ts";
import { finished, type Steps } from "./runtime/steps.ts";
import { type Asking, analyzedBy, answerByQuery, readQuestion } from "./search.ts";

/**
 * Why a document stands where it stands among the answers, or is not there. Built like a search: the question's vector is
 * awaited, then the search itself and what explains it are done in turns, on one state of the index.
 * @param newestVersion the number of the document's newest accepted version; undefined if the bot has no such document
 */
export async function explain(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  newestVersion: (id: string) => number | undefined,
  { line, embed, check, signal }: Asking,
): Promise<Explanation> {
  const read = await line.answer({ begin: () => readQuestion(index, request, embed), check, signal });
  const vector = await read.embedded;
  const begin = (): Steps<Explanation> =>
    explainInSteps(index, request, id, analyzedBy(index, request, read), vector, newestVersion(id));
  return line.answer({ begin, ground: index, check, signal });
}

/** The explanation by the index as it is now. */
export function explainNow(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  newestVersion: number | undefined,
): Explanation {
  return finished(explainInSteps(index, request, id, analyzed, embedded, newestVersion));
}

function* explainInSteps(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  newestVersion: number | undefined,
): Steps<Explanation> {
  const { query, results } = yield* answerByQuery(index, request, analyzed, embedded);
  const { topK } = request;
  const last = results.length === topK ? results.at(-1)?.bestMatchScore : undefined;
  const frame = {
    id,
    topK,
    returned: results.length,
    ...(last === undefined ? {} : { scoreNeeded: last }),
    question: explainQuestion(query, embedded?.embedder.id),
  };
  const nothing = { score: 0, droppedBy: [], passages: [], similarTextParts: [] };
  const document = index.documents.find(id);
  if (document === undefined) {
    return { ...frame, ...nothing, outcome: newestVersion === undefined ? "unknown" : "notIndexed" };
  }
  const known = { ...frame, document: explainDocument(document, newestVersion) };
  if (document.passageCount === 0) return { ...known, ...nothing, outcome: "noText" };
  if (query.terms.length === 0) return { ...known, ...nothing, outcome: "noTerms" };
  const dropped = droppedBy(request, document.document);
  return {
    ...known,
    ...(yield* standing(index, query, request, document, results, dropped)),
    droppedBy: dropped,
    passages: explainPassages(index, query, document),
  };
}

type Standing = Pick<Explanation, "outcome" | "rank" | "score" | "equals" | "similarTextParts">;

function* standing(
  index: SearchIndex,
  query: ParsedQuery,
  request: SearchRequest,
  document: IndexedDocument,
  results: readonly SearchResult[],
  dropped: readonly Drop[],
): Steps<Standing> {
  const { effort, scores } = index;
  const bestOrdinal = scores.scoreOf(document.slot) > 0 ? scores.ordinalOf(document.slot) : document.firstOrdinal;
  effort.begin();
  const found = yield* hitsOf(index, query, { document, bestOrdinal });
  const equals = equalTo(found);
  if (found.passages.length === 0 && found.wording === 0 && equals === undefined) {
    return { outcome: dropped.length > 0 ? "filtered" : "belowFloor", score: 0, similarTextParts: [] };
  }
  const similarTextParts = textParts(found, query, index);
  const score = similarTextParts[0]?.similarity ?? 0;
  const at = results.findIndex(({ resourceDocId }) => resourceDocId === document.document.id);
  const rank = at >= 0 ? at + 1 : (yield* countBefore(index, query, allowedBy(request), { document, score })) + 1;
  const outcome: ExplanationOutcome =
    at >= 0 ? "returned" : dropped.length > 0 ? "filtered" : rank > request.topK ? "afterLast" : "missed";
  return { outcome, rank, score, ...(equals === undefined ? {} : { equals }), similarTextParts };
}

function equalTo({ document, equal }: DocumentHits): "title" | "wording" | "text" | undefined {
  if (equal.title) return document.wordingCount > 0 ? "wording" : "title";
  return equal.pieces.length > 0 ? "text" : undefined;
}

function explainDocument({ document, version }: IndexedDocument, newestVersion: number | undefined): ExplainedDocument {
  const { type, status, titles, url } = document;
  const [title] = titles;
  return {
    type,
    status,
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    newerWaits: newestVersion !== undefined && newestVersion !== version,
  };
}
