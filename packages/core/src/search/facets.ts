import type { SearchIndex } from "../index/search-index.ts";
import type { FilterValue } from "../model/filter-types.ts";
import { FACET_VALUES_COUNTED_MAX, FACET_VALUES_MAX } from "../model/limits.ts";
import type { FacetValue, JsonValue } from "../model/types.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { elementsOf, isFacetValue, VALUE_OPERATIONS } from "./field-values.ts";
import { DocumentFields } from "./filters/document-fields.ts";

/**
 * Counts the values of each field over the documents that have a score in `index.scores`. A document counts once for each different value that it has.
 * O(documents × fields), and the elements of their lists.
 */
export function* countFacets(
  { scores, documents, effort }: SearchIndex,
  names: readonly string[],
): Sliced<Record<string, readonly FacetValue[]>> {
  const fields = new DocumentFields();
  const facets = names.map((name) => ({ name, number: fields.add(name), counts: new ValueCounts() }));
  fields.close();
  for (let i = 0; i < scores.count; i++) {
    const document = documents.at(scores.slotAt(i));
    if (document === undefined) continue;
    fields.begin(document.document);
    for (const { number, counts } of facets) {
      for (const value of elementsOf(fields.valueOf(number))) {
        counts.add(value, i);
        if (effort.shouldYield(VALUE_OPERATIONS)) yield;
      }
    }
    if (effort.shouldYield(1 + fields.takeOperations())) yield;
  }
  const counted: [string, readonly FacetValue[]][] = [];
  for (const { name, counts } of facets) counted.push([name, yield* counts.mostFrequent(effort)]);
  return Object.fromEntries(counted);
}

/** How many documents have each value of one field. */
class ValueCounts {
  /** By value: its documents so far, and the last of them. */
  readonly #counts = new Map<FilterValue, { count: number; last: number }>();

  /** Counts a value of a document. Call it for all values of one document in a row. */
  add(value: JsonValue, document: number): void {
    if (!isFacetValue(value)) return;
    const known = this.#counts.get(value);
    if (known === undefined) {
      if (this.#counts.size < FACET_VALUES_COUNTED_MAX) this.#counts.set(value, { count: 1, last: document });
    } else if (known.last !== document) {
      known.count++;
      known.last = document;
    }
  }

  /** The most frequent values, at most {@link FACET_VALUES_MAX}: in descending order of counts, ties by value. */
  *mostFrequent(meter: OperationMeter): Sliced<readonly FacetValue[]> {
    const best: FacetValue[] = [];
    for (const [value, { count }] of this.#counts) {
      if (meter.shouldYield(VALUE_OPERATIONS)) yield;
      const offered = { value, count };
      const last = best[FACET_VALUES_MAX - 1];
      if (last !== undefined && !isBefore(offered, last)) continue;
      const at = best.findIndex((other) => isBefore(offered, other));
      best.splice(at < 0 ? best.length : at, 0, offered);
      if (best.length > FACET_VALUES_MAX) best.pop();
    }
    return best;
  }
}

function isBefore(a: FacetValue, b: FacetValue): boolean {
  if (a.count !== b.count) return a.count > b.count;
  const [first, second] = [typeof a.value, typeof b.value];
  // "boolean" < "number" < "string". Texts are compared by UTF-16 units.
  return first === second ? a.value < b.value : first < second;
}
