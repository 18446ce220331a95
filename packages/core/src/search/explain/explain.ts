import type { EmbeddedQuestion } from "../../embedding/shared-embedder.ts";
import type { IndexedDocument } from "../../index/indexed-document.ts";
import type { WeightedQuery } from "../../index/postings/weighted-query.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type {
  Drop,
  ExplainedDocument,
  ExplainedQuestion,
  ExplainedRerank,
  ExplainedTerm,
  Explanation,
  ExplanationOutcome,
} from "../../model/explanation.ts";
import { RESOURCE_ID_CHARACTERS_MAX, TOP_K_MAX } from "../../model/limits.ts";
import { must } from "../../model/must.ts";
import type { SearchResult } from "../../model/types.ts";
import { requireText } from "../../model/validation.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { answerScore, scorePower } from "../answer-score.ts";
import { isBefore, type Ranked } from "../best-documents.ts";
import { type Allowed, droppedBy } from "../filters/allowed-documents.ts";
import { DENSE_FLOOR, type DenseQuery, LEXICAL_FLOOR } from "../fusion.ts";
import type { AnalyzedQuery, ParsedQuery } from "../parsed-query.ts";
import { pinnedDocuments } from "../pinned.ts";
import { textParts } from "../quote.ts";
import type { SearchRequest } from "../request.ts";
import { codesOfDocument, compareDocument, type Reranking } from "../rerank/compared-passages.ts";
import { type RerankedDocuments, rerankDepthOf, reranked, scoreOf } from "../rerank/rerank.ts";
import { countBefore, type DocumentHits, hitsOf } from "../retrieval.ts";
import {
  type Asking,
  analyzedBy,
  answerBy,
  depthOf,
  findHybrid,
  readQuestion,
  rerank,
  rerankingOf,
  type SlicedReranking,
  whenRead,
} from "../search.ts";
import { type ExplainedReranking, explainPassages } from "./explained-passages.ts";
import { explainPassageRerank, explainRerank } from "./explained-rerank.ts";

/**
 * Explains why a document stands where it stands among the answers to a question, or is not there.
 * The question's vector is awaited, as in a search. Then the search itself and its explanation run in time slices, on one version of the index.
 * @param newestVersion the number of the document's newest accepted version; undefined if the bot has no such document
 */
export async function explain(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  newestVersion: (id: string) => number | undefined,
  asking: Asking,
): Promise<Explanation> {
  requireText("id", id, { max: RESOURCE_ID_CHARACTERS_MAX });
  const { queue, check, signal } = asking;
  const read = await queue.answer({ begin: () => readQuestion(index, request, asking), check, signal });
  const embedded = await read.embedded;
  const reranking = rerank(embedded?.tokens, asking.tokenCodes);
  function* begin(): Sliced<Explanation> {
    const analyzed = yield* analyzedBy(index, request, read, asking);
    const explainedBy = { analyzed, embedded, reranking, newestVersion: newestVersion(id) };
    return yield* explainInSlices(index, request, id, explainedBy);
  }
  return whenRead(index, asking, reranking, begin);
}

/** The inputs of an explanation, beside the index. */
interface ExplainedBy {
  readonly analyzed: AnalyzedQuery;
  readonly embedded?: EmbeddedQuestion | undefined;
  readonly reranking?: SlicedReranking | undefined;
  /** The document's newest accepted version; undefined if the bot has no such document. */
  readonly newestVersion: number | undefined;
}

const QUOTE = "the quote of a document that has text";

/** Explains by the current index, in time slices. If token codes must be read first, this explanation lacks them. */
export function* explainInSlices(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  { analyzed, embedded, reranking, newestVersion }: ExplainedBy,
): Sliced<Explanation> {
  const hybridHits = yield* findHybrid(index, request, analyzed, embedded, reranking);
  const { query, allowed } = hybridHits;
  const { ranked, results } = yield* answerBy(index, request, hybridHits, reranking);
  const { topK } = request;
  const own =
    reranking === undefined || query.dense === undefined
      ? undefined
      : { ...rerankingOf(query, reranking), depth: rerankDepthOf(depthOf(request)) };
  const pinned = new Map(pinnedDocuments(index, query, allowed).map((each) => [each.document, each.pinned]));
  const last = results.length === topK ? results.at(-1) : undefined;
  const isLastPinned = [...pinned.keys()].some((each) => each.document.id === last?.resourceDocId);
  const frame = {
    id,
    topK,
    returned: results.length,
    // No score reaches a place that a pinned document has.
    ...(last === undefined || isLastPinned ? {} : { scoreNeeded: last.bestMatchScore }),
    question: {
      ...explainQuestion(query, embedded?.embedder.id),
      ...(own === undefined || !ranked.isReranked ? {} : { rerank: explainRerank(own, own.depth) }),
    },
  };
  const nothing = { score: 0, droppedBy: [], passages: [], similarTextParts: [] };
  const document = index.documents.find(id);
  if (document === undefined) {
    return { ...frame, ...nothing, outcome: newestVersion === undefined ? "unknown" : "notIndexed" };
  }
  const known = { ...frame, document: explainDocument(document, newestVersion) };
  if (document.passageCount === 0) return { ...known, ...nothing, outcome: "noText" };
  if (query.terms.length === 0) return { ...known, ...nothing, outcome: "noTerms" };
  const dropped = yield* droppedBy(request, document.document, index.effort);
  const hybrid = yield* foundAs(index, query, document, pinned.get(document));
  const { found, ...place } = yield* standing(index, query, request, hybrid, {
    results,
    ranked,
    dropped,
    allowed,
    pinned,
    reranking: own,
  });
  return {
    ...known,
    ...place,
    droppedBy: dropped,
    passages: yield* explainPassages(index, query, document, rerankedPassagesOf(index, hybrid, found, own)),
  };
}

