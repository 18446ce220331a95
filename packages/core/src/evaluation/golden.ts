import { QUERY_CHARACTERS_MAX, RESOURCE_ID_CHARACTERS_MAX } from "../model/limits.ts";
import { type Fields, isFields, own, Violations } from "../model/validation.ts";
import type { LineRange } from "./measures.ts";

/** A question with the documents, and if you like the lines, that should answer it. */
export interface GoldenQuestion {
  /** 1 to 4,096 characters. */
  readonly question: string;
  /** At least one; each document once. */
  readonly expected: readonly ExpectedDocument[];
}

export interface ExpectedDocument {
  /** `resourceDocId` of a document, `id` of an article. */
  readonly id: string;
  /** How good an answer it is, above 0: counts in nDCG. */
  readonly gain: number;
  /** Where in its markdown the answer stands: one line of any range will do. None: any line. */
  readonly lines: readonly LineRange[];
}

/** A golden question as it may be written: `expected`, or `id` for the one document that is expected. */
export interface GoldenInput extends Partial<GoldenAnswerInput> {
  readonly question: string;
  /** An id alone stands for `{ id }`. The same id twice is one document with the lines of both and the higher gain. */
  readonly expected?: string | GoldenAnswerInput | readonly (string | GoldenAnswerInput)[];
}

export interface GoldenAnswerInput {
  readonly id: string;
  /** One line, `[first, last]`, or several of these; from 1, inclusive. Default: any line. */
  readonly lines?: number | LineRange | readonly LineRange[];
  /** Default 1. */
  readonly gain?: number;
}

const ANSWER_FIELDS = ["id", "lines", "gain"] as const;
const FIELDS = new Set(["question", "expected", ...ANSWER_FIELDS]);

/**
 * Reads a golden question with its shorthands; see {@link GoldenInput}. What it gives can be read again.
 * @throws ValidationError naming every broken rule
 */
export function parseGolden(input: unknown): GoldenQuestion {
  const violations = new Violations();
  const golden = readGolden(input, violations);
  violations.throwIfAny();
  return golden;
}

/** The same for a list: the fields of the n-th are `golden.n.…`, from 0. */
export function parseGoldens(inputs: readonly unknown[]): GoldenQuestion[] {
  const violations = new Violations();
  if (inputs.length === 0) violations.add("golden", "minItems", "golden must have at least one question");
  const goldens = inputs.map((input, i) => readGolden(input, violations, `golden.${i}.`));
  violations.throwIfAny();
  return goldens;
}

function readGolden(input: unknown, violations: Violations, prefix = ""): GoldenQuestion {
  const fields = violations.object(prefix === "" ? "a golden question" : prefix.slice(0, -1), input);
  if (fields === undefined) return { question: "", expected: [] };
  violations.unknownFields(fields, FIELDS, prefix);
  const question = readText(own(fields, "question"), violations, `${prefix}question`, QUERY_CHARACTERS_MAX);
  return { question, expected: merged(readExpected(fields, violations, prefix)) };
}

function readExpected(fields: Fields, violations: Violations, prefix: string): ExpectedDocument[] {
  const field = `${prefix}expected`;
  const expected = own(fields, "expected");
  const short = ANSWER_FIELDS.filter((name) => Object.hasOwn(fields, name));
  if (expected === undefined && short.length > 0) {
    return readAnswer(Object.fromEntries(short.map((name) => [name, fields[name]])), violations, prefix);
  }
  if (expected === undefined) {
    violations.add(field, "required", `${field}, or ${prefix}id, must name the document that answers`);
    return [];
  }
  if (short.length > 0) {
    violations.add(field, "exclusive", `${field} and ${prefix}${short[0]} exclude each other`);
    return [];
  }
  if (Array.isArray(expected) && expected.length === 0) {
    violations.add(field, "minItems", `${field} must name at least one document`);
  }
  return Array.isArray(expected)
    ? expected.flatMap((each: unknown, i) => readIdOrAnswer(each, violations, `${field}.${i}`))
    : readIdOrAnswer(expected, violations, field);
}

function readIdOrAnswer(given: unknown, violations: Violations, field: string): ExpectedDocument[] {
  if (isFields(given)) return readAnswer(given, violations, `${field}.`);
  if (typeof given === "string") {
    return [{ id: readText(given, violations, field, RESOURCE_ID_CHARACTERS_MAX), gain: 1, lines: [] }];
  }
  violations.add(field, "answer", `${field} must be a document's id, or an object with id, lines and gain`);
  return [];
}

function readAnswer(fields: Fields, violations: Violations, prefix: string): ExpectedDocument[] {
  violations.unknownFields(fields, new Set(ANSWER_FIELDS), prefix);
  return [
    {
      id: readText(own(fields, "id"), violations, `${prefix}id`, RESOURCE_ID_CHARACTERS_MAX),
      gain: readGain(own(fields, "gain"), violations, `${prefix}gain`),
      lines: readLines(own(fields, "lines"), violations, `${prefix}lines`),
    },
  ];
}

function readText(given: unknown, violations: Violations, field: string, max: number): string {
  if (given !== undefined) return violations.string(field, given, { min: 1, max }) ?? "";
  violations.add(field, "required", `${field} is required`);
  return "";
}

function readGain(given: unknown, violations: Violations, field: string): number {
  if (given === undefined) return 1;
  if (typeof given === "number" && given > 0 && Number.isFinite(given)) return given;
  violations.add(field, "range", `${field} must be a number above 0`);
  return 1;
}

function readLines(given: unknown, violations: Violations, field: string): LineRange[] {
  if (given === undefined) return [];
  const several = Array.isArray(given) && given.every((each: unknown) => Array.isArray(each)) ? given : [given];
  const ranges = several.map((each: unknown) => rangeOf(typeof each === "number" ? [each, each] : each));
  const whole = ranges.filter((range) => range !== undefined);
  if (whole.length < ranges.length) {
    const shape = "a line, [first, last] or several of these, whole numbers from 1 and first not after last";
    violations.add(field, "lines", `${field} must be ${shape}`);
  }
  return whole;
}

function rangeOf(given: unknown): LineRange | undefined {
  if (!Array.isArray(given) || given.length !== 2) return undefined;
  const [first, last]: unknown[] = given;
  const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
  return isLine(first) && isLine(last) && first <= last ? [first, last] : undefined;
}

/** Each document once, in the order of its first mention. */
function merged(answers: readonly ExpectedDocument[]): ExpectedDocument[] {
  const byId = new Map<string, ExpectedDocument>();
  for (const answer of answers) {
    const known = byId.get(answer.id);
    const gain = Math.max(answer.gain, known?.gain ?? 0);
    byId.set(answer.id, { id: answer.id, gain, lines: [...(known?.lines ?? []), ...answer.lines] });
  }
  return [...byId.values()];
}
