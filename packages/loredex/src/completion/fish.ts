import { COMMON } from "../configuration/common-options.ts";
import { flagOf, helpOf, type Option, type Options } from "../configuration/option.ts";
import type { Completable, Offers } from "./words.ts";

/** The completion script for fish: lines of `complete`. */
export function fishCompletion({ first, second, commands: offers }: Offers, commands: readonly Completable[]): string {
  const lines = [
    "# Completion of loredex for fish: loredex completion fish | source",
    "complete -c loredex -f",
    ...first.map((word) => {
      const about = commands.find(({ words }) => words.join(" ") === word)?.summary ?? "";
      return `complete -c loredex -n __fish_use_subcommand -a ${word}${described(about)}`;
    }),
    ...second.map(([word, seconds]) => {
      const isOpen = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${seconds.join(" ")}`;
      return `complete -c loredex -n ${quoted(isOpen)} -a ${quoted(seconds.join(" "))}`;
    }),
    ...optionLines(COMMON, undefined),
    ...commands.flatMap(({ words, options }, i) => {
      const when = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
      const files = offers[i]?.takesFiles === true ? [`complete -c loredex -n ${quoted(when)} -F`] : [];
      return [...files, ...optionLines(options, when)];
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function optionLines(options: Options, when: string | undefined): string[] {
  const condition = when === undefined ? "" : ` -n ${quoted(when)}`;
  return Object.entries(options).map(
    ([name, option]) =>
      `complete -c loredex${condition} -l ${flagOf(name).slice(2)}${argumentOf(option)}${described(helpOf(option))}`,
  );
}

function argumentOf(option: Option): string {
  if (option.kind === "switch") return "";
  if (option.kind === "path") return " -r -F";
  return option.kind === "choice" ? ` -x -a ${quoted(option.choices.join(" "))}` : " -x";
}

function described(about: string): string {
  return about === "" ? "" : ` -d ${quoted(about.replaceAll("\n", " "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
