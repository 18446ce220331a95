import type { FacetValue, QueryAnswer, QueryOptions, SearchOptions, SearchResult, TextPart } from "@loredex/core";
import { GROUP_SIZE_DEFAULT, GROUP_SIZE_MAX } from "@loredex/core";
import type { Options } from "../configuration/option.ts";
import { bold, dim, jsonLine, oneLine, type Terminal, table, terminalSafe } from "../terminal/terminal.ts";
import { type Command, count, list, type OptionValues, text } from "./command.ts";
import { placesOf } from "./places.ts";
import { SHOWING, searchOptions, searchOptionsWith, tellUnknownValues } from "./search-options.ts";
import { tellMissingReader } from "./unfinished.ts";

/** The default of `--top-k`, lower than the API's: the results should fit on a screen. */
const TOP_K_SHOWN = 5;

/** With one of these the command asks a query, and shows more than the documents. */
const COUNTING = {
  facet: {
    kind: "text",
    value: "FIELD",
    many: true,
    help: "also count the values of a field over all documents found, as in metaData.team; may be given again",
    setting: false,
  },
  "group-by": {
    kind: "text",
    value: "FIELD",
    help: "show the best documents in groups, by the value of a field",
    setting: false,
  },
  "group-size": {
    kind: "count",
    value: "N",
    min: 1,
    max: GROUP_SIZE_MAX,
    help: `most documents of a group, 1 to ${GROUP_SIZE_MAX}`,
    default: GROUP_SIZE_DEFAULT,
    setting: false,
  },
} as const satisfies Options;

/** The options of a query; undefined for a search. */
function countingOptions(options: OptionValues): Pick<QueryOptions, "facets" | "groupBy" | "groupSize"> | undefined {
  const facets = list(options, "facet") ?? [];
  const [groupBy, groupSize] = [text(options, "group-by"), count(options, "group-size")];
  if (facets.length === 0 && groupBy === undefined && groupSize === undefined) return undefined;
  return {
    ...(facets.length === 0 ? {} : { facets }),
    ...(groupBy === undefined ? {} : { groupBy }),
    ...(groupSize === undefined ? {} : { groupSize }),
  };
}

export const searchCommand: Command = {
  usage: "search BOT QUERY",
  summary: "what the API would answer, readable",
  positionals: [2, 2],
  options: {
    ...searchOptionsWith({ help: "most documents", default: TOP_K_SHOWN, setting: true }),
    ...SHOWING,
    ...COUNTING,
  },
  examples: [
    'search acme "when do I get my money back?" --top-k 1',
    "search acme refunds --context section",
    "search acme refunds --filter status=active --facet metaData.team",
  ],
  async run({ positionals: [bot = "", query = ""], options, terminal, json, operator }) {
    const wanted = searchOptions(options, TOP_K_SHOWN);
    tellUnknownValues(wanted, terminal);
    const way = await operator();
    const counting = countingOptions(options);
    const answer =
      counting === undefined
        ? { results: await way.search(bot, query, wanted) }
        : await way.query(bot, query, { ...wanted, ...counting });
    const { results, groups } = answer;
    await tellMissingReader(way, bot, wanted, terminal);
    if (json) terminal.out(jsonLine(counting === undefined ? results : answer));
    else if (results.length === 0) terminal.err(`${nothing(wanted)}\n`);
    if (json) return 0;
    const sources = results.length === 0 ? [] : await way.listSources(bot);
    const show = (each: SearchResult): void => terminal.out(describe(each, placesOf(each, sources), terminal));
    if (groups === undefined) results.forEach(show);
    for (const { value, results: own } of groups ?? []) {
      terminal.out(`${bold(value === null ? "(no value)" : oneLine(String(value)), terminal)}\n\n`);
      own.forEach(show);
    }
    if (counting !== undefined) terminal.out(describeCounts(answer));
    return 0;
  },
};

/** Why no document is shown. */
function nothing({ offset = 0, minScore = 0 }: SearchOptions): string {
  if (minScore > 0) return `Nothing was found with a score of ${minScore} or more.`;
  return offset > 0 ? `Nothing was found beyond the first ${offset} documents.` : "Nothing was found.";
}

/** The facets of an answer as tables, and the number of documents found. */
function describeCounts({ total, facets = {} }: QueryAnswer): string {
  const rowOf = ({ value, count }: FacetValue): readonly string[] => [oneLine(String(value)), String(count)];
  const tables = Object.entries(facets).map(([name, values]) => table([oneLine(name), "COUNT"], values.map(rowOf)));
  const found = total === undefined ? [] : [`${total} document${total === 1 ? "" : "s"} found.\n`];
  return [...tables, ...found].join("\n");
}

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
