import { COMMON, commonOptions } from "../configuration/common-options.ts";
import { flagOf, type Option, type Options } from "../configuration/option.ts";

/** A command, as completion needs it. */
export interface Completable {
  readonly words: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly options: Options;
  readonly places?: string;
}

/** The arguments that are files or folders, by their names in the usage. */
const FILE_ARGUMENTS = /\b(?:PATH|FILE)\b/;

/** The completions of one command. */
export interface Offer {
  readonly command: string;
  readonly options: readonly string[];
  /** The options that take one of a few words, with these words. */
  readonly choices: readonly (readonly [option: string, choices: readonly string[]])[];
  readonly takesFiles: boolean;
}

export interface Offers {
  /** The possible first words, and the second words that may follow each. */
  readonly first: readonly string[];
  readonly second: readonly (readonly [first: string, seconds: readonly string[]])[];
  readonly commands: readonly Offer[];
  /** The options of all commands that take the next word. */
  readonly withValue: readonly string[];
  /** The options among them that take the path of a file or a folder. */
  readonly withPath: readonly string[];
  /** The options that may stand before a command. */
  readonly common: readonly string[];
}

/** `loredex help` takes the words of a command. */
const HELP = "help";

export function offersOf(commands: readonly Completable[]): Offers {
  const first = [...new Set(commands.map(({ words: [word = ""] }) => word)), HELP];
  const second = first.flatMap((word) => {
    const seconds = commands.flatMap(({ words: [one, two] }) => (one === word && two !== undefined ? [two] : []));
    return seconds.length === 0 ? [] : [[word, seconds] as const];
  });
  const all = commands.flatMap(({ options }) => Object.entries({ ...options, ...COMMON }));
  const flags = (keep: (option: Option) => boolean): string[] => [
    ...new Set(all.flatMap(([name, option]) => (keep(option) ? [flagOf(name)] : []))),
  ];
  return {
    first,
    second,
    commands: commands.map(offerOf),
    withValue: flags(({ kind }) => kind !== "switch"),
    withPath: flags(({ kind }) => kind === "path"),
    common: Object.keys(COMMON).map(flagOf),
  };
}

function offerOf(command: Completable): Offer {
  const { words, usage } = command;
  const options: Options = { ...command.options, ...commonOptions(command) };
  return {
    command: words.join(" "),
    options: Object.keys(options).map(flagOf),
    choices: Object.entries(options).flatMap(([name, option]) =>
      option.kind === "choice" ? [[flagOf(name), option.choices] as const] : [],
    ),
    takesFiles: FILE_ARGUMENTS.test(usage),
  };
}
