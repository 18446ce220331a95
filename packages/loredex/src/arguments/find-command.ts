import { COMMANDS, wordsOf } from "../commands/all.ts";
import type { Command } from "../commands/command.ts";
import { COMMON } from "../configuration/common-options.ts";
import type { Option, Options } from "../configuration/option.ts";

/** A command line, parsed as far as the command's words. */
export interface Called {
  /** Undefined if no command has these words. */
  readonly command: Command | undefined;
  readonly words: readonly string[];
  /** The remaining arguments, in order: common options before the words, and everything after the words. */
  readonly rest: readonly string[];
  /** An option before the words that is not an option of every command. */
  readonly early?: string;
}

const common: Options = COMMON;

/** Finds the command. Options of every command may stand before and between its words. */
export function findCommand(argv: readonly string[]): Called {
  const words: string[] = [];
  const before: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? "";
    if (argument.startsWith("-")) {
      const option = commonOption(argument);
      if (option === undefined)
        return { command: undefined, words, rest: [...before, ...argv.slice(i)], early: argument };
      const takesNext = option.kind !== "switch" && !argument.includes("=");
      before.push(...argv.slice(i, takesNext ? i + 2 : i + 1));
      if (takesNext) i++;
      continue;
    }
    words.push(argument);
    const command = COMMANDS.find((known) => wordsOf(known).join(" ") === words.join(" "));
    const after = argv.slice(i + 1);
    if (command !== undefined) return { command, words, rest: [...before, ...after] };
    const goesOn = COMMANDS.some((known) =>
      wordsOf(known)
        .join(" ")
        .startsWith(`${words.join(" ")} `),
    );
    if (!goesOn) return { command: undefined, words, rest: [...before, ...after] };
  }
  return { command: undefined, words, rest: before };
}

function commonOption(argument: string): Option | undefined {
  if (argument === "-h") return common.help;
  if (!argument.startsWith("--")) return undefined;
  const [name = ""] = argument.slice(2).split("=");
  return Object.hasOwn(common, name) ? common[name] : undefined;
}
