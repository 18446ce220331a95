import { anObject, type Kind, kind, listOf, type OptionProblem } from "./known-options.ts";
import type { FieldFilter, MetadataValue, SearchFilter } from "./types.ts";

/** What filters of a search may be. The server knows fields and operators, and checks their values. */

export const METADATA_VALUE = kind<MetadataValue>(
  "metadataValue",
  "a string, a finite number or a boolean",
  isMetadataValue,
);

const AN_OBJECT = anObject<SearchFilter>();

/** An object of fields and groups. Of several wrong entries the first is told. */
export const A_FILTER: Kind<SearchFilter> = (given, field) => {
  const problems = AN_OBJECT(given, field);
  if (problems.length > 0) return problems;
  return firstOf(given as SearchFilter, (name, entry) => {
    const inside = `${field}.${name}`;
    if (name === "and" || name === "or") return FILTERS(entry, inside);
    if (name === "not") return A_FILTER(entry, inside);
    return isMetadataValue(entry) ? [] : operatorProblems(entry, inside);
  });
};

const FILTERS = listOf(A_FILTER);

const A_FIELD_FILTER = kind<FieldFilter>(
  "filter",
  "a string, a finite number, a boolean, or an object of operators",
  (given) => AN_OBJECT(given, "").length === 0,
);
const AN_OPERAND = kind<MetadataValue | readonly MetadataValue[]>(
  "operand",
  "a string, a finite number, a boolean, or a list of these",
  (given) => (Array.isArray(given) ? given : [given]).every(isMetadataValue),
);

function operatorProblems(given: unknown, field: string): readonly OptionProblem[] {
  const problems = A_FIELD_FILTER(given, field);
  if (problems.length > 0) return problems;
  return firstOf(given as object, (operator, operand) => AN_OPERAND(operand, `${field}.${operator}`));
}

function firstOf(
  given: object,
  problemsOf: (name: string, value: unknown) => readonly OptionProblem[],
): readonly OptionProblem[] {
  for (const [name, value] of Object.entries(given)) {
    const problems = problemsOf(name, value);
    if (problems.length > 0) return problems;
  }
  return [];
}

function isMetadataValue(given: unknown): boolean {
  return typeof given === "string" || typeof given === "boolean" || Number.isFinite(given);
}
