import { type EmbedderOffer, QUALITIES, type Quality } from "@loredex/core";
import type { Environment } from "../configuration/environment.ts";
import type { Options, OptionValue } from "../configuration/option.ts";
import type { Settings } from "../configuration/settings.ts";
import { UsageError } from "../configuration/usage-error.ts";
import type { Operator } from "../operator/operator.ts";
import type { Terminal } from "../terminal/terminal.ts";

export { UsageError } from "../configuration/usage-error.ts";

export type OptionValues = Readonly<Record<string, OptionValue | undefined>>;

/** What a command is run with. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** What is in force: what was said with the command, else what is set. */
  readonly options: OptionValues;
  /** Only what was said with the command. */
  readonly given: OptionValues;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly directory: string;
  /** What the environment and the file say, of all commands. */
  readonly settings: Settings;
  /** What the settings were read from, and what only clients of the API are told in there. */
  readonly environment: Environment;
  /** The embedders, as they are set. */
  readonly embedders: Readonly<Record<string, EmbedderOffer>>;
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
  readonly options: Options;
  /** What else its help says; whole lines. */
  readonly more?: string;
  /** Command lines that show it at work, without the program's name. */
  readonly examples: readonly [string, ...string[]];
  /** Works without a look at the environment and the file: also where one of them is wrong. */
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

/** A number, also of bytes or of milliseconds; its range is the option's. */
export function number(options: OptionValues, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}

/** The same of a whole one. */
export const count = number;

/** The words of a list. */
export function list(options: OptionValues, name: string): readonly string[] | undefined {
  const value = options[name];
  return Array.isArray(value) ? value : undefined;
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
