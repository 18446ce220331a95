import type { FieldFilter, FilterOperator, FilterWanted, SearchFilter } from "../../model/filter-types.ts";
import { isFields } from "../../model/validation.ts";
import type { Operation } from "./conditions.ts";

/** A filter as a tree of conditions. */
export type FilterNode =
  | { readonly kind: "all" | "any"; readonly of: readonly FilterNode[] }
  | { readonly kind: "not"; readonly of: FilterNode }
  | { readonly kind: "condition"; readonly name: string; readonly operation: Operation };

/** An entry of a request that a document must meet. */
export interface Rule {
  /** Its name in the request, as in `filters.metaData.year.gte` or `filters.or`. */
  readonly field: string;
  readonly wanted: FilterWanted;
  readonly node: FilterNode;
  /** The field that `explain` shows; undefined for a group. */
  readonly shown?: string;
}

/** The operators of a field, in the order of the docs. */
export const FILTER_OPERATORS: readonly FilterOperator[] = [
  "eq",
  "ne",
  "in",
  "nin",
  "gt",
  "gte",
  "lt",
  "lte",
  "exists",
  "contains",
  "startsWith",
];

/** The rules of a validated filter: one for each operator of its fields, and one for each group. */
export function rulesOfFilter(filter: SearchFilter): Rule[] {
  return rulesAt(filter, "filters");
}

/** A condition on the field `name`. */
export function condition(name: string, operation: Operation): FilterNode {
  return { kind: "condition", name, operation };
}

function rulesAt(filter: SearchFilter, at: string): Rule[] {
  return Object.entries(filter).flatMap(([name, given]): Rule[] => {
    const field = `${at}.${name}`;
    // Validation has made sure of these kinds.
    switch (name) {
      case "and":
      case "or": {
        const of = (given as readonly SearchFilter[]).map(nodeOf);
        return [
          { field, wanted: given as readonly SearchFilter[], node: { kind: name === "and" ? "all" : "any", of } },
        ];
      }
      case "not":
        return [{ field, wanted: given as SearchFilter, node: { kind: "not", of: nodeOf(given as SearchFilter) } }];
    }
    if (!isFields(given)) {
      const wanted = given as NonNullable<FieldFilter["eq"]>;
      return [{ field, wanted, node: condition(name, { operator: "eq", wanted }), shown: name }];
    }
    return Object.entries(given).map(([operator, wanted]) => ({
      field: `${field}.${operator}`,
      wanted: wanted as FilterWanted,
      node: condition(name, { operator, wanted } as Operation),
      shown: name,
    }));
  });
}

function nodeOf(filter: SearchFilter): FilterNode {
  return { kind: "all", of: rulesAt(filter, "").map(({ node }) => node) };
}
