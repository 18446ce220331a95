import type { SearchResult } from "../model/types.ts";

/** A search whose question a log may keep. */
export interface NotedSearch {
  /** As it was asked: not masked yet. */
  readonly question: string;
  readonly results: readonly Pick<SearchResult, "resourceDocId" | "bestMatchScore">[];
  readonly requestId?: string | undefined;
}
