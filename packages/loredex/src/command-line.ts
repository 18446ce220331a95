import { GRAPH_KINDS, nearest, ValidationError } from "@loredex/core";
import { VocabularyFileError } from "@loredex/import";
import { type Called, findCommand } from "./arguments/find-command.ts";
import { commandHelp, overview } from "./arguments/help.ts";
import { checkNumber, inForce, optionsOf, parse } from "./arguments/parse.ts";
import { ALL_OPTIONS, COMMANDS, wordsOf } from "./commands/all.ts";
import { type Command, flag, type OptionValues, text, UsageError } from "./commands/command.ts";
import { COMMON } from "./configuration/common-options.ts";
import type { Environment } from "./configuration/environment.ts";
import type { Option } from "./configuration/option.ts";
import { passwordIn, placeOf, withoutPasswords } from "./configuration/place.ts";
import { modelServerVariables, NO_SETTINGS, readSettings, type Settings } from "./configuration/settings.ts";
import { embeddersOf } from "./embedders.ts";
import { commandLog } from "./log/log-lines.ts";
import { connectOperator } from "./operator/connect.ts";
import type { Operator } from "./operator/operator.ts";
import { ownPackage } from "./own-package.ts";
import type { Place } from "./place.ts";
import { listed, oneLine, type Terminal } from "./terminal/terminal.ts";

/** Runs one command line and resolves with its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  environment: Environment = process.env,
): Promise<number> {
  const called = findCommand(argv);
  const { command } = called;
  if (command === undefined) return withoutCommand(argv, called, terminal);
  let operator: Promise<Operator> | undefined;
  let code: number;
  /** Addresses that may hold passwords. */
  const secrets: unknown[] = [];
  try {
    const { positionals, given } = parse(command, called.rest);
    if (flag(given, "help")) {
      terminal.out(commandHelp(command));
      return 0;
    }
    checkNumber(command, positionals);
    const settings = await settingsFor(command, environment, text(given, "config"), terminal);
    const options = inForce(command, given, settings);
    secrets.push(options.store, given.from, given.to);
    if (secretsOf(given).length > 0) tellVisible(command, terminal);
    const place = (): Place => placeOf(given, options, settings, optionsOf(command));
    const embedders = embeddersOf(modelServerVariables(settings));
    // A server that may not make token codes deletes them, so no command may make them either.
    const rerank = settings.find("no-rerank")?.value !== true;
    // A kept graph belongs to the backend of the server.
    const graph = GRAPH_KINDS.find((kind) => kind === settings.find("graph")?.value) ?? GRAPH_KINDS[0];
    code = await command.run({
      positionals,
      options,
      given,
      terminal,
      json: flag(options, "json"),
      get place() {
        return place();
      },
      settings,
      environment,
      embedders,
      operator: ({ create = false } = {}) => {
        operator ??= connectOperator(place(), { create, logger: commandLog(terminal), embedders, rerank, graph });
        return operator;
      },
    });
  } catch (error) {
    code = report(error, command, terminal, secrets);
  }
  try {
    await (await operator?.catch(() => undefined))?.close();
  } catch (error) {
    code = Math.max(code, report(error, command, terminal, secrets));
  }
  return code;
}

async function settingsFor(
  { isStandalone }: Command,
  environment: Environment,
  file: string | undefined,
  terminal: Terminal,
): Promise<Settings> {
  if (isStandalone) return NO_SETTINGS;
  const settings = await readSettings(ALL_OPTIONS, environment, file);
  for (const variable of settings.unknown) {
    terminal.err(`${oneLine(variable)} in the environment is no setting of Loredex, and changes nothing.\n`);
  }
  return settings;
}

