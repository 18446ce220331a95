import { SUGGEST_LIMIT_DEFAULT, SUGGEST_LIMIT_MAX } from "@loredex/core";
import { jsonLine, table } from "../terminal/terminal.ts";
import { type Command, count } from "./command.ts";

export const suggestCommand: Command = {
  usage: "suggest BOT PREFIX",
  summary: "titles, questions and headings that continue what is typed into a search box",
  positionals: [2, 2],
  options: {
    limit: {
      kind: "count",
      value: "N",
      min: 1,
      max: SUGGEST_LIMIT_MAX,
      help: `most suggestions, 1 to ${SUGGEST_LIMIT_MAX}`,
      default: SUGGEST_LIMIT_DEFAULT,
      setting: false,
    },
  },
  examples: ['suggest acme "refund po"'],
  async run({ positionals: [bot = "", prefix = ""], options, terminal, json, operator }) {
    const limit = count(options, "limit");
    const suggestions = await (await operator()).suggest(bot, prefix, limit === undefined ? {} : { limit });
    if (json) terminal.out(jsonLine(suggestions));
    else if (suggestions.length === 0) terminal.err("No text continues that.\n");
    else {
      const rows = suggestions.map(({ text, kind, resourceDocId }) => [text, kind, resourceDocId]);
      terminal.out(table(["TEXT", "KIND", "ID"], rows));
    }
    return 0;
  },
};
