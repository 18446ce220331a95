import { type CopyProgress, copyStores, type Storage } from "@loredex/core";
import { namedPlace, refuseWithoutStore } from "../configuration/place.ts";
import { STORE_OPTIONS } from "../configuration/store-options.ts";
import { commandLog } from "../log/log-lines.ts";
import { openPlace } from "../operator/open-store.ts";
import type { Place } from "../place.ts";
import { stoppable } from "../terminal/interruption.ts";
import { Pace } from "../terminal/pace.ts";
import { Progress } from "../terminal/progress.ts";
import { counted, grouped, jsonLine } from "../terminal/terminal.ts";
import { type Command, text, UsageError } from "./command.ts";

export const copyCommand: Command = {
  usage: "copy --from DIR|URL --to DIR|URL",
  summary: "copy all bots with their keys from a directory or a database to another",
  more: `Nothing may write to the source meanwhile: stop its server, or all its nodes. The target is empty, or has what an earlier
copy from this source left when it was stopped: run it again, and what is whole there is not copied twice.
`,
  positionals: [0, 0],
  places: "--from and --to",
  options: {
    from: { kind: "path", value: "DIR|URL", help: "where all bots are", setting: false },
    to: { kind: "path", value: "DIR|URL", help: "where they go; a missing directory is made", setting: false },
  },
  examples: [
    "copy --from /srv/loredex --to postgres://loredex@db/loredex --store-password-file password",
    "copy --from postgres://loredex@db/loredex --to ./data",
  ],
  async run({ options, given, terminal, json, embedders }) {
    const [from, to] = [text(options, "from"), text(options, "to")];
    if (from === undefined || to === undefined)
      throw new UsageError("say with --from where all bots are, and with --to where they go");
    const places = [namedPlace(from, options), namedPlace(to, options)] as const;
    if (from === to) throw new UsageError("--from and --to are the same");
    if (places.every(({ kind }) => kind === "directory")) refuseWithoutStore(STORE_OPTIONS, given, "--from or --to");
    const progress = new Progress(terminal);
    const pace = new Pace();
    const onProgress = ({ bots, botsDone, records }: CopyProgress): void =>
      progress.update(
        `${grouped(botsDone)} of ${counted(bots, "bot", "bots")} copied, ${counted(records, "record", "records")}${pace.left(botsDone, bots)}`,
      );
    const atFirst = (): void => {
      progress.clear();
      terminal.err("Stopping; Ctrl-C again ends at once.\n");
    };
    const atEnd = (): void => terminal.err("Stopped. Run it again to copy the rest.\n");
    const report = await stoppable({ atFirst, atEnd }, (signal) =>
      between(places, commandLog(terminal), (source, target) =>
        copyStores(source, target, { onProgress, signal, embedders }),
      ),
    );
    progress.clear();
    if (json) terminal.out(jsonLine(report));
    else {
      const before = report.botsBefore === 0 ? "" : `, ${grouped(report.botsBefore)} of them before`;
      terminal.err(`${counted(report.bots, "bot is", "bots are")} copied${before}.\n`);
    }
    return 0;
  },
};

/** Opens two places for some work. */
async function between<Result>(
  [from, to]: readonly [Place, Place],
  logger: ReturnType<typeof commandLog>,
  work: (from: Storage, to: Storage) => Promise<Result>,
): Promise<Result> {
  const source = await openPlace(withoutChanges(from), "--from", logger);
  try {
    const target = await openPlace(to, undefined, logger);
    try {
      return await work(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The tables of a source are not made: a source without any has nothing to copy. */
function withoutChanges(place: Place): Place {
  return place.kind === "directory" ? place : { ...place, store: { ...place.store, migrate: false } };
}
