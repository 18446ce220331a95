import { sizeText } from "./sizes.ts";

/**
 * The description of an option: its parsing, its help and completion, and whether the environment and the file may set it.
 * Its name is the name on the command line without the dashes.
 */
export type Option = Common & Value;

interface Common {
  /** Its effect. A line break is also one in the help. */
  readonly help: string;
  /** The default, in words. */
  readonly default?: string | number;
  /**
   * Whether the environment and the file may set it. Options that say how to work may be set.
   * Options that say what this one command works on, and confirmations, must be given with the command.
   * The path of the file itself can only be set in the environment.
   */
  readonly setting: boolean | "environment";
  /** Whether its value is never shown. */
  readonly secret?: true;
  /** Whether it may be given several times. */
  readonly many?: true;
  /** The option that it contradicts. */
  readonly excludes?: string;
  /** The option without which it has no effect: it is of a database. */
  readonly needs?: "store";
}

/** `value` is the placeholder in the help: `NAME`. */
type Value =
  | { readonly kind: "switch" }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "path"; readonly value: string }
  | {
      readonly kind: "choice";
      readonly value: string;
      readonly choices: readonly string[];
      /** The choice that a value of another form means, as de-CH means de. The value stays as it was written. */
      readonly choiceOf?: (given: string) => string | undefined;
    }
  /** Some of these words, separated by commas. */
  | { readonly kind: "list"; readonly value: string; readonly choices: readonly string[] }
  | {
      readonly kind: "bytes";
      readonly value: string;
      /** The least allowed value. */
      readonly min: number;
      readonly max?: number;
      /** Whether 0 is allowed too: none of it. */
      readonly orNone?: boolean;
      /** Words that may replace the number, such as `auto`. */
      readonly words?: readonly string[];
    }
  /** A time, parsed into milliseconds. */
  | {
      readonly kind: "duration";
      readonly value: string;
      /** In milliseconds. Default 1. */
      readonly min?: number;
      /** In milliseconds. Default: 24 days. */
      readonly max?: number;
    }
  | { readonly kind: "count" | "number"; readonly value: string; readonly min?: number; readonly max?: number };

/** The help of an option: its effect, and the range of a size. */
export function helpOf(option: Option): string {
  if (option.kind !== "bytes") return option.help;
  const { help, min, max, orNone = false } = option;
  const range = max === undefined ? `at least ${sizeText(min)}` : `${sizeText(min)} to ${sizeText(max)}`;
  return `${help}; ${orNone ? "0, or " : ""}${range}`;
}

/** Options by name. */
export type Options = Readonly<Record<string, Option>>;

export type OptionValue = string | number | boolean | readonly string[];

/** The option on the command line: `--top-k`. */
export const flagOf = (name: string): string => `--${name}`;

/** The option's variable: `LOREDEX_TOP_K`. */
export const variableOf = (name: string): string => `${VARIABLE_PREFIX}${name.replaceAll("-", "_").toUpperCase()}`;
export const VARIABLE_PREFIX = "LOREDEX_";

/** The option's key in the file: `topK`. */
export const keyOf = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The names of the options that may be set in this place. */
export function settable(options: Options, place: "environment" | "file"): string[] {
  return Object.entries(options).flatMap(([name, { setting }]) =>
    setting === true || setting === place ? [name] : [],
  );
}

/** A value with its source: the variable or the file. */
export interface Found {
  readonly value: OptionValue;
  readonly from: string;
  /** The value as it was written. */
  readonly text: string;
}
