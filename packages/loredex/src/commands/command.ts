import { type EmbedderOffer, QUALITIES, type Quality } from "@loredex/core";
import type { Environment } from "../configuration/environment.ts";
import type { Options, OptionValue } from "../configuration/option.ts";
import type { Settings } from "../configuration/settings.ts";
import { UsageError } from "../configuration/usage-error.ts";
import type { Operator } from "../operator/operator.ts";
import type { Place } from "../place.ts";
import type { Terminal } from "../terminal/terminal.ts";

export { UsageError } from "../configuration/usage-error.ts";

export type OptionValues = Readonly<Record<string, OptionValue | undefined>>;

/** The arguments and surroundings of a command that is run. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** The values in force: from the command line, else from the settings. */
  readonly options: OptionValues;
  /** Only the values from the command line. */
  readonly given: OptionValues;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** The data directory or the database that the command works on. */
  readonly place: Place;
  /** The settings of the environment and the file, for all commands. */
  readonly settings: Settings;
  /** The environment that the settings were read from. It also has the variables for clients of the API. */
  readonly environment: Environment;
  /** The embedders, with their settings. */
  readonly embedders: Readonly<Record<string, EmbedderOffer>>;
  /** The operator of the data. It is opened on first use and closed by the caller. `create` makes a missing directory. */
  operator(given?: { readonly create?: boolean }): Promise<Operator>;
}

export interface Command {
  /** For example `bot create NAME`. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** The least and the most positional arguments after the command's words. */
  readonly positionals: readonly [min: number, max: number];
  readonly options: Options;
  /** The options that name where it works, if they stand instead of `--data` and `--store`: `--from and --to`. */
  readonly places?: string;
  /** Further help, in whole lines. */
  readonly more?: string;
  /** Example command lines, without the program's name. */
  readonly examples: readonly [string, ...string[]];
  /** Whether the command ignores the environment and the file, so that it works even if one of them is wrong. */
  readonly isStandalone?: true;
  /** Resolves with the exit code: 0 done, 1 failed. */
  run(invocation: Invocation): Promise<number>;
}

export function text(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function flag(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

/** The value of a numeric option, also of bytes or milliseconds. The option defines its range. */
export function number(options: OptionValues, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}

/** The value of an option with a whole number. */
export const count = number;

/** The words of an option that takes a list. */
export function list(options: OptionValues, name: string): readonly string[] | undefined {
  const value = options[name];
  return Array.isArray(value) ? value : undefined;
}

/** The value of `--quality`. */
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
