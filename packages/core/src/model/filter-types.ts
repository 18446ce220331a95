/** Filters of a search: which documents it may return. */

/** The value of a filter that compares by equality (`===`). */
export type FilterValue = string | number | boolean;

/**
 * A bound of a range: a number, or a date. A date is `YYYY-MM-DD` (00:00 UTC) or a date and time of RFC 3339 (UTC if it names no zone).
 * Numbers are compared with numbers, dates with dates.
 */
export type RangeValue = number | string;

/**
 * Operators of one field. All of them must hold.
 *
 * A list fits `eq`, `in`, ranges and `startsWith` if one of its elements fits. `null` counts as missing.
 * A missing field fits `ne`, `nin` and `exists: false`, and no other operator.
 */
export interface FieldFilter {
  /** Equals the value, as a plain value does. */
  readonly eq?: FilterValue;
  /** The negation of `eq`. */
  readonly ne?: FilterValue;
  /** Equals one of 1 to 1,000 values. */
  readonly in?: readonly FilterValue[];
  /** The negation of `in`. */
  readonly nin?: readonly FilterValue[];
  readonly gt?: RangeValue;
  readonly gte?: RangeValue;
  readonly lt?: RangeValue;
  readonly lte?: RangeValue;
  /** True: the field has a value. False: it has none. */
  readonly exists?: boolean;
  /** A substring of a string, or a whole element of a list: 1 to 10,000 characters, case-sensitive. */
  readonly contains?: string;
  /** The beginning of a string, or of an element of a list: 1 to 10,000 characters, case-sensitive. */
  readonly startsWith?: string;
}

/** The name of an operator. */
export type FilterOperator = keyof FieldFilter;

/**
 * A filter: fields with a value or operators, and groups. All entries must hold.
 *
 * Fields are `resourceDocId`, `type`, `status`, `url` and `metaData.<key>`. Dotted names address nested fields; a key that holds the dots itself wins.
 * At most 50 entries in one object, 8 levels of objects, and 200 conditions in all. A condition is an operator of a field, or its plain value.
 *
 *     { type: "PDF", "metaData.year": { gte: 2020, lt: 2023 }, not: { "metaData.tags": "draft" } }
 */
export interface SearchFilter {
  /** 1 to 50 filters, all of which must hold. */
  readonly and?: readonly SearchFilter[];
  /** 1 to 50 filters, one of which must hold. */
  readonly or?: readonly SearchFilter[];
  /** A filter that must not hold. */
  readonly not?: SearchFilter;
  readonly [field: string]: FilterValue | FieldFilter | SearchFilter | readonly SearchFilter[] | undefined;
}

/** The filters of a search. */
export type Filters = SearchFilter;

/** What a filter asks of a field: the value of an operator, or the filters of a group. */
export type FilterWanted = FilterValue | readonly FilterValue[] | SearchFilter | readonly SearchFilter[];
