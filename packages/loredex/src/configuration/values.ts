import { renamed } from "@loredex/core";
import type { Option, OptionValue } from "./option.ts";
import { likelySizes, readSize, sizeText } from "./sizes.ts";
import { UsageError } from "./usage-error.ts";

const PLAIN = /^\d{1,15}$/;
const SEPARATED = /^\d{1,3}([_,])\d{3}(\1\d{3}){0,3}$/;
const NUMBER = /^(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/;

/**
 * Parses the text of a value.
 * @param called the name by which the reader knows the option: `--port`, `LOREDEX_PORT`
 * @throws UsageError
 */
export function readValue(option: Option, given: string, called: string): OptionValue {
  switch (option.kind) {
    case "switch":
      if (given === "true" || given === "false") return given === "true";
      throw new UsageError(`${called} is true or false, not "${given}"`);
    case "text":
      return given;
    case "path":
      if (given !== "") return given;
      throw new UsageError(`${called} takes a path`);
    case "choice":
      return option.choiceOf?.(given) === undefined ? oneOf(option.choices, given, called) : given;
    case "list":
      return given.split(",").map((word) => oneOf(option.choices, word.trim(), called));
    case "duration":
      return readDuration(option, given, called);
    case "bytes":
      return option.words?.includes(given) === true ? given : readBytes(option, given, called);
    default:
      return readNumber(option, given, called);
  }
}

function oneOf(choices: readonly string[], given: string, called: string): string {
  if (choices.includes(given)) return given;
  const now = renamed(given, choices);
  const hint = now === undefined ? "" : `; it is called ${now} now`;
  throw new UsageError(`${called} must be one of ${choices.join(", ")}, not "${given}"${hint}`);
}

const DURATION = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest timer of Node. A longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Parses a time into whole milliseconds: seconds (`10`, `2.5s`), milliseconds (`500ms`), minutes (`1m`), hours (`6h`) or days (`1d`). */
function readDuration({ min = 1, max }: Option & { kind: "duration" }, given: string, called: string): number {
  const [, number = "", unit = "s"] = DURATION.exec(given) ?? [];
  const ms = Math.round(Number(number) * (UNITS_MS[unit] ?? 0));
  if (number !== "" && ms >= min && ms <= (max ?? TIMER_MS_MAX)) return ms;
  const most = max === undefined ? "24 days" : `${max / 1_000}s`;
  throw new UsageError(
    `${called} takes a time such as ${max === undefined ? "10s, 500ms or 1m" : "1s or 500ms"}, at most ${most}, not "${given}"`,
  );
}

/** Parses a number of bytes. A number that is too small was probably meant in a larger unit. */
function readBytes(option: Option & { kind: "bytes" }, given: string, called: string): number {
  const { words = [], min, max, orNone = false } = option;
  const size = readSize(given) ?? 0;
  if (orNone && readSize(given) === 0) return 0;
  if (size > 0 && size < min) {
    const bytes = `${size} byte${size === 1 ? "" : "s"}`;
    throw new UsageError(`${called} takes at least ${sizeText(min)}, not ${bytes}; ${likelySizes(given, min)}`);
  }
  if (max !== undefined && size > max) throw new UsageError(`${called} takes at most ${sizeText(max)}, not "${given}"`);
  if (size > 0) return size;
  const others = [...words, ...(orNone ? ["0"] : [])].map((word) => `${word}, or `).join("");
  throw new UsageError(`${called} takes ${others}a number of bytes such as 4g, 512m or 65536k, not "${given}"`);
}

/** Parses a number of 0 or more. A whole number may be written in groups of three digits (`1_000_000`, `1,000,000`). */
function readNumber(option: Option & { kind: "count" | "number" }, given: string, called: string): number {
  const isWhole = PLAIN.test(given) || SEPARATED.test(given);
  const isNumber = isWhole || (option.kind === "number" && NUMBER.test(given));
  const value = isNumber ? Number(given.replace(/[_,]/g, "")) : Number.NaN;
  const { min = 0, max = Number.POSITIVE_INFINITY } = option;
  if (value >= min && value <= max) return value;
  const what = option.kind === "count" ? "whole number" : "number";
  const range = max === Number.POSITIVE_INFINITY ? (min > 0 ? ` of ${min} or more` : "") : ` from ${min} to ${max}`;
  throw new UsageError(`${called} takes a ${what}${range}, not "${given}"`);
}

/** The JSON types of an option's values by kind, also in words. */
const JSON_TYPES: Readonly<Record<Option["kind"], readonly [types: readonly string[], words: string]>> = {
  switch: [["boolean"], "true or false"],
  text: [["string"], "a string"],
  path: [["string"], "a string"],
  choice: [["string"], "a string"],
  list: [["string"], "a list of strings"],
  duration: [["string", "number"], 'a number of seconds, or a string such as "500ms"'],
  bytes: [["string", "number"], 'a number, or a string such as "4g"'],
  count: [["number"], "a number"],
  number: [["number"], "a number"],
};

/** Reads a value of JSON. @throws UsageError */
export function readJsonValue(option: Option, given: unknown, called: string): OptionValue {
  if (option.kind === "list" && Array.isArray(given)) {
    return given.map((word) => oneOf(option.choices, String(word), called));
  }
  const [types, words] = JSON_TYPES[option.kind];
  if (!types.includes(typeof given)) throw new UsageError(`${called} takes ${words}, not ${typeWords(given)}`);
  return readValue(option, String(given), called);
}

/** The type of a value in words. Never the value, which may be a secret. */
function typeWords(given: unknown): string {
  if (given === null) return "null";
  if (Array.isArray(given)) return "a list";
  return typeof given === "boolean" ? "true or false" : `${typeof given === "object" ? "an" : "a"} ${typeof given}`;
}
