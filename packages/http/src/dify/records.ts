import type { SearchResult } from "@loredex/core";

/** One matching text, as Dify gives it to a model, and shows it to its user as a citation. */
export interface RetrievalRecord {
  readonly content: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly title: string;
  /** The metadata of the document, and the place of the text. Never null: Dify skips a record without metadata. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The names that a record's metadata has beside the document's keys. They win over keys of the same name.
 * Each has the field of a search result that a filter on it compares; undefined if it describes the text alone.
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
 * The best texts of all results, best first: at most `topK`, none below the threshold.
 * The K best texts are always in the K best documents, since a document scores as its best text.
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
