import {
  GOLDEN_DOCUMENTS_MAX,
  GOLDEN_LINES_MAX,
  QUERY_CHARACTERS_MAX,
  RESOURCE_ID_CHARACTERS_MAX,
} from "../model/limits.ts";
import { type Fields, isFields, own, Violations } from "../model/validation.ts";
import type { LineRange } from "./measures.ts";

/** A question with the documents, and optionally the lines, that should answer it. */
export interface GoldenQuestion {
  /** 1 to 4,096 characters. */
  readonly question: string;
  /** 1 to 10,000; each document once. */
  readonly expected: readonly ExpectedDocument[];
}

/** A document that should answer a golden question. */
export interface ExpectedDocument {
  /** `resourceDocId` of a document, `id` of an article. */
  readonly id: string;
  /** Its gain in nDCG, above 0: how good an answer it is. */
  readonly gain: number;
  /** Line ranges in its markdown that hold the answer. One line of any range suffices. Empty: any line. */
  readonly lines: readonly LineRange[];
}

/** A golden question as users write it: with `expected`, or with `id` for a single expected document. */
export interface GoldenInput extends Partial<GoldenAnswerInput> {
  readonly question: string;
  /** At most 10,000. An id alone stands for `{ id }`. The same id twice is one document with the lines of both and the higher gain. */
  readonly expected?: string | GoldenAnswerInput | readonly (string | GoldenAnswerInput)[];
}

/** An expected document as users write it. */
export interface GoldenAnswerInput {
  readonly id: string;
  /** One line, `[first, last]`, or up to 1,000 of these ranges; from 1, inclusive. Default: any line. */
  readonly lines?: number | LineRange | readonly LineRange[];
  /** Default 1. */
  readonly gain?: number;
}

const ANSWER_FIELDS = ["id", "lines", "gain"] as const;
const FIELDS = new Set(["question", "expected", ...ANSWER_FIELDS]);

/**
 * Validates a golden question and expands its shorthands; see {@link GoldenInput}. Its result is valid input again.
 * @throws ValidationError naming every broken rule
 */
export function parseGolden(input: unknown): GoldenQuestion {
  const violations = new Violations();
  const golden = readGolden(input, violations);
  violations.throwIfAny();
  return golden;
}

/**
 * Validates a list of golden questions, at least one. Errors name the fields of the n-th as `golden.n.…`, from 0.
 * @throws ValidationError naming every broken rule
 */
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
  if (Array.isArray(expected) && expected.length > GOLDEN_DOCUMENTS_MAX) {
    violations.add(field, "maxItems", `${field} must name at most ${GOLDEN_DOCUMENTS_MAX} documents`);
    return [];
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
  if (several.length > GOLDEN_LINES_MAX) {
    violations.add(field, "maxItems", `${field} must have at most ${GOLDEN_LINES_MAX} ranges`);
    return [];
  }
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

/** Merges answers with the same id. Documents keep the order of their first mention. */
function merged(answers: readonly ExpectedDocument[]): ExpectedDocument[] {
  const byId = new Map<string, ExpectedDocument>();
  for (const answer of answers) {
    const known = byId.get(answer.id);
    const gain = Math.max(answer.gain, known?.gain ?? 0);
    byId.set(answer.id, { id: answer.id, gain, lines: [...(known?.lines ?? []), ...answer.lines] });
  }
  return [...byId.values()];
}
