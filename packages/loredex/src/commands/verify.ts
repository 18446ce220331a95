import type { VerifiedStore } from "@loredex/core";
import { connectInspector } from "../operator/connect.ts";
import type { Place } from "../place.ts";
import { grouped, jsonLine, oneLine, sized, table } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";
import { problemLine } from "./problem-line.ts";

export const verifyCommand: Command = {
  usage: "verify [BOT]",
  summary: "read every file of one bot, or of everything, and compare it with its checksums",
  positionals: [0, 1],
  options: {},
  examples: ["verify", "verify acme --json"],
  async run({ positionals: [bot], terminal, json, place }) {
    const inspector = await connectInspector(place);
    try {
      const report = await inspector.verify(bot);
      if (json) terminal.out(jsonLine(report));
      else {
        terminal.out(table(["BOT", "STORE", "", "FILES", "SIZE", "RECORDS"], report.stores.map(row)));
        for (const store of report.stores) for (const line of remarks(store, place)) terminal.err(line);
      }
      return report.isWhole ? 0 : 1;
    } finally {
      await inspector.close();
    }
  },
};

function row({ bot, store, problems, files, bytes, records }: VerifiedStore): string[] {
  const counts = [grouped(files), sized(bytes), grouped(records)];
  return [bot?.name ?? "", store, problems.length === 0 ? "whole" : "DAMAGED", ...counts];
}

function* remarks({ store, bot, problems, tornBytes }: VerifiedStore, { kind }: Place): Generator<string> {
  for (const problem of problems) yield problemLine(problem);
  const named = bot === undefined ? store : `${oneLine(bot.name)} (${store})`;
  if (problems.some(({ isDerived }) => isDerived !== true)) {
    const what = bot === undefined ? "" : `: see "loredex restore" and "loredex salvage ${oneLine(bot.id)} --to FILE"`;
    yield `${named} is damaged; keep a copy of ${kind === "store" ? "the database" : "its directory"} before anything else${what}\n`;
  } else if (problems.length > 0) {
    yield `${named} has all that it knows, and is opened; what was damaged is whole again when later writes have taken its place, or after "loredex purge". Look at the disk\n`;
  } else if (tornBytes > 0) {
    yield `${named} ends in ${sized(tornBytes)} of a write that was never acknowledged; the next start sets them aside\n`;
  }
}
