import { A_FILTER, METADATA_VALUE } from "./filter-kinds.ts";
import { A_BOOLEAN, A_STRING, type Kind, kind, listOf } from "./known-options.ts";
import { requireArguments } from "./option-tables.ts";
import type { FieldFilter, FilterValue, SearchFilter } from "./types.ts";

/** Functions that make filters of a search. */

/** A bound of a range: a number; or a date, as `YYYY-MM-DD`, a date and time of RFC 3339, or a `Date`. */
export type FilterBound = number | string | Date;

const A_BOUND: Kind<FilterBound> = kind("filterBound", "a finite number, a date as text, or a Date", isBound);
const VALUES = listOf(METADATA_VALUE);
const FILTERS: Kind<readonly SearchFilter[]> = listOf(A_FILTER);

/**
 * One condition on a field: `resourceDocId`, `type`, `status`, `url` or `metaData.<key>`.
 *
 *     and(where.gte("metaData.year", 2020), not(where.in("metaData.team", ["sales", "front"])))
 */
export const where = {
  /** The field equals the value, or is a list that holds it. */
  eq: (field: string, value: FilterValue): SearchFilter => checked("eq", field, value, METADATA_VALUE),
  /** The field does not equal the value. A missing field fits. */
  ne: (field: string, value: FilterValue): SearchFilter => checked("ne", field, value, METADATA_VALUE),
  /** The field equals one of 1 to 1,000 values. */
  in: (field: string, value: readonly FilterValue[]): SearchFilter => checked("in", field, value, VALUES),
  /** The field equals none of 1 to 1,000 values. A missing field fits. */
  nin: (field: string, value: readonly FilterValue[]): SearchFilter => checked("nin", field, value, VALUES),
  gt: (field: string, value: FilterBound): SearchFilter => range("gt", field, value),
  gte: (field: string, value: FilterBound): SearchFilter => range("gte", field, value),
  lt: (field: string, value: FilterBound): SearchFilter => range("lt", field, value),
  lte: (field: string, value: FilterBound): SearchFilter => range("lte", field, value),
  /** The field has a value; with `false`: it has none. */
  exists: (field: string, value = true): SearchFilter => checked("exists", field, value, A_BOOLEAN),
  /** The field is a text with this one in it, or a list that holds it. */
  contains: (field: string, value: string): SearchFilter => checked("contains", field, value, A_STRING),
  /** The field, or an element of it, is a text that begins with this one. */
  startsWith: (field: string, value: string): SearchFilter => checked("startsWith", field, value, A_STRING),
} as const;

/** All of 1 to 50 filters hold. */
export function and(...filters: readonly SearchFilter[]): SearchFilter {
  requireArguments("and", { filters }, { filters: FILTERS });
  return { and: filters };
}

/** One of 1 to 50 filters holds. */
export function or(...filters: readonly SearchFilter[]): SearchFilter {
  requireArguments("or", { filters }, { filters: FILTERS });
  return { or: filters };
}

/** The filter does not hold. */
export function not(filter: SearchFilter): SearchFilter {
  requireArguments("not", { filter }, { filter: A_FILTER });
  return { not: filter };
}

function range(operator: keyof FieldFilter, field: string, value: FilterBound): SearchFilter {
  const filter = checked(operator, field, value, A_BOUND);
  return value instanceof Date ? { [field]: { [operator]: value.toISOString() } } : filter;
}

function checked<Value>(operator: keyof FieldFilter, field: string, value: Value, of: Kind<Value>): SearchFilter {
  const call = `where.${String(operator)}`;
  requireArguments<{ field: string; value: unknown }>(
    call,
    { field, value },
    { field: A_STRING, value: of as Kind<unknown> },
  );
  return { [field]: { [operator]: value } } as SearchFilter;
}

function isBound(given: unknown): boolean {
  return typeof given === "string" || Number.isFinite(given instanceof Date ? given.getTime() : given);
}
