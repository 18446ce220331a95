import type { SearchResult, TextPart } from "@loredex/core";

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
 * The best texts of all results, best first: at most `topK`, none below the threshold. A text is the context of a text part, if the results have contexts.
 * The K best texts are always in the K best documents, since a document scores as its best text.
 */
export function recordsOf(
  results: readonly SearchResult[],
  { topK, scoreThreshold }: { readonly topK: number; readonly scoreThreshold: number },
): RetrievalRecord[] {
  return results
    .flatMap((result) => distinct(result.similarTextParts).map((part) => recordOf(result, part)))
    .filter(({ score }) => score >= scoreThreshold)
    .sort((one, other) => other.score - one.score)
    .slice(0, topK);
}

/** The text parts without those whose context a better one has. */
function distinct(parts: readonly TextPart[]): readonly TextPart[] {
  const inContexts = parts.filter(({ context }) => context !== undefined);
  return inContexts.length === 0 ? parts : inContexts;
}

function recordOf(result: SearchResult, part: TextPart): RetrievalRecord {
  const { resourceDocId, type, status, url, metaData } = result;
  const { title } = metaData;
  const { text, start, stop } = part.context ?? part;
  return {
    content: text,
    score: part.similarity,
    title: typeof title === "string" && title !== "" ? title : (url ?? resourceDocId),
    metadata: {
      ...metaData,
      document_id: resourceDocId,
      document_type: type,
      document_status: status,
      ...(url === undefined ? {} : { document_url: url }),
      start_line: start,
      stop_line: stop,
    },
  };
}
