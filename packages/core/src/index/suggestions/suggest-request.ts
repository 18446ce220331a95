import { SUGGEST_LIMIT_DEFAULT, SUGGEST_LIMIT_MAX, SUGGEST_PREFIX_CHARACTERS_MAX } from "../../model/limits.ts";
import { own, Violations } from "../../model/validation.ts";

/** A validated request for suggestions with its defaults filled in. */
export interface SuggestRequest {
  readonly prefix: string;
  readonly limit: number;
}

const FIELDS = new Set(["prefix", "limit"]);

/** Validates a request for suggestions, `{ prefix, limit? }`, and fills in the default. @throws ValidationError naming every broken rule */
export function parseSuggestRequest(body: unknown): SuggestRequest {
  const violations = new Violations();
  const fields = violations.object("body", body);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const prefix = readPrefix(own(fields, "prefix"), violations);
  const limit = readLimit(own(fields, "limit"), violations);
  violations.throwIfAny();
  return { prefix, limit };
}

function readPrefix(value: unknown, violations: Violations): string {
  if (value === undefined) violations.add("prefix", "required", "prefix is required: the text typed so far");
  else return violations.string("prefix", value, { min: 1, max: SUGGEST_PREFIX_CHARACTERS_MAX }) ?? "";
  return "";
}

function readLimit(value: unknown, violations: Violations): number {
  if (value === undefined) return SUGGEST_LIMIT_DEFAULT;
  const limit = violations.number("limit", value, { min: 1, max: SUGGEST_LIMIT_MAX, isInteger: true });
  return limit ?? SUGGEST_LIMIT_DEFAULT;
}
