import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchFilter } from "../../src/model/filter-types.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { search } from "../../src/search/search.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { askedTokens, type CALIBRATION, type FakeKeptTokenCodes } from "../support/fake-token-codes.ts";
import { TestClock } from "../support/test-clock.ts";

/** What the tests of reranking share: indexes whose token codes are those of words, and questions to them. */

const found = await analyzerOf("en");
if (found === undefined) throw new Error("English is missing");
const analyzer = found;
export const EMBEDDER = new FakeEmbedder();

export function document(id: string, md: string, given: Partial<SearchableDocument> = {}): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [], ...given };
}

/** An index without vectors. */
export function wordsOnly(documents: readonly SearchableDocument[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, each] of documents.entries()) index.replace(each, i + 1);
  return index;
}

export function indexOf(documents: readonly SearchableDocument[]): SearchIndex {
  const index = wordsOnly([]);
  index.windowVectors.use(EMBEDDER, new PassageVectors(EMBEDDER.dimensions));
  for (const [i, each] of documents.entries()) {
    index.replace(each, i + 1);
    const codes = [...embeddedTexts(cutDocument(each))].map((text) => [...encodeVector(EMBEDDER.vectorOf(text))]);
    index.windowVectors.set(each.id, Int8Array.from(codes.flat()));
  }
  return index;
}

export interface Given {
  readonly tokenCodes?: FakeKeptTokenCodes | undefined;
  readonly topK?: number;
  readonly filters?: SearchFilter;
  readonly calibration?: typeof CALIBRATION;
  readonly signal?: AbortSignal;
  /** Whose tokens are looked for; by default the question's. */
  readonly tokensOf?: string;
}

export function askingOf(
  query: string,
  { tokenCodes, topK = 10, filters = {}, calibration, signal, tokensOf = query }: Given,
) {
  const queue = new SearchQueue(TimeSlices.ofSearches(new TestClock()));
  const [vector, tokens] = [EMBEDDER.vectorOf(query), askedTokens(tokensOf, calibration)];
  const embed = async () => ({ embedder: EMBEDDER, vector, tokens });
  const request = parseSearchRequest({ query, options: { topK }, filters });
  return { request, asking: { queue, embed, check: () => undefined, tokenCodes, signal } };
}

export function ask(index: SearchIndex, query: string, given: Given = {}): Promise<SearchResult[]> {
  const { request, asking } = askingOf(query, given);
  return search(index, request, asking);
}

/** So long that a paragraph with it is a passage of its own. */
export const FILLER = "as is told to whoever asks for it ".repeat(20);
