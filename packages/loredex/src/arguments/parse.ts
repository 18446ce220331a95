import { parseArgs } from "node:util";
import { nearest } from "@loredex/core";
import { wordsOf } from "../commands/all.ts";
import type { Command, OptionValues } from "../commands/command.ts";
import { COMMON, commonOptions, SHORT } from "../configuration/common-options.ts";
import { flagOf, type Option, type Options, type OptionValue } from "../configuration/option.ts";
import type { Settings } from "../configuration/settings.ts";
import { UsageError } from "../configuration/usage-error.ts";
import { readValue } from "../configuration/values.ts";

/** The arguments after the words of a command, parsed. */
export interface Parsed {
  readonly positionals: readonly string[];
  readonly given: OptionValues;
}

/** The options of a command, including those of every command. */
export function optionsOf(command: Command): Options {
  return { ...command.options, ...commonOptions(command) };
}

/** Parses the arguments of a command. @throws UsageError */
export function parse(command: Command, args: readonly string[]): Parsed {
  const options = optionsOf(command);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(([name, option]) => [name, shapeOf(name, option)])),
    allowPositionals: true,
    // Errors have our own texts.
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const given: Record<string, OptionValue> = {};
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw new UsageError(unknownOption(command, token));
    const value = readValue(option, textOf(option, token), token.rawName);
    const before = given[token.name];
    if (before !== undefined && option.many !== true && option.kind !== "switch")
      throw new UsageError(`${token.rawName} is given twice; which value is meant?`);
    given[token.name] = option.many ? [...(Array.isArray(before) ? before : []), String(value)] : value;
  }
  return { positionals, given };
}

function shapeOf(name: string, { kind }: Option): { readonly type: "boolean" | "string"; readonly short?: string } {
  const short = SHORT[name];
  return { type: kind === "switch" ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
}

function textOf(
  option: Option,
  { rawName, value, inlineValue }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string {
  if (option.kind === "switch") return value ?? "true";
  if (value === undefined) throw new UsageError(`${rawName} takes a value: ${rawName} ${option.value}`);
  // A forgotten value is more likely than a value that begins with a dash.
  if (inlineValue !== true && value.startsWith("-") && value !== "-") {
    throw new UsageError(`${rawName} takes a value; one that begins with a dash is written ${rawName}=${value}`);
  }
  return value;
}

function unknownOption(command: Command, { name, rawName: given }: { name: string; rawName: string }): string {
  if (Object.hasOwn(COMMON, name))
    return `${wordsOf(command).join(" ")} takes ${command.places} instead of --data and --store`;
  const meant = nearest(given, Object.keys(optionsOf(command)).map(flagOf));
  const hint = meant === undefined ? "put -- before what begins with a dash and is none" : `did you mean ${meant}?`;
  return `there is no option ${given}; ${hint}`;
}

/** Checks the number of positional arguments. @throws UsageError */
export function checkNumber(command: Command, given: readonly string[]): void {
  const [min, max] = command.positionals;
  if (given.length < min) {
    const names = command.usage.split(" ").slice(wordsOf(command).length);
    throw new UsageError(`${names[given.length] ?? "an argument"} is missing`);
  }
  if (given.length > max) {
    throw new UsageError(`"${given[max]}" is one argument too many; put quotes around what holds spaces`);
  }
}

/** The option values in force: the command line before the environment, and the environment before the file. @throws UsageError */
export function inForce(command: Command, given: OptionValues, settings: Settings): OptionValues {
  const options = optionsOf(command);
  const values: Record<string, OptionValue> = {};
  for (const [name, { setting, excludes }] of Object.entries(options)) {
    // The command line overrules a setting, including a setting that contradicts it.
    const isOverruled = excludes !== undefined && given[excludes] === true;
    const value = given[name] ?? (setting === false || isOverruled ? undefined : settings.find(name)?.value);
    if (value !== undefined) values[name] = value;
  }
  for (const [name, { excludes }] of Object.entries(options)) {
    if (excludes === undefined || values[name] !== true || values[excludes] !== true) continue;
    throw new UsageError(`${flagOf(name)} and ${flagOf(excludes)} contradict each other`);
  }
  return values;
}
