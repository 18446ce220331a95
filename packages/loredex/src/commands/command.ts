import type { ParseArgsConfig } from "node:util";
import { QUALITIES, type Quality } from "@loredex/core";
import type { Operator } from "../operator/operator.ts";
import type { Terminal } from "../terminal.ts";

export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** What a command is run with. */
export interface Invocation {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly directory: string;
  /** The way to the data; opened when it is first asked for and closed by the caller. `create` makes a missing directory. */
  operator(given?: { readonly create?: boolean }): Promise<Operator>;
}

export interface Command {
  /** For example `bot create NAME`. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** Least and most positional arguments after the command's words. */
  readonly positionals: readonly [min: number, max: number];
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /** A line on each option, in order. */
  readonly optionHelp: readonly (readonly [option: string, meaning: string])[];
  /** Resolves with the exit code: 0 done, 1 failed. */
  run(invocation: Invocation): Promise<number>;
}

/** The command was used in a way that can't be right: exit code 2. */
export class UsageError extends Error {}

export function text(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function flag(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

const PLAIN = /^\d{1,15}$/;
const SEPARATED = /^\d{1,3}([_,])\d{3}(\1\d{3}){0,3}$/;

/** A whole number of 0 or more, written plainly or in groups of three (`1_000_000`, `1,000,000`). */
export function count(options: OptionValues, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (PLAIN.test(value) || SEPARATED.test(value)) return Number(value.replace(/[_,]/g, ""));
  throw new UsageError(`--${name} takes a whole number, not "${value}"`);
}

/** A longer timer would end at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const SIZE = /^(\d{1,12})([kmg]?)b?$/i;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/** A number of bytes: plain, or in units of 1,024 (`512m`, `4g`). */
export function bytes(options: OptionValues, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const [, number = "", unit = ""] = SIZE.exec(value) ?? [];
  const size = Number(number) * (UNITS[unit.toLowerCase()] ?? 0);
  if (size >= 1 && Number.isSafeInteger(size)) return size;
  throw new UsageError(`--${name} takes a number of bytes such as 4g, 512m or 65536k, not "${value}"`);
}

/** As {@link count}, for what cannot be 0. */
export function countFromOne(options: OptionValues, name: string): number | undefined {
  const number = count(options, name);
  if (number === 0) throw new UsageError(`--${name} takes a whole number from 1`);
  return number;
}

const DURATION = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)?$/;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** A time in whole milliseconds, at least 1: in seconds (`10`, `2.5s`), milliseconds (`500ms`) or minutes (`1m`). */
export function milliseconds(options: OptionValues, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const [, number = "", unit = "s"] = DURATION.exec(value) ?? [];
  const ms = Math.round(Number(number) * (UNITS_MS[unit] ?? 0));
  if (number !== "" && ms >= 1 && ms <= TIMER_MS_MAX) return ms;
  throw new UsageError(`--${name} takes a time such as 10s, 500ms or 1m, at most 24 days, not "${value}"`);
}

/** The `--quality` that was said. */
export function qualityOf(options: OptionValues): Quality | undefined {
  return oneOf("--quality", text(options, "quality"), QUALITIES);
}

export function oneOf<Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be one of ${choices.join(", ")}, not "${value}"`);
}
