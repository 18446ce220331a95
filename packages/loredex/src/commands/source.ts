import { LoredexError, type SourceInfo } from "@loredex/core";
import { movedPlace, sourceNamed } from "../import/moved-place.ts";
import { targetOf } from "../import/target.ts";
import { grouped, jsonLine, oneLine, table } from "../terminal.ts";
import { type Command, flag, UsageError } from "./command.ts";

export const sourceList: Command = {
  usage: "source list BOT",
  summary: "what imported documents come from, and how many each source has",
  positionals: [1, 1],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = ""], terminal, json, operator }) {
    const sources = await (await operator()).listSources(bot);
    if (json) terminal.out(jsonLine(sources));
    else if (sources.length === 0) terminal.err("Nothing was imported from a source yet.\n");
    else terminal.out(table(["SOURCE", "DOCUMENTS", "KIND", "LAST IMPORT", "PLACE"], sources.flatMap(rowsOf)));
    return 0;
  },
};

/** A line for each argument. */
function rowsOf({ name, documents, arguments: brought, takenOverBy }: SourceInfo): string[][] {
  const head = [name, grouped(documents)];
  const heir = takenOverBy === undefined ? "" : `taken over by ${takenOverBy}`;
  if (brought.length === 0) return [[...head, "", "", heir]];
  return brought.map(({ kind, path, importedAt = "broken off" }, i) => {
    return [...(i === 0 ? head : ["", ""]), kind, importedAt, path];
  });
}

export const sourceMove: Command = {
  usage: "source move BOT SOURCE PATH",
  summary: "say that a source lies elsewhere now; its documents stay as they are",
  positionals: [3, 3],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = "", given = "", path = ""], terminal, json, operator }) {
    const way = await operator();
    const source = sourceNamed(await way.listSources(bot), given);
    const target = await targetOf(path).catch((cause: unknown) => {
      throw new LoredexError("VALIDATION", `There is no file or folder ${path} that can be read.`, { cause });
    });
    const { to, place } = movedPlace(source, target);
    await way.moveSource(bot, source.name, to, place);
    if (json) terminal.out(jsonLine({ source: to, path: place.path }));
    else terminal.err(`${oneLine(source.name)} is now ${oneLine(to)}, at ${oneLine(place.path)}.\n`);
    return 0;
  },
};

export const sourceRemove: Command = {
  usage: "source remove BOT SOURCE --yes",
  summary: "take a source out with all its documents",
  positionals: [2, 2],
  options: { yes: { type: "boolean" } },
  optionHelp: [["--yes", "needed, for its documents are gone then"]],
  async run({ positionals: [bot = "", given = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes")) throw new UsageError(`this removes all documents of ${given}: say --yes if you mean it`);
    const way = await operator();
    const { name } = sourceNamed(await way.listSources(bot), given);
    const documents = await way.removeSource(bot, name);
    if (json) terminal.out(jsonLine({ removed: name, documents }));
    else terminal.err(`${oneLine(name)} is removed, with ${grouped(documents)} documents.\n`);
    return 0;
  },
};
