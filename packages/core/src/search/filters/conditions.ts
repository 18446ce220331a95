import type { FieldFilter, FilterOperator, FilterValue, RangeValue } from "../../model/filter-types.ts";
import { must } from "../../model/must.ts";
import type { JsonValue } from "../../model/types.ts";
import { compareInstants, type Instant, instantOf } from "./instants.ts";
import { TextSearch } from "./text-search.ts";

/** One operator with its wanted value, compiled. */
export interface Condition {
  /** Operations that checking a value takes, at most. */
  operations(value: JsonValue | undefined): number;
  /** True if the value fits. `undefined` stands for a missing field. */
  holds(value: JsonValue | undefined): boolean;
}

/** Characters compared for equality in the time of one operation. */
const CHARACTERS_PER_OPERATION = 256;

/** Operations to read a text as a date. */
const DATE_OPERATIONS = 64;

/** An operator with the value that it has in a filter. */
export type Operation = {
  readonly [Operator in FilterOperator]: {
    readonly operator: Operator;
    readonly wanted: NonNullable<FieldFilter[Operator]>;
  };
}[FilterOperator];

/** Compiles a validated operator. */
export function conditionOf(operation: Operation): Condition {
  switch (operation.operator) {
    case "eq":
      return equals(operation.wanted);
    case "ne":
      return negated(equals(operation.wanted));
    case "in":
      return oneOf(operation.wanted);
    case "nin":
      return negated(oneOf(operation.wanted));
    case "gt":
      return range(operation.wanted, (order) => order > 0);
    case "gte":
      return range(operation.wanted, (order) => order >= 0);
    case "lt":
      return range(operation.wanted, (order) => order < 0);
    case "lte":
      return range(operation.wanted, (order) => order <= 0);
    case "exists": {
      const { wanted } = operation;
      return { operations: () => 1, holds: (value) => (value !== undefined && value !== null) === wanted };
    }
    case "contains":
      return contains(operation.wanted);
    case "startsWith": {
      const { wanted } = operation;
      const holds = (value: JsonValue | undefined): boolean => typeof value === "string" && value.startsWith(wanted);
      return ofAnyElement({ operations: () => comparing(wanted), holds });
    }
  }
}

function equals(wanted: FilterValue): Condition {
  const each = comparing(wanted);
  return {
    operations: (value) => (Array.isArray(value) ? 1 + value.length * each : each),
    holds: (value) => (Array.isArray(value) ? value.includes(wanted) : value === wanted),
  };
}

function oneOf(wanted: readonly FilterValue[]): Condition {
  const values = new Set<JsonValue | undefined>(wanted);
  // A text is hashed once, and compared with at most one that has the same hash.
  return ofAnyElement({ operations: comparing, holds: (value) => values.has(value) });
}

function range(wanted: RangeValue, isWithin: (order: number) => boolean): Condition {
  if (typeof wanted === "number") {
    const holds = (value: JsonValue | undefined): boolean => typeof value === "number" && isWithin(value - wanted);
    return ofAnyElement({ operations: () => 1, holds });
  }
  const bound: Instant = must(instantOf(wanted), "the date of a validated range");
  return ofAnyElement({
    operations: (value) => (typeof value === "string" ? DATE_OPERATIONS : 1),
    holds: (value) => {
      const instant = typeof value === "string" ? instantOf(value) : undefined;
      return instant !== undefined && isWithin(compareInstants(instant, bound));
    },
  });
}

function contains(wanted: string): Condition {
  const search = new TextSearch(wanted);
  const element = equals(wanted);
  return {
    operations: (value) => (typeof value === "string" ? search.operationsFor(value) : element.operations(value)),
    holds: (value) => (typeof value === "string" ? search.isIn(value) : Array.isArray(value) && element.holds(value)),
  };
}

function negated({ operations, holds }: Condition): Condition {
  return { operations, holds: (value) => !holds(value) };
}

/** A condition that holds for a list if it holds for one of its elements. */
function ofAnyElement({ operations, holds }: Condition): Condition {
  return {
    operations: (value) =>
      Array.isArray(value) ? value.reduce<number>((sum, each) => sum + operations(each), 1) : operations(value),
    holds: (value) => (Array.isArray(value) ? value.some(holds) : holds(value)),
  };
}

/** Operations to compare a value with another. */
function comparing(value: JsonValue | undefined): number {
  return typeof value === "string" ? 1 + Math.floor(value.length / CHARACTERS_PER_OPERATION) : 1;
}
