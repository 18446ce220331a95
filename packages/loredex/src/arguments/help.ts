import { COMMANDS, wordsOf } from "../commands/all.ts";
import type { Command } from "../commands/command.ts";
import { COMMON, commonOptions, SHORT } from "../configuration/common-options.ts";
import { flagOf, helpOf, type Option, type Options } from "../configuration/option.ts";

/** The help on all commands, or on those whose first word is `word`. */
export function overview(word?: string): string {
  const matching = COMMANDS.filter((command) => wordsOf(command)[0] === word);
  const shown = matching.length > 0 ? matching : COMMANDS;
  const rows = shown.map((command) => [`loredex ${command.usage}`, command.summary] as const);
  const examples = matching.flatMap((command) => command.examples.slice(0, 1));
  return `Usage:
${aligned(rows)}
Options of every command, before or after its words:
${aligned(rowsOf(COMMON))}${examples.length === 0 ? "" : `\n${examplesOf(examples)}`}
Options may be set in the environment and in a file: "loredex help config".
"loredex help COMMAND" says more, loredex --version which this is. BOT is an id or a name. Exit code: 0 done, 1 failed, 2 wrong usage.
`;
}

export function commandHelp(command: Command): string {
  const more = command.more === undefined ? "" : `\n${command.more}`;
  return `Usage: loredex ${command.usage} [options]
  ${command.summary}
${more}
Options:
${aligned([...rowsOf(command.options), ...rowsOf(commonOptions(command))])}
${examplesOf(command.examples)}`;
}

function examplesOf(examples: readonly string[]): string {
  const lines = examples.map((example) => `  loredex ${example}\n`).join("");
  return `${examples.length === 1 ? "Example" : "Examples"}:\n${lines}`;
}

function rowsOf(options: Options): (readonly [string, string])[] {
  return Object.entries(options).map(([name, option]) => {
    const value = option.kind === "switch" ? "" : ` ${option.value}`;
    const short = SHORT[name] === undefined ? "" : `, -${SHORT[name]}`;
    return [`${flagOf(name)}${short}${value}`, `${helpOf(option)}${defaultText(option)}`];
  });
}

function defaultText(option: Option): string {
  return option.default === undefined ? "" : ` (default ${option.default})`;
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}\n`)
    .join("");
}
