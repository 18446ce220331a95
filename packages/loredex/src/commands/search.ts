import type { SearchResult } from "@loredex/core";
import { bold, dim, oneLine, type Terminal, terminalSafe } from "../terminal.ts";
import { type Command, count } from "./command.ts";

export const searchCommand: Command = {
  usage: "search BOT QUERY",
  summary: "what the API would answer, readable",
  positionals: [2, 2],
  options: { "top-k": { type: "string" } },
  optionHelp: [["--top-k N", "most documents (default 5)"]],
  async run({ positionals: [bot = "", query = ""], options, terminal, json, operator }) {
    const results = await (await operator()).search(bot, query, { topK: count(options, "top-k") ?? 5 });
    if (json) terminal.out(`${JSON.stringify(results)}\n`);
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
