import { migrateStore } from "../operator/open-store.ts";
import { jsonLine } from "../terminal/terminal.ts";
import { type Command, UsageError } from "./command.ts";

export const storeMigrate: Command = {
  usage: "store migrate",
  summary: "make or change the tables of the database, for nodes with --no-migrate; nodes may run meanwhile",
  positionals: [0, 0],
  options: {},
  examples: ["store migrate --store postgres://owner@db/loredex"],
  async run({ terminal, json, place }) {
    if (place.kind === "directory")
      throw new UsageError("say with --store URL which database: a directory has no tables");
    const version = await migrateStore(place.store);
    if (json) terminal.out(jsonLine({ schemaVersion: version }));
    else terminal.err(`The tables have version ${version}.\n`);
    return 0;
  },
};
