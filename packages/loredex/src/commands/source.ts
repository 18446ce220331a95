import type { ArgumentReport, SourceArgument, SourceInfo } from "@loredex/core";
import { isLeft, moveSource, sourceNamed } from "@loredex/import";
import { importTarget } from "../operator/import-target.ts";
import { counted, grouped, jsonLine, oneLine, table } from "../terminal/terminal.ts";
import { type Command, flag, UsageError } from "./command.ts";

export const sourceList: Command = {
  usage: "source list BOT",
  summary: "what imported documents come from, and how many each source has",
  positionals: [1, 1],
  options: {},
  examples: ["source list acme"],
  async run({ positionals: [bot = ""], terminal, json, operator }) {
    const sources: ListedSource[] = [];
    for (const source of await (await operator()).listSources(bot)) sources.push(await listed(source));
    if (json) terminal.out(jsonLine(sources));
    else if (sources.length === 0) terminal.err("Nothing was imported from a source yet.\n");
    else
      terminal.out(table(["SOURCE", "DOCUMENTS", "KIND", "LAST IMPORT", "RESULT", "PLACE"], sources.flatMap(rowsOf)));
    return 0;
  },
};

interface ListedSource extends SourceInfo {
  readonly arguments: readonly (SourceArgument & { readonly gone?: true })[];
}

/** The source, with a mark on each argument that is missing from its place. */
async function listed(source: SourceInfo): Promise<ListedSource> {
  const marked: ListedSource["arguments"][number][] = [];
  for (const argument of source.arguments) {
    marked.push((await isLeft(argument)) ? { ...argument, gone: true } : argument);
  }
  return { ...source, arguments: marked };
}

/** The rows of a source: one for each argument. */
function rowsOf({ name, documents, arguments: brought, takenOverBy }: ListedSource): string[][] {
  const head = [name, grouped(documents)];
  const heir = takenOverBy === undefined ? "" : `taken over by ${takenOverBy}`;
  if (brought.length === 0) return [[...head, "", "", "", heir]];
  return brought.map(({ kind, path, importedAt = "not to its end yet", report, gone }, i) => {
    const last = [kind, importedAt, report === undefined ? "" : resultOf(report)];
    return [...(i === 0 ? head : ["", ""]), ...last, gone === true ? `${path} (gone)` : path];
  });
}

/** The outcome of an import, without zero counts. */
function resultOf({ added, changed, removed, failed, notes = [] }: ArgumentReport): string {
  const noted = notes.length;
  const parts = Object.entries({ added, changed, removed, failed, noted }).filter(([, count]) => count > 0);
  return parts.length === 0 ? "no changes" : parts.map(([what, count]) => `${grouped(count)} ${what}`).join(", ");
}

export const sourceMove: Command = {
  usage: "source move BOT SOURCE PATH",
  summary: "say that a source lies elsewhere now; its documents stay as they are",
  positionals: [3, 3],
  options: {},
  examples: ["source move acme ./handbook ./docs/handbook"],
  async run({ positionals: [bot = "", given = "", path = ""], terminal, json, operator }) {
    const moved = await moveSource(importTarget(await operator(), bot), given, path);
    if (json) terminal.out(jsonLine({ source: moved.source, path: moved.path }));
    else terminal.err(`${oneLine(moved.from)} is now ${oneLine(moved.source)}, at ${oneLine(moved.path)}.\n`);
    return 0;
  },
};

export const sourceRemove: Command = {
  usage: "source remove BOT SOURCE --yes",
  summary: "take a source out with all its documents",
  positionals: [2, 2],
  options: { yes: { kind: "switch", help: "needed, for its documents are gone then", setting: false } },
  examples: ["source remove acme ./handbook --yes"],
  async run({ positionals: [bot = "", given = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes")) throw new UsageError(`this removes all documents of ${given}: say --yes if you mean it`);
    const way = await operator();
    const { name } = sourceNamed(await way.listSources(bot), given);
    const documents = await way.removeSource(bot, name);
    if (json) terminal.out(jsonLine({ removed: name, documents }));
    else terminal.err(`${oneLine(name)} is removed, with ${counted(documents, "document", "documents")}.\n`);
    return 0;
  },
};
