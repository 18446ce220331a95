import type { FilterValue } from "../model/filter-types.ts";
import { FACET_TEXT_CHARACTERS_MAX } from "../model/limits.ts";
import type { JsonValue } from "../model/types.ts";
import { isLonger } from "../model/validation.ts";

/** Operations counted for a value of a field: finding it among the values before. */
export const VALUE_OPERATIONS = 16;

/** The elements of a list, or the value itself. A missing field has no elements. */
export function elementsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

/** True for a value that facets count and groups have: a number, a boolean, or a text of at most {@link FACET_TEXT_CHARACTERS_MAX} characters. */
export function isFacetValue(value: JsonValue): value is FilterValue {
  if (typeof value === "string") return !isLonger(value, FACET_TEXT_CHARACTERS_MAX);
  return typeof value === "number" || typeof value === "boolean";
}
