import { VECTOR_DIMENSIONS_MAX } from "../model/limits.ts";
import type { Embedder } from "./embedder.ts";
import { EmbedderError } from "./embedder-error.ts";
import { requireUsableTokens } from "./token-checks.ts";

/** The rule for a field of an embedder. */
export interface FieldRule {
  /** The text that follows "must be" in an error. */
  readonly must: string;
  /** A valid value, as it is written in code. */
  readonly example: string;
  /** Whether an embedder may leave it out. Default false. */
  readonly isOptional?: boolean;
  readonly isRight: (value: unknown) => boolean;
}

/** The path of every field of a type, and of the objects in it: `cost.textsPerCall`. */
type FieldPath<Type> = {
  [Name in keyof Type & string]-?: NonNullable<Type[Name]> extends (...args: never[]) => unknown
    ? Name
    : NonNullable<Type[Name]> extends object
      ? Name | `${Name}.${FieldPath<NonNullable<Type[Name]>>}`
      : Name;
}[keyof Type & string];

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isNumber = (value: unknown, isRight: (value: number) => boolean): boolean =>
  typeof value === "number" && isRight(value);
const isInteger = (value: unknown, max: number): boolean =>
  isNumber(value, (number) => Number.isInteger(number) && number >= 1 && number <= max);

const text = (example: string): FieldRule => ({
  must: "a string that is not empty",
  example: JSON.stringify(example),
  isRight: (value) => typeof value === "string" && value !== "",
});
const integer = (max: number, example: string): FieldRule => ({
  must: max === Number.MAX_SAFE_INTEGER ? "an integer from 1" : `an integer from 1 to ${max}`,
  example,
  isRight: (value) => isInteger(value, max),
});
const share = (example: string): FieldRule => ({
  must: "a number from 0 to 1",
  example,
  isRight: (value) => isNumber(value, (number) => number >= 0 && number <= 1),
});
const method = (example: string, isOptional = false): FieldRule => ({
  must: "a function",
  example,
  isOptional,
  isRight: (value) => typeof value === "function",
});
const object = (example: string, isOptional = false): FieldRule => ({
  must: "an object",
  example,
  isOptional,
  isRight: isObject,
});

const TOKENS_EXAMPLE = "{ space, calibration, embedPassages, embedQuery }";

/** The rules for all fields of an embedder. The fields of an object stand after the object itself. */
export const EMBEDDER_FIELDS: Readonly<Record<FieldPath<Embedder>, FieldRule>> = {
  id: text("my-model"),
  version: text("1"),
  dimensions: integer(VECTOR_DIMENSIONS_MAX, "384"),
  weight: share("0.5"),
  cost: object("{ textsPerCall: 32, questionMsMax: 2_000 }"),
  "cost.textsPerCall": integer(Number.MAX_SAFE_INTEGER, "32"),
  "cost.questionMsMax": {
    must: "milliseconds above 0",
    example: "2_000",
    isRight: (value) => isNumber(value, (number) => number > 0 && Number.isFinite(number)),
  },
  embedPassages: method("async (texts, signal) => texts.map(vectorOf)"),
  embedQuery: method("async (text, signal) => vectorOf(text)"),
  close: method("async () => {}"),
  calibrate: method("(cosine) => Math.max(0, cosine)", true),
  bias: method("(question) => 0", true),
  smallTalk: method("(question) => 0", true),
  tokens: object(TOKENS_EXAMPLE, true),
  "tokens.space": object('{ version: "1", bytes: 48 }'),
  "tokens.space.version": text("1"),
  "tokens.space.bytes": integer(VECTOR_DIMENSIONS_MAX / 8, "48"),
  "tokens.calibration": object("{ low: 0.2, high: 0.7, weight: 0.5 }"),
  "tokens.calibration.low": share("0.2"),
  "tokens.calibration.high": share("0.7"),
  "tokens.calibration.weight": {
    must: "a number from 0",
    example: "0.5",
    isRight: (value) => isNumber(value, (number) => number >= 0 && Number.isFinite(number)),
  },
  "tokens.embedPassages": method("async (texts, signal) => ({ vectors, tokens })"),
  "tokens.embedQuery": method("async (text, signal) => ({ vector, tokens })"),
};

/**
 * Checks that the result of an offer's `open` can be used as an embedder.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE` with the first field that is missing or wrong, its rule and an example; RangeError for its tokens
 */
export function requireUsable(opened: unknown): asserts opened is Embedder {
  if (!isObject(opened)) {
    throw unusable(`open() must resolve with an embedder, an object, and not with ${told(opened)}`);
  }
  for (const [path, rule] of Object.entries(EMBEDDER_FIELDS)) requireField(opened, path, rule);
  requireSimilarities(opened as Embedder);
  const { tokens } = opened as Embedder;
  if (tokens !== undefined) requireUsableTokens(tokens);
}

/** Cosines at which a calibration is tested: 41, from -1 to 1. */
const TRIED_COSINES: readonly number[] = Array.from({ length: 41 }, (_, i) => (i - 20) / 20);

/** Tests a calibration: its similarities order all results, and are shown as their scores. */
function requireSimilarities(embedder: Embedder): void {
  let before = 0;
  for (const cosine of TRIED_COSINES) {
    const similarity: unknown = embedder.calibrate === undefined ? before : embedder.calibrate(cosine);
    if (!isNumber(similarity, (number) => number >= before && number <= 1)) {
      throw unusable(
        `Its field calibrate gives ${told(similarity)} for the cosine ${cosine}: it must give numbers from 0 to 1, and a larger cosine never less, for example calibrate: (cosine) => Math.max(0, cosine)`,
      );
    }
    before = similarity as number;
  }
}

/** Closes an object that cannot be used as an embedder, if it has a `close` method. */
export async function closeUnusable(opened: Partial<Pick<Embedder, "close">> | undefined): Promise<void> {
  if (typeof opened?.close === "function") await opened.close();
}

function requireField(embedder: object, path: string, { must, example, isOptional = false, isRight }: FieldRule): void {
  const last = path.slice(path.lastIndexOf(".") + 1);
  let place: unknown = embedder;
  for (const name of path.split(".").slice(0, -1)) place = isObject(place) ? Reflect.get(place, name) : undefined;
  // An optional object that is left out lacks no field. A required object was checked before its fields.
  if (!isObject(place)) return;
  const value: unknown = Reflect.get(place, last);
  if (isRight(value) || (isOptional && value === undefined)) return;
  const state = value === undefined ? "is missing" : `is ${told(value)}`;
  throw unusable(`Its field ${path} ${state}: it must be ${must}, for example ${last}: ${example}`);
}

function unusable(why: string): EmbedderError {
  return new EmbedderError("EMBEDDER_UNAVAILABLE", why, {
    mend: "change the program that offers this embedder; docs/embedders.md has a whole one to copy",
  });
}

/** A value in words for the operator, without the contents of objects. */
function told(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : String(value);
}
