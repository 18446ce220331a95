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

/** What was seen of one metadata so far. */
interface Tally {
  /** Everything in it, lists and objects among them. */
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

/** The metadata of an imported document, a copy of its own; undefined if a rule is broken. */
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
  // The caller may go on with the object; what is known here must stay what was written.
  return copyOf(fields) as JsonObject;
}

/** Exact, and cheap, since by then its values and units are bounded. */
function lengthProblem(fields: Fields): Problem | undefined {
  return Buffer.byteLength(JSON.stringify(fields)) > DOCUMENT_METADATA_BYTES_MAX ? TOO_LONG : undefined;
}

/** What keeps a value from being JSON that can be stored and given back; undefined if nothing does. Ends at the first bound that is met. */
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

/** Counted before anyone looks at them. */
function countProblem(values: number, tally: Tally): Problem | undefined {
  tally.values += values;
  return tally.values > DOCUMENT_METADATA_VALUES_MAX ? TOO_MANY_VALUES : undefined;
}

function textProblem(text: string, illFormed: string, tally: Tally): Problem | undefined {
  tally.units += text.length;
  if (tally.units > DOCUMENT_METADATA_BYTES_MAX) return TOO_LONG;
  return text.isWellFormed() ? undefined : { type: "string", message: illFormed };
}

/** Whether an object is written as it looks: a date, a map or one that says itself how it becomes JSON would come back as something else. */
function isPlain(value: object): boolean {
  return isFields(value) && !("toJSON" in value && typeof value.toJSON === "function");
}

/** A copy, all the way down, of a value without a {@link jsonProblem}. */
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
