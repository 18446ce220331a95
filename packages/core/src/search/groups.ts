import type { SearchIndex } from "../index/search-index.ts";
import type { FilterValue } from "../model/filter-types.ts";
import { must } from "../model/must.ts";
import type { ResultGroup, SearchResult } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { elementsOf, isFacetValue, VALUE_OPERATIONS } from "./field-values.ts";
import { DocumentFields } from "./filters/document-fields.ts";
import type { QueryRequest } from "./query-request.ts";

/**
 * Groups results by their value of a field: at most `topK` groups behind the first `offset`, of at most `groupSize` results. Results keep their order, and a group stands where its first
 * result does. A result is in one group: that of the first element of a list, and that of `null` if it has no value.
 */
export function* groupResults(
  { documents, effort }: SearchIndex,
  results: readonly SearchResult[],
  name: string,
  { topK, offset = 0, groupSize }: Pick<QueryRequest, "topK" | "offset" | "groupSize">,
): Sliced<ResultGroup[]> {
  const fields = new DocumentFields();
  const number = fields.add(name);
  fields.close();
  const groups = new Map<FilterValue | null, SearchResult[]>();
  for (const result of results) {
    const { document } = must(documents.find(result.resourceDocId), "the document of a result");
    fields.begin(document);
    const value = elementsOf(fields.valueOf(number)).find(isFacetValue) ?? null;
    const group = groups.get(value);
    if (group === undefined) {
      if (groups.size < offset + topK) groups.set(value, [result]);
    } else if (group.length < groupSize) group.push(result);
    if (effort.shouldYield(VALUE_OPERATIONS + fields.takeOperations())) yield;
  }
  return Array.from(groups, ([value, grouped]) => ({ value, results: grouped })).slice(offset);
}
