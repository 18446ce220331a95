import { sizeText } from "./sizes.ts";

/**
 * The one description of an option: how it is parsed, what help and completion say of it, and whether it may be set in the environment and in
 * the file. Its name is that on the command line without the dashes.
 */
export type Option = Common & Value;

interface Common {
  /** What it does; a line break is one in the help as well. */
  readonly help: string;
  /** What holds where nothing is said, in words. */
  readonly default?: string | number;
  /**
   * Whether the environment and the file may set it: what says how to work may be set there; what says on what this one command works, and yes,
   * is said with the command. The path of the file itself can only stand in the environment.
   */
  readonly setting: boolean | "environment";
  /** Is never shown. */
  readonly secret?: true;
  /** May be given again. */
  readonly many?: true;
  /** The option that it contradicts. */
  readonly excludes?: string;
}

/** `value` is what stands for the value in the help: `NAME`. */
type Value =
  | { readonly kind: "switch" }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "path"; readonly value: string }
  | {
      readonly kind: "choice";
      readonly value: string;
      readonly choices: readonly string[];
      /** The choice that a value of another form names, as de-CH names de; the value stays as it was written. */
      readonly choiceOf?: (given: string) => string | undefined;
    }
  /** Some of these words, with commas between them. */
  | { readonly kind: "list"; readonly value: string; readonly choices: readonly string[] }
  | {
      readonly kind: "bytes";
      readonly value: string;
      /** The least that can be meant. */
      readonly min: number;
      readonly max?: number;
      /** Words that may stand for a number, as `auto`. */
      readonly words?: readonly string[];
    }
  /** Becomes a number of milliseconds. */
  | {
      readonly kind: "duration";
      readonly value: string;
      /** In milliseconds. Default 1. */
      readonly min?: number;
      /** In milliseconds. Default: 24 days. */
      readonly max?: number;
    }
  | { readonly kind: "count" | "number"; readonly value: string; readonly min?: number; readonly max?: number };

/** What help says of an option: what it does, and between which sizes it may be chosen. */
export function helpOf(option: Option): string {
  if (option.kind !== "bytes") return option.help;
  const { help, min, max } = option;
  return `${help}; ${max === undefined ? `at least ${sizeText(min)}` : `${sizeText(min)} to ${sizeText(max)}`}`;
}

/** By name. */
export type Options = Readonly<Record<string, Option>>;

export type OptionValue = string | number | boolean | readonly string[];

/** `--top-k` */
export const flagOf = (name: string): string => `--${name}`;

/** `LOREDEX_TOP_K` */
export const variableOf = (name: string): string => `${VARIABLE_PREFIX}${name.replaceAll("-", "_").toUpperCase()}`;
export const VARIABLE_PREFIX = "LOREDEX_";

/** `topK` */
export const keyOf = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Names of the options that may be set in the environment or in the file. */
export function settable(options: Options, place: "environment" | "file"): string[] {
  return Object.entries(options).flatMap(([name, { setting }]) =>
    setting === true || setting === place ? [name] : [],
  );
}

/** A value with the variable, or the file, that it was found in. */
export interface Found {
  readonly value: OptionValue;
  readonly from: string;
  /** As it was written. */
  readonly text: string;
}
