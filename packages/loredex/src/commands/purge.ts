import { counted, jsonLine, oneLine, sized } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";

export const purgeCommand: Command = {
  usage: "purge BOT",
  summary: "make what was deleted or replaced really gone from the data directory",
  positionals: [1, 1],
  options: {},
  examples: ["purge acme"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    const { bot, files, bytes, foreign } = await (await operator()).purge(name);
    if (json) {
      terminal.out(jsonLine({ bot: bot.id, files, bytes, foreign }));
      return 0;
    }
    terminal.err(`Nothing that was deleted from ${oneLine(bot.name)} is in the data directory any more: `);
    terminal.err(`${counted(files, "file", "files")} with ${sized(bytes)} went.\n`);
    for (const file of foreign)
      terminal.err(`${oneLine(file)} in its directory is not Loredex's and was left alone.\n`);
    terminal.err("Backups, exports and other copies made before still have it: delete them, and make new ones.\n");
    return 0;
  },
};
