import { QUALITIES, type SearchResult, TOP_K_MAX } from "@loredex/core";
import { bold, dim, jsonLine, oneLine, type Terminal, terminalSafe } from "../terminal.ts";
import { type Command, count, qualityOf, UsageError } from "./command.ts";

/** Fewer than the API's default: they should fit on a screen. */
const TOP_K_SHOWN = 5;

export const searchCommand: Command = {
  usage: "search BOT QUERY",
  summary: "what the API would answer, readable",
  positionals: [2, 2],
  options: { "top-k": { type: "string" }, quality: { type: "string" } },
  optionHelp: [
    ["--top-k N", `most documents, 1 to ${TOP_K_MAX} (default ${TOP_K_SHOWN})`],
    ["--quality Q", `who reads the question: ${QUALITIES.join(" or ")} (default: the bot's)`],
  ],
  async run({ positionals: [bot = "", query = ""], options, terminal, json, operator }) {
    const topK = count(options, "top-k") ?? TOP_K_SHOWN;
    if (topK < 1 || topK > TOP_K_MAX) throw new UsageError(`--top-k takes a number from 1 to ${TOP_K_MAX}`);
    const quality = qualityOf(options);
    const results = await (await operator()).search(bot, query, {
      topK,
      ...(quality === undefined ? {} : { quality }),
    });
    if (json) terminal.out(jsonLine(results));
    else if (results.length === 0) terminal.err("Nothing was found.\n");
    for (const result of json ? [] : results) terminal.out(describe(result, terminal));
    return 0;
  },
};

function describe(result: SearchResult, terminal: Terminal): string {
  const title = typeof result.metaData.title === "string" ? result.metaData.title : result.resourceDocId;
  const head = `${result.bestMatchScore.toFixed(3)}  ${bold(oneLine(title), terminal)}`;
  const kind = dim(`${result.type}  ${oneLine(result.url ?? result.resourceDocId)}`, terminal);
  const parts = result.similarTextParts.map(({ text, similarity, start, stop }) => {
    const lines = start === stop ? `line ${start}` : `lines ${start}-${stop}`;
    const quoted = terminalSafe(text)
      .split("\n")
      .map((line) => `       ${line}`);
    return `${dim(`  ${similarity.toFixed(3)}  ${lines}`, terminal)}\n${quoted.join("\n")}\n`;
  });
  return `${head}\n       ${kind}\n${parts.join("")}\n`;
}
