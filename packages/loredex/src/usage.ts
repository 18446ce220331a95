import { COMMANDS, wordsOf } from "./commands/all.ts";
import type { Command } from "./commands/command.ts";

const COMMON_HELP = [
  ["--data DIR", "the data directory (default ./data)"],
  ["--json", "machine-readable output on stdout"],
  ["--help", "this text"],
] as const;

/** All commands, or those that begin with a word. */
export function overview(word?: string): string {
  const matching = COMMANDS.filter((command) => wordsOf(command)[0] === word);
  const shown = matching.length > 0 ? matching : COMMANDS;
  const rows = shown.map((command) => [`loredex ${command.usage}`, command.summary] as const);
  return `Usage:
${aligned(rows)}
Options of every command:
${aligned(COMMON_HELP)}
loredex --version says which this is. BOT is an id or a name. Exit code: 0 done, 1 failed, 2 wrong usage.
`;
}

export function commandHelp(command: Command): string {
  return `Usage: loredex ${command.usage} [options]
  ${command.summary}

Options:
${aligned([...command.optionHelp, ...COMMON_HELP])}`;
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join("");
}