/** The rerank scores of a document. If reranking did not touch it, the hybrid scores stay. */
function rerankedPassagesOf(
  index: SearchIndex,
  hybrid: DocumentHits,
  found: DocumentHits,
  reranking: Reranking | undefined,
): ExplainedReranking {
  if (reranking === undefined || found === hybrid) {
    return { of: () => undefined, similarityOf: (_, similarity) => similarity };
  }
  const { document, passages, variant, bestVariant, variantCloseness: closeness, titleFactor } = found;
  const hits = new Map(passages.map((hit) => [hit.ordinal, hit]));
  // A passage that was not kept is worth at most as much as the least one kept.
  const least = passages.at(-1)?.similarity ?? variant;
  const similarityOf = (ordinal: number, similarity: number): number =>
    ordinal === bestVariant ? variant : (hits.get(ordinal)?.similarity ?? Math.min(similarity, least));
  const of = (ordinal: number): ExplainedRerank | undefined => {
    const isVariant = ordinal === bestVariant && closeness !== undefined;
    // A passage with an assumed closeness has no matches to show.
    if (!isVariant && hits.get(ordinal)?.reranking === undefined) return undefined;
    const comparison = explainPassageRerank(index, document, ordinal, reranking);
    return (
      comparison && {
        ...comparison,
        ...(isVariant ? { closeness } : {}),
        ...(titleFactor === undefined || isVariant ? {} : { titleFactor }),
        similarity: similarityOf(ordinal, 0),
      }
    );
  };
  return { of, similarityOf };
}

/** The hybrid hits of a document, whether or not the search has found it. `pinned` is the pattern that pins it to the question. */
function* foundAs(
  index: SearchIndex,
  query: ParsedQuery,
  document: IndexedDocument,
  pinned: string | undefined,
): Sliced<DocumentHits> {
  const { effort, scores } = index;
  const bestOrdinal = scores.scoreOf(document.slot) > 0 ? scores.ordinalOf(document.slot) : document.firstOrdinal;
  effort.begin();
  return yield* hitsOf(index, query, { document, bestOrdinal, ...(pinned === undefined ? {} : { pinned }) });
}

interface Standing
  extends Pick<Explanation, "outcome" | "rank" | "score" | "equals" | "pinnedBy" | "similarTextParts"> {
  /** The document with its similarities after reranking. */
  readonly found: DocumentHits;
}

/** The results that a document stands among. */
interface Field {
  readonly results: readonly SearchResult[];
  readonly ranked: RerankedDocuments;
  readonly dropped: readonly Drop[];
  readonly allowed: Allowed;
  /** The documents that come first, in their order. */
  readonly pinned: ReadonlyMap<IndexedDocument, string>;
  /** The reranking, with its depth. */
  readonly reranking: (Reranking & { readonly depth: number }) | undefined;
}

function* standing(
  index: SearchIndex,
  query: ParsedQuery,
  request: SearchRequest,
  hybrid: DocumentHits,
  field: Field,
): Sliced<Standing> {
  const { results, dropped } = field;
  const equals = equalTo(hybrid);
  const isPinned = hybrid.pinned !== undefined;
  if (hybrid.passages.length === 0 && hybrid.variant === 0 && equals === undefined && !isPinned) {
    return { outcome: dropped.length > 0 ? "filtered" : "belowFloor", score: 0, similarTextParts: [], found: hybrid };
  }
  const { found, rank, isBeyond } = yield* placeAmong(index, query, hybrid, field);
  const similarTextParts = textParts(found, query, index).map((part) => ({
    ...part,
    similarity: answerScore(part.similarity, query),
  }));
  const score = must(similarTextParts[0], QUOTE).similarity;
  const isReturned = results.some(({ resourceDocId }) => resourceDocId === found.document.document.id);
  const outcome = isReturned ? "returned" : dropped.length > 0 ? "filtered" : missingBy(request, rank, score, isBeyond);
  const known = {
    ...(equals === undefined ? {} : { equals }),
    ...(found.pinned === undefined ? {} : { pinnedBy: found.pinned }),
  };
  return { outcome, rank, score, ...known, similarTextParts, found };
}

