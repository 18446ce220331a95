import fc from "fast-check";
import type { FieldFilter, FilterValue, SearchFilter } from "../../src/model/filter-types.ts";
import type { JsonObject, JsonValue, SearchableDocument } from "../../src/model/types.ts";
import { found, path } from "./dotted-values.ts";

/** Texts that are dates, to their time in milliseconds; and texts that are nearly dates, which have none. */
const TIMES: Readonly<Record<string, number | undefined>> = {
  "2024-02-29": Date.parse("2024-02-29T00:00:00Z"),
  "2024-02-29T00:00:00Z": Date.parse("2024-02-29T00:00:00Z"),
  "2024-02-29T01:00:00+02:00": Date.parse("2024-02-28T23:00:00Z"),
  "2024-02-28T23:30:00": Date.parse("2024-02-28T23:30:00Z"),
  "1999-12-31": Date.parse("1999-12-31T00:00:00Z"),
  "2023-02-29": undefined,
  "2024-1-1": undefined,
  "2024": undefined,
};

const dates = Object.keys(TIMES).filter((each) => TIMES[each] !== undefined);
const texts = ["x", "y", "xy", "yx", "", ...Object.keys(TIMES)];
const scalar = fc.oneof(fc.constantFrom<FilterValue>(...texts), fc.constantFrom<FilterValue>(0, -0, 1, 1.5, 2, true));
const leaf = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.array(fc.oneof(scalar, fc.constant(null), fc.constant([1])), { maxLength: 3 }) },
);
const key = fc.constantFrom("a", "b", "a.a", "a.b", "b.a", "and", "__proto__");

/** Metadata of which filters find something. */
export const { metaData } = fc.letrec<{ metaData: JsonObject; value: JsonValue }>((tie) => ({
  metaData: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  value: fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: tie("metaData") }),
}));

const bound = fc.oneof(fc.constantFrom(...dates), fc.constantFrom(0, 1, 1.5));
const text = fc.constantFrom("x", "y", "xy", "2024", "2024-02-29");
const values = fc.array(scalar, { minLength: 1, maxLength: 4 });
const operands = {
  ...{ eq: scalar, ne: scalar, in: values, nin: values },
  ...{ gt: bound, gte: bound, lt: bound, lte: bound },
  ...{ exists: fc.boolean(), contains: text, startsWith: text },
};
const operators: fc.Arbitrary<FieldFilter> = fc
  .tuple(fc.record(operands), fc.subarray(Object.keys(operands), { minLength: 1, maxLength: 2 }))
  .map(([all, some]) => Object.fromEntries(Object.entries(all).filter(([name]) => some.includes(name))));

const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("metaData.a", "metaData.b", "metaData.a.b", "metaData.and") },
  { weight: 1, arbitrary: fc.constantFrom("type", "status", "url", "resourceDocId") },
  { weight: 2, arbitrary: path.map((each) => `metaData.${each}`) },
);

/** Filters of all operators and groups. */
export const { filter } = fc.letrec<{ filter: SearchFilter; plain: SearchFilter; grouped: SearchFilter }>((tie) => ({
  plain: fc.dictionary(field, fc.oneof(scalar, operators), { maxKeys: 2 }),
  grouped: fc.record<SearchFilter>(
    {
      and: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      or: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      not: tie("filter"),
    },
    { requiredKeys: [] },
  ),
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie("plain"), tie("grouped")),
}));

/** Whether a document fits a filter, word by word as the contract says it. */
export function fits(wanted: SearchFilter, document: SearchableDocument): boolean {
  return Object.entries(wanted).every(([name, given]) => {
    if (name === "and") return (given as SearchFilter[]).every((each) => fits(each, document));
    if (name === "or") return (given as SearchFilter[]).some((each) => fits(each, document));
    if (name === "not") return !fits(given as SearchFilter, document);
    const value = fieldOf(name, document) ?? undefined;
    const each = typeof given === "object" ? (given as FieldFilter) : { eq: given as FilterValue };
    return Object.entries(each).every(([operator, operand]) => fitsOne(operator as keyof FieldFilter, value, operand));
  });
}

/** The value of a field, as the contract says it. */
export function fieldOf(name: string, { id, type, status, url, metaData }: SearchableDocument): JsonValue | undefined {
  if (name.startsWith("metaData.")) return found(metaData, name.slice("metaData.".length));
  return { resourceDocId: id, type, status, url }[name];
}

function fitsOne(operator: keyof FieldFilter, value: JsonValue | undefined, wanted: unknown): boolean {
  const each = value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const order = (is: (difference: number) => boolean): boolean =>
    each.some((one) => {
      const difference = orderOf(one, wanted);
      return difference !== undefined && is(difference);
    });
  switch (operator) {
    case "eq":
      return each.some((one) => one === wanted);
    case "ne":
      return !fitsOne("eq", value, wanted);
    case "in":
      return (wanted as unknown[]).some((one) => fitsOne("eq", value, one));
    case "nin":
      return !fitsOne("in", value, wanted);
    case "gt":
      return order((difference) => difference > 0);
    case "gte":
      return order((difference) => difference >= 0);
    case "lt":
      return order((difference) => difference < 0);
    case "lte":
      return order((difference) => difference <= 0);
    case "exists":
      return wanted === (value !== undefined);
    case "contains":
      return typeof value === "string"
        ? value.split(String(wanted)).length > 1
        : each.some((one) => one === wanted && Array.isArray(value));
    case "startsWith":
      return each.some((one) => typeof one === "string" && one.slice(0, String(wanted).length) === wanted);
  }
}

/** Below 0, 0 or above 0; undefined if both cannot be compared. */
function orderOf(one: JsonValue, other: unknown): number | undefined {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== "string" || typeof other !== "string") return undefined;
  const [a, b] = [TIMES[one], TIMES[other]];
  return a === undefined || b === undefined ? undefined : a - b;
}
