import type { SearchResult } from "@loredex/core";

/** What Dify shows a model, and its user as a citation: one text that matches. */
export interface RetrievalRecord {
  readonly content: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly title: string;
  /** The document's own, and beside it where the text stands. Never null: Dify passes over a record without. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The names that a record's metadata has beside those of its document, each with the field of a search's result that a filter on it
 * compares; undefined where it says something of the text alone. They win over a document's keys of the same names.
 */
export const FIELD_OF_NAME: Readonly<Record<string, string | undefined>> = {
  document_id: "resourceDocId",
  document_type: "type",
  document_status: "status",
  document_url: "url",
  start_line: undefined,
  stop_line: undefined,
};

/**
 * The best texts of all results, best first: at most `topK`, none below the threshold. The K best texts are always among those of the K best
 * documents, for a document is as good as its best text.
 */
export function recordsOf(
  results: readonly SearchResult[],
  { topK, scoreThreshold }: { readonly topK: number; readonly scoreThreshold: number },
): RetrievalRecord[] {
  return results
    .flatMap((result) => result.similarTextParts.map((part) => recordOf(result, part)))
    .filter(({ score }) => score >= scoreThreshold)
    .sort((one, other) => other.score - one.score)
    .slice(0, topK);
}

function recordOf(result: SearchResult, part: SearchResult["similarTextParts"][number]): RetrievalRecord {
  const { resourceDocId, type, status, url, metaData } = result;
  const { title } = metaData;
  return {
    content: part.text,
    score: part.similarity,
    title: typeof title === "string" && title !== "" ? title : (url ?? resourceDocId),
    metadata: {
      ...metaData,
      document_id: resourceDocId,
      document_type: type,
      document_status: status,
      ...(url === undefined ? {} : { document_url: url }),
      start_line: part.start,
      stop_line: part.stop,
    },
  };
}
