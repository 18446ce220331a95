import { parseArgs } from "node:util";
import { ValidationError } from "@loredex/core";
import { COMMANDS, wordsOf } from "./commands/all.ts";
import { type Command, flag, type OptionValues, text, UsageError } from "./commands/command.ts";
import { commandLog } from "./log/log-lines.ts";
import { nearest } from "./nearest.ts";
import { connectOperator } from "./operator/connect.ts";
import type { Operator } from "./operator/operator.ts";
import { ownPackage } from "./own-package.ts";
import { oneLine, type Terminal } from "./terminal.ts";
import { commandHelp, overview } from "./usage.ts";

const COMMON = { data: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const DIRECTORY_DEFAULT = "./data";

/** Runs one command line and resolves with its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const command = COMMANDS.find((known) => wordsOf(known).every((word, i) => argv[i] === word));
  if (command === undefined) return withoutCommand(argv, terminal);
  let operator: Promise<Operator> | undefined;
  let code: number;
  try {
    const { positionals, options } = parse(command, argv.slice(wordsOf(command).length));
    if (flag(options, "help")) {
      terminal.out(commandHelp(command));
      return 0;
    }
    checkNumber(command, positionals);
    const directory = directoryOf(options);
    code = await command.run({
      positionals,
      options,
      terminal,
      json: flag(options, "json"),
      directory,
      operator: ({ create = false } = {}) => {
        operator ??= connectOperator(directory, { create, logger: commandLog(terminal) });
        return operator;
      },
    });
  } catch (error) {
    code = report(error, command, terminal);
  }
  try {
    await (await operator?.catch(() => undefined))?.close();
  } catch (error) {
    code = Math.max(code, report(error, command, terminal));
  }
  return code;
}

function parse(command: Command, args: readonly string[]): { positionals: string[]; options: OptionValues } {
  const given = { args: [...args], allowPositionals: true, options: { ...command.options, ...COMMON } } as const;
  try {
    const { positionals, values } = parseArgs({ ...given, strict: true });
    return { positionals, options: { ...values } };
  } catch (error) {
    const { tokens } = parseArgs({ ...given, strict: false, tokens: true });
    const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(given.options, token.name));
    if (unknown?.kind === "option") throw new UsageError(unknownOption(unknown.rawName, Object.keys(given.options)));
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function unknownOption(given: string, names: readonly string[]): string {
  const meant = nearest(
    given,
    names.map((name) => `--${name}`),
  );
  const hint = meant === undefined ? "put -- before what begins with a dash and is none" : `did you mean ${meant}?`;
  return `there is no option ${given}; ${hint}`;
}

function checkNumber(command: Command, given: readonly string[]): void {
  const [min, max] = command.positionals;
  if (given.length < min) {
    const names = command.usage.split(" ").slice(wordsOf(command).length);
    throw new UsageError(`${names[given.length] ?? "an argument"} is missing`);
  }
  if (given.length > max) {
    throw new UsageError(`"${given[max]}" is one argument too many; put quotes around what holds spaces`);
  }
}

function directoryOf(options: OptionValues): string {
  const directory = text(options, "data") ?? DIRECTORY_DEFAULT;
  if (directory === "") throw new UsageError("--data takes the path of a directory");
  return directory;
}

function withoutCommand(argv: readonly string[], terminal: Terminal): number {
  const asksForHelp = argv[0] === "help" || argv.includes("--help") || argv.includes("-h");
  const words = asksForHelp ? argv.filter((word, i) => !(i === 0 && word === "help") && !isOption(word)) : argv;
  const [first] = words;
  if (first === "--version") {
    terminal.out(`${ownPackage().version}\n`);
    return 0;
  }
  if (asksForHelp && (first === undefined || isFirstWord(first))) {
    terminal.out(overview(first));
    return 0;
  }
  const isMistyped = first !== undefined && !isOption(first) && !isFirstWord(first);
  const help = isMistyped ? '"loredex --help" lists all commands.\n' : `\n${overview(first)}`;
  terminal.err(`${complaint(words)}\n${help}`);
  return 2;
}

function complaint([first, ...rest]: readonly string[]): string {
  if (first === undefined) return "loredex: say which command";
  if (isOption(first)) return 'loredex: options come after the command, as in "loredex bot list --data DIR"';
  const isGroup = isFirstWord(first);
  if (isGroup && rest.length === 0) return `loredex: say what "${first}" should do`;
  const given = [first, ...(isGroup ? rest.slice(0, 1) : [])].join(" ");
  const known = COMMANDS.map(wordsOf).map((words) => words.slice(0, isGroup ? 2 : 1).join(" "));
  const meant = nearest(given, known);
  const hint = meant === undefined ? "" : `; did you mean "loredex ${meant}"?`;
  return `loredex: there is no command "${oneLine(given)}"${hint}`;
}

function isOption(word: string): boolean {
  return word.startsWith("-");
}

function isFirstWord(word: string): boolean {
  return COMMANDS.some((command) => wordsOf(command)[0] === word);
}

function report(error: unknown, command: Command, terminal: Terminal): number {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  // What only the engine knows the rules of is wrong usage as well.
  if (error instanceof UsageError || error instanceof ValidationError) {
    terminal.err(`loredex: ${message}\n\n${commandHelp(command)}`);
    return 2;
  }
  terminal.err(`loredex: ${message}\n`);
  return 1;
}
