import { stat } from "node:fs/promises";
import { findServerSocket, LoredexError, type SourceInfo } from "@loredex/core";
import { type SyncedSource, type WatchSourcesOptions, watchSources } from "@loredex/import";
import type { Option } from "../configuration/option.ts";
import { importTarget } from "../operator/import-target.ts";
import { isListening, isServerGone } from "../operator/socket-operator.ts";
import type { Place } from "../place.ts";
import { untilTold } from "../terminal/interruption.ts";
import { jsonLine, oneLine } from "../terminal/terminal.ts";
import { type Invocation, number } from "./command.ts";
import { summary } from "./import-summary.ts";

/** The option for how often a watch fetches addresses. */
export const EVERY: Option = {
  kind: "duration",
  value: "TIME",
  help: "with --watch: how often addresses are fetched again",
  default: "1h",
  setting: true,
};

/**
 * Requires a running server of a directory. Without one, a watch would hold it as long as it runs, and no other program could use it. A database is held by
 * nobody.
 * @throws LoredexError
 */
export async function requireServer(place: Place): Promise<void> {
  if (place.kind === "store") return;
  const { directory } = place;
  const socket = (await stat(directory).catch(() => undefined)) && (await findServerSocket(directory));
  if (socket !== undefined && (await isListening(socket))) return;
  const message = `--watch works beside a running server, and none runs on ${directory}: start one with "loredex serve --data ${directory}".`;
  throw new LoredexError("DIRECTORY_IN_USE", message);
}

/** The watched sources; all if none is named. */
type Watched = Pick<WatchSourcesOptions, "sources" | "justBrought">;

/**
 * Keeps sources of a bot in step until the process is told to end.
 * @throws LoredexError `SOURCE_NOT_FOUND` if none of the named sources can be watched
 */
export async function watched(invocation: Invocation, bot: string, which: Watched = {}): Promise<number> {
  const { terminal, json, options } = invocation;
  const addressMs = number(options, "every");
  const target = importTarget(await invocation.operator(), bot);
  const server = new WatchedServer((line) => terminal.err(`${line}\n`));
  const listSources = async (): Promise<SourceInfo[]> => {
    const sources = await target.listSources();
    server.isThere();
    return sources;
  };
  await untilTold((signal) =>
    watchSources(
      { ...target, listSources },
      {
        botName: bot,
        signal,
        ...which,
        ...(addressMs === undefined ? {} : { addressMs }),
        onWatching: () => terminal.err("Watching; Ctrl-C ends it.\n"),
        onSynced: (synced) => {
          if (json) terminal.out(jsonLine(synced));
          else terminal.err(told(synced));
        },
        onProblem: ({ place, message }) => terminal.err(`${oneLine(place)}: ${oneLine(message)}\n`),
        onTrouble: (error) => {
          const reason = error instanceof Error ? error.message : String(error);
          if (server.isAway(error)) return;
          terminal.err(`${oneLine(reason)} The watch continues.\n`);
        },
      },
    ),
  );
  terminal.err("Stopped watching; what was brought stays.\n");
  return 0;
}

/** Reports once that the server has stopped, however often it is asked meanwhile, and once that it is back. */
export class WatchedServer {
  readonly #tell: (line: string) => void;
  #isAway = false;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** Whether the error means that the server is gone. */
  isAway(trouble: unknown): boolean {
    if (!isServerGone(trouble)) return false;
    if (!this.#isAway) this.#tell("The server has stopped. The watch waits until it runs again.");
    this.#isAway = true;
    return true;
  }

  isThere(): void {
    if (this.#isAway) this.#tell("The server runs again, and the watch with it.");
    this.#isAway = false;
  }
}

/** The outcome of a source, in lines. */
export function told({ source, report, why = "" }: SyncedSource): string {
  const name = oneLine(source);
  if (report === undefined) return `${name}: left as it was: ${oneLine(why)}\n`;
  return [`${name}: ${summary(report, true)}`, ...report.notes.map(oneLine)].map((line) => `${line}\n`).join("");
}