function withoutCommand(argv: readonly string[], called: Called, terminal: Terminal): number {
  const isHelp = argv[0] === "help";
  const asksForHelp = isHelp || argv.includes("--help") || argv.includes("-h");
  const asked = isHelp ? findCommand(argv.slice(1)) : called;
  if (argv[0] === "--version") {
    terminal.out(`${ownPackage().version}\n`);
    return 0;
  }
  const [first] = asked.words;
  if (asksForHelp && asked.command !== undefined) {
    terminal.out(commandHelp(asked.command));
    return 0;
  }
  if (asksForHelp && (first === undefined || (isGroup(first) && asked.words.length === 1))) {
    terminal.out(overview(first));
    return 0;
  }
  const valueless = first === undefined ? withoutValue(called.rest.at(-1)) : undefined;
  // A command line without any words gets the list of commands.
  if (valueless !== undefined) terminal.err(`loredex: ${valueless}\n${whereToRead(first)}`);
  else if (first === undefined && called.early === undefined)
    terminal.err(`loredex: say which command\n\n${overview()}`);
  else terminal.err(`loredex: ${complaint(asked)}\n${whereToRead(first)}`);
  return 2;
}

function complaint({ words: [first = "", second], early }: Called): string {
  if (early !== undefined) {
    return `${oneLine(early)} is no option of every command, and only those may stand before one`;
  }
  const group = COMMANDS.map(wordsOf).filter(([word]) => word === first);
  if (group.length > 0 && second === undefined) {
    return `say what "${first}" should do: ${oneOfThem(group)}`;
  }
  const given = [first, ...(group.length > 0 && second !== undefined ? [second] : [])];
  const known = COMMANDS.map((command) => wordsOf(command).slice(0, given.length).join(" "));
  const meant = nearest(given.join(" "), known);
  const instead = group.length === 0 ? "" : `; "${first}" can do ${oneOfThem(group)}`;
  const hint = meant === undefined ? instead : `; did you mean "loredex ${meant}"?`;
  return `there is no command "${oneLine(given.join(" "))}"${hint}`;
}

/** The second words of commands, as an enumeration. */
function oneOfThem(group: readonly (readonly string[])[]): string {
  return listed(group.map((words) => words[1] ?? ""));
}

/** The error for a last argument that is an option of every command and lacks its value. */
function withoutValue(last: string | undefined): string | undefined {
  const name = last?.startsWith("--") === true ? last.slice(2) : "";
  const option = Object.entries<Option>(COMMON).find(([known]) => known === name)?.[1];
  return option === undefined || option.kind === "switch"
    ? undefined
    : `${last} takes a value: ${last} ${option.value}`;
}

function whereToRead(first: string | undefined): string {
  return first !== undefined && isGroup(first)
    ? `"loredex help ${first}" says more.\n`
    : '"loredex help" lists all commands.\n';
}

/** Whether commands of two words begin with this one. */
function isGroup(word: string): boolean {
  return COMMANDS.some((command) => wordsOf(command)[0] === word && wordsOf(command).length > 1);
}

/** Addresses of the command line that hold a password. */
function secretsOf({ store, from, to }: OptionValues): unknown[] {
  return [store, from, to].filter((url) => passwordIn(url) !== undefined);
}

/** Tells that a password on the command line can be read by other users, and takes it off the list of processes. */
function tellVisible(command: Command, terminal: Terminal): void {
  process.title = `loredex ${wordsOf(command).join(" ")}`;
  terminal.err(
    "The password in the address could be read in the list of processes, and may be in the history of the shell. Use LOREDEX_STORE, PGPASSWORD or --store-password-file.\n",
  );
}

const PROBLEMS_SHOWN = 20;

function report(error: unknown, command: Command, terminal: Terminal, secrets: readonly unknown[]): number {
  const message = withoutPasswords(error instanceof Error ? error.message : String(error), secrets);
  // The problems of a vocabulary's file have a line each.
  const lines = error instanceof VocabularyFileError ? message.split("\n") : [message];
  for (const line of lines.slice(0, PROBLEMS_SHOWN)) terminal.err(`loredex: ${oneLine(line)}\n`);
  if (lines.length > PROBLEMS_SHOWN) terminal.err(`loredex: and ${lines.length - PROBLEMS_SHOWN} more problems\n`);
  // A broken rule of the engine is wrong usage as well.
  if (!(error instanceof UsageError) && !(error instanceof ValidationError)) return 1;
  const topic = error instanceof UsageError ? error.topic : undefined;
  terminal.err(`"loredex help ${topic ?? wordsOf(command).join(" ")}" says more.\n`);
  return 2;
}
