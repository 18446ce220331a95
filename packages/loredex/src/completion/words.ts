import { COMMON } from "../configuration/common-options.ts";
import { flagOf, type Option, type Options } from "../configuration/option.ts";

/** What completion knows of a command. */
export interface Completable {
  readonly words: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly options: Options;
}

/** The arguments that are files or folders, by what stands for them in the usage. */
const FILE_ARGUMENTS = /\b(?:PATH|FILE)\b/;

/** What a shell offers for one command. */
export interface Offer {
  readonly command: string;
  readonly options: readonly string[];
  /** What an option takes, where it is one of a few words. */
  readonly choices: readonly (readonly [option: string, choices: readonly string[]])[];
  readonly takesFiles: boolean;
}

export interface Offers {
  /** Words that may come first, and after which word which others. */
  readonly first: readonly string[];
  readonly second: readonly (readonly [first: string, seconds: readonly string[]])[];
  readonly commands: readonly Offer[];
  /** Options that take the next word, of all commands. */
  readonly withValue: readonly string[];
  /** Those of them that take the path of a file or a folder. */
  readonly withPath: readonly string[];
  /** Options that may come before a command. */
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

function offerOf({ words, usage, options: own }: Completable): Offer {
  const options: Options = { ...own, ...COMMON };
  return {
    command: words.join(" "),
    options: Object.keys(options).map(flagOf),
    choices: Object.entries(options).flatMap(([name, option]) =>
      option.kind === "choice" ? [[flagOf(name), option.choices] as const] : [],
    ),
    takesFiles: FILE_ARGUMENTS.test(usage),
  };
}