/** Why a document that is found and that no filter drops is not returned. */
function missingBy(
  { topK, offset = 0, minScore }: SearchRequest,
  rank: number,
  score: number,
  isBeyond: boolean,
): ExplanationOutcome {
  if (isBeyond) return "notReranked";
  if (score < minScore) return "belowMinScore";
  if (rank <= offset) return "beforeOffset";
  // An answer with an offset ends with the longest answer.
  const last = offset === 0 ? topK : Math.min(offset + topK, TOP_K_MAX);
  return rank > last ? "afterLast" : "missed";
}

/**
 * Finds a document's similarities after reranking, and its rank by them. A document that was not found gets the rank that it would have.
 * `isBeyond` tells that its rank by hybrid score is beyond the rerank depth: its similarities and rank are those by hybrid score then.
 */
function* placeAmong(
  index: SearchIndex,
  query: ParsedQuery,
  hybrid: DocumentHits,
  { ranked: { documents, isReranked, assumed }, allowed, pinned, reranking }: Field,
): Sliced<{ readonly found: DocumentHits; readonly rank: number; readonly isBeyond: boolean }> {
  const { document } = hybrid;
  const at = documents.findIndex((each) => each.document === document);
  const ranked = documents[at];
  if (ranked !== undefined) return { found: ranked, rank: at + 1, isBeyond: false };
  const score = must(textParts(hybrid, query, index)[0], QUOTE).similarity;
  const before = pinned.has(document)
    ? [...pinned.keys()].indexOf(document)
    : yield* countBefore(index, query, allowed, pinned, { document, score });
  const rank = before + 1;
  if (reranking === undefined) return { found: hybrid, rank, isBeyond: false };
  if (rank > reranking.depth) return { found: hybrid, rank, isBeyond: isReranked };
  const codes = codesOfDocument(index, hybrid, reranking);
  const comparison = codes && (yield* compareDocument(index, codes, reranking));
  const found = reranked(hybrid, comparison, assumed, reranking);
  const ownScore = scoreOf(found);
  const isFirst = (each: DocumentHits): boolean =>
    each.pinned !== undefined || isBefore(rankedAs(each), { document, score: ownScore });
  return { found, rank: Math.min(reranking.depth, documents.filter(isFirst).length + 1), isBeyond: false };
}

function rankedAs(found: DocumentHits): Ranked {
  return { document: found.document, score: scoreOf(found) };
}

function equalTo({ document, equal }: DocumentHits): "title" | "variant" | "text" | undefined {
  if (equal.title) return document.variantCount > 0 ? "variant" : "title";
  return equal.fragments.length > 0 ? "text" : undefined;
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

/** Explains the weights of a question's terms and of its vector in this index. `embedder` is the id of the embedder that read it. */
function explainQuestion(query: ParsedQuery, embedder = ""): ExplainedQuestion {
  const { dense } = query;
  return {
    terms: explainTerms(query.lexical),
    ...(query.ignored.length === 0 ? {} : { ignored: query.ignored }),
    upperBound: query.lexical.upperBound,
    lexicalFloor: LEXICAL_FLOOR,
    ...(dense === undefined ? {} : { dense: explainMeaning(query, dense, embedder) }),
  };
}

function explainMeaning(
  { identifiers }: ParsedQuery,
  { weight, identified, smallTalk = 0 }: DenseQuery,
  embedder: string,
): NonNullable<ExplainedQuestion["dense"]> {
  const known = {
    embedder,
    weight,
    floor: DENSE_FLOOR,
    ...(smallTalk === 0 ? {} : { smallTalk, scorePower: scorePower(smallTalk) }),
  };
  return identified === undefined ? known : { ...known, identifiers: identifiers.terms };
}

function explainTerms({ asked, upperBound }: WeightedQuery): ExplainedTerm[] {
  return asked.map(({ text, count, frequency, idf, weight, meant }) => {
    const known = { term: text, count, passages: frequency, idf, weight, share: weight / upperBound };
    return meant.length === 0 ? known : { ...known, meant };
  });
}
