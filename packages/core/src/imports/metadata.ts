import {
  DOCUMENT_METADATA_BYTES_MAX,
  DOCUMENT_METADATA_VALUES_MAX,
  DOCUMENT_TITLE_CHARACTERS_MAX,
  JSON_DEPTH_MAX,
} from "../model/limits.ts";
import type { JsonObject } from "../model/types.ts";
import { type Fields, isFields, isLonger, own, type Violations } from "../model/validation.ts";

/** Why a value is refused. */
interface Problem {
  readonly type: string;
  readonly message: string;
}

/** Running counts of one metadata. */
interface Tally {
  /** Number of values, with lists and objects counted. */
  values: number;
  /** UTF-16 units of its keys and strings: their JSON in UTF-8 has at least as many bytes. */
  units: number;
}

const TOO_MANY_VALUES: Problem = {
  type: "maxLength",
  message: `must hold at most ${DOCUMENT_METADATA_VALUES_MAX} values, those in lists and objects counted; put into the text what is to be found`,
};
const TOO_LONG: Problem = {
  type: "maxLength",
  message: `must have at most ${DOCUMENT_METADATA_BYTES_MAX / 1_048_576} MiB as JSON; put into the text what is to be found`,
};

/** Reads the metadata of an imported document. Returns a deep copy; undefined if a rule is broken. */
export function readMetaData(value: unknown, violations: Violations): JsonObject | undefined {
  const fields = violations.object("metaData", value);
  if (fields === undefined) return undefined;
  const problem = jsonProblem(fields, 1, { values: 0, units: 0 }) ?? lengthProblem(fields);
  if (problem !== undefined) {
    violations.add("metaData", problem.type, `metaData ${problem.message}`);
    return undefined;
  }
  const title = own(fields, "title");
  if (typeof title === "string" && isLonger(title, DOCUMENT_TITLE_CHARACTERS_MAX)) {
    const message = `metaData.title must have at most ${DOCUMENT_TITLE_CHARACTERS_MAX} characters; put the rest into the text`;
    violations.add("metaData.title", "maxLength", message);
    return undefined;
  }
  // The caller may still change its object, and the stored metadata must not change.
  return copyOf(fields) as JsonObject;
}

/** Checks the exact length as JSON. It is cheap, since values and units are bounded by then. */
function lengthProblem(fields: Fields): Problem | undefined {
  return Buffer.byteLength(JSON.stringify(fields)) > DOCUMENT_METADATA_BYTES_MAX ? TOO_LONG : undefined;
}

/** The first problem that keeps a value from being stored as JSON and returned unchanged; undefined if there is none. Ends at the first bound that is met. */
function jsonProblem(value: unknown, depth: number, tally: Tally): Problem | undefined {
  if (depth > JSON_DEPTH_MAX) return { type: "json", message: `must be at most ${JSON_DEPTH_MAX} levels deep` };
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { type: "json", message: "must hold finite numbers only" };
  }
  if (typeof value === "string") return textProblem(value, "must be well-formed Unicode", tally);
  if (typeof value !== "object") return { type: "json", message: "must hold JSON values only" };
  if (Array.isArray(value)) return countProblem(value.length, tally) ?? childProblem(value, depth, tally);
  if (!isPlain(value)) return { type: "json", message: "must hold JSON values only" };
  const keys = Object.keys(value);
  const tooMany = countProblem(keys.length, tally);
  if (tooMany !== undefined) return tooMany;
  for (const key of keys) {
    const problem = textProblem(key, "must have well-formed keys", tally);
    if (problem !== undefined) return problem;
  }
  return childProblem(Object.values(value), depth, tally);
}

function childProblem(children: readonly unknown[], depth: number, tally: Tally): Problem | undefined {
  for (const child of children) {
    const problem = jsonProblem(child, depth + 1, tally);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Counts values before they are visited. */
function countProblem(values: number, tally: Tally): Problem | undefined {
  tally.values += values;
  return tally.values > DOCUMENT_METADATA_VALUES_MAX ? TOO_MANY_VALUES : undefined;
}

function textProblem(text: string, illFormed: string, tally: Tally): Problem | undefined {
  tally.units += text.length;
  if (tally.units > DOCUMENT_METADATA_BYTES_MAX) return TOO_LONG;
  return text.isWellFormed() ? undefined : { type: "string", message: illFormed };
}

/** Whether an object becomes JSON by its fields alone. A date, a map or an object with `toJSON` would come back as something else. */
function isPlain(value: object): boolean {
  return isFields(value) && !("toJSON" in value && typeof value.toJSON === "function");
}

/** Deep copy of a value without a {@link jsonProblem}. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
