import type { SearchResult, TextPart } from "@loredex/core";
import { bold, dim, jsonLine, oneLine, type Terminal, terminalSafe } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";
import { placesOf } from "./places.ts";
import { SHOWING, searchOptions, searchOptionsWith, tellUnknownValues } from "./search-options.ts";
import { tellMissingReader } from "./unfinished.ts";

/** The default of `--top-k`, lower than the API's: the results should fit on a screen. */
const TOP_K_SHOWN = 5;

export const searchCommand: Command = {
  usage: "search BOT QUERY",
  summary: "what the API would answer, readable",
  positionals: [2, 2],
  options: { ...searchOptionsWith({ help: "most documents", default: TOP_K_SHOWN, setting: true }), ...SHOWING },
  examples: ['search acme "when do I get my money back?" --top-k 1', "search acme refunds --context section"],
  async run({ positionals: [bot = "", query = ""], options, terminal, json, operator }) {
    const wanted = searchOptions(options, TOP_K_SHOWN);
    tellUnknownValues(wanted, terminal);
    const way = await operator();
    const results = await way.search(bot, query, wanted);
    await tellMissingReader(way, bot, wanted, terminal);
    if (json) terminal.out(jsonLine(results));
    else if (results.length === 0) terminal.err("Nothing was found.\n");
    if (json || results.length === 0) return 0;
    const sources = await way.listSources(bot);
    for (const result of results) terminal.out(describe(result, placesOf(result, sources), terminal));
    return 0;
  },
};

function describe(result: SearchResult, places: readonly string[], terminal: Terminal): string {
  const title = typeof result.metaData.title === "string" ? result.metaData.title : result.resourceDocId;
  const head = `${result.bestMatchScore.toFixed(3)}  ${bold(oneLine(title), terminal)}`;
  const status = result.status === "active" ? "" : `  ${result.status}`;
  const kind = dim(`${result.type}${status}  ${oneLine(result.url ?? result.resourceDocId)}`, terminal);
  const parts = result.similarTextParts.map(
    (part, i) =>
      `${dim(`  ${part.similarity.toFixed(3)}  ${oneLine(places[i] ?? "")}`, terminal)}\n${describePart(part, terminal)}`,
  );
  return `${head}\n       ${kind}\n${parts.join("")}\n`;
}

/** The text of a part. With a context: the headings above it, and the lines around it, of which those of the part have a mark. */
function describePart({ text, start, stop, context }: TextPart, terminal: Terminal): string {
  if (context === undefined) return linesOf(text, () => false);
  const { headings } = context;
  const path = headings.length === 0 ? "" : `       ${dim(oneLine(headings.join(" > ")), terminal)}\n`;
  return path + linesOf(context.text, (i) => context.start + i >= start && context.start + i <= stop);
}

function linesOf(text: string, isMarked: (i: number) => boolean): string {
  const lines = terminalSafe(text).split("\n");
  return lines.map((line, i) => `     ${isMarked(i) ? ">" : " "} ${line}\n`).join("");
}
