import { counted, jsonLine, oneLine, sized } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";

export const purgeCommand: Command = {
  usage: "purge BOT",
  summary: "make what was deleted or replaced really gone from the data directory",
  positionals: [1, 1],
  options: {},
  examples: ["purge acme"],
  async run({ positionals: [name = ""], terminal, json, operator, place }) {
    const { bot, files, bytes, foreign } = await (await operator()).purge(name);
    if (json) {
      terminal.out(jsonLine({ bot: bot.id, files, bytes, foreign }));
      return 0;
    }
    terminal.err(
      `Nothing that was deleted from ${oneLine(bot.name)} is in ${place.kind === "store" ? "the tables" : "the data directory"} any more: `,
    );
    const parts = place.kind === "store" ? counted(files, "part", "parts") : counted(files, "file", "files");
    terminal.err(`${parts} with ${sized(bytes)} went.\n`);
    if (place.kind === "store")
      terminal.err("The server still has the rows until VACUUM, in its log of writes and in its backups.\n");
    for (const file of foreign)
      terminal.err(`${oneLine(file)} in its directory is not Loredex's and was left alone.\n`);
    terminal.err("Backups, exports and other copies made before still have it: delete them, and make new ones.\n");
    return 0;
  },
};
