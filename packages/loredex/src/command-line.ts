import { parseArgs } from "node:util";
import { LoredexError } from "@loredex/core";
import { COMMANDS, wordsOf } from "./commands/all.ts";
import { type Command, flag, type OptionValues, text, UsageError } from "./commands/command.ts";
import { logLines } from "./log-lines.ts";
import { connectOperator } from "./operator/connect.ts";
import type { Operator } from "./operator/operator.ts";
import { oneLine, type Terminal } from "./terminal.ts";
import { commandHelp, overview } from "./usage.ts";

const COMMON = { data: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** Runs one command line and resolves with its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const command = COMMANDS.find((known) => wordsOf(known).every((word, i) => argv[i] === word));
  if (command === undefined) return withoutCommand(argv, terminal);
  let operator: Promise<Operator> | undefined;
  try {
    const { positionals, options } = parse(command, argv.slice(wordsOf(command).length));
    if (flag(options, "help")) {
      terminal.out(commandHelp(command));
      return 0;
    }
    const [min, max] = command.positionals;
    if (positionals.length < min) throw new UsageError("an argument is missing");
    if (positionals.length > max) throw new UsageError(`"${positionals[max]}" is one argument too many`);
    const directory = text(options, "data") ?? "./data";
    return await command.run({
      positionals,
      options,
      terminal,
      json: flag(options, "json"),
      directory,
      operator: ({ create = false } = {}) => {
        operator ??= connectOperator(directory, { create, logger: logLines(terminal) });
        return operator;
      },
    });
  } catch (error) {
    return report(error, command, terminal);
  } finally {
    await operator?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

function parse(command: Command, args: readonly string[]): { positionals: string[]; options: OptionValues } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { ...command.options, ...COMMON },
    });
    return { positionals, options: { ...values } };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function withoutCommand(argv: readonly string[], terminal: Terminal): number {
  if (argv.length === 0 || argv.includes("--help") || argv.includes("-h") || argv[0] === "help") {
    terminal.out(overview(argv[0]));
    return argv.length === 0 ? 2 : 0;
  }
  terminal.err(`loredex: there is no command "${oneLine(argv.slice(0, 2).join(" "))}"\n\n${overview(argv[0])}`);
  return 2;
}

function report(error: unknown, command: Command, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.err(`loredex: ${oneLine(error.message)}\n\n${commandHelp(command)}`);
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  terminal.err(`loredex: ${oneLine(message)}\n`);
  if (!(error instanceof LoredexError) && error instanceof Error && process.env.LOREDEX_DEBUG)
    terminal.err(`${error.stack}\n`);
  return 1;
}
