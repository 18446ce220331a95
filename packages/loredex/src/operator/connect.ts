import { setTimeout as wait } from "node:timers/promises";
import {
  type AdvisedBot,
  type EmbedderOffer,
  type FleetBot,
  findServerSocket,
  type GraphKind,
  inspectDirectory,
  inspectStorage,
  type Logger,
  LoredexError,
  type OpenInspection,
} from "@loredex/core";
import { Engine } from "../engine.ts";
import type { Place } from "../place.ts";
import { engineOperator } from "./engine-operator.ts";
import { openStore, requireDirectory } from "./open-store.ts";
import type { Inspector, Operator } from "./operator.ts";
import { salvageParts } from "./salvage-parts.ts";
import { isListening, socketOperator } from "./socket-operator.ts";

const PATIENCE_MS = 1_000;
const PAUSE_MS = 100;

export interface ConnectOptions {
  /** Whether to make a missing directory. */
  readonly create: boolean;
  readonly logger: Logger;
  /** Default: the embedders with this process's environment. */
  readonly embedders?: Readonly<Record<string, EmbedderOffer>>;
  /** As `EngineOptions.rerank`, if no server runs. */
  readonly rerank?: boolean;
  /** As `EngineOptions.graph`, if no server runs. */
  readonly graph?: GraphKind;
  /** The longest wait for a holder that takes no commands: a command that will soon be done, or a server that is starting. Default 1,000 milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Connects to the server that holds a data directory, if one is running, else opens the directory itself. A database is always opened, since several
 * programs may use it.
 * @throws LoredexError `DIRECTORY_IN_USE` if another program holds it and takes no commands, `WRONG_USER` if the directory is another user's
 */
export function connectOperator(place: Place, { create, patienceMs, ...options }: ConnectOptions): Promise<Operator> {
  return connect(place, patienceMs, async () => {
    const opened = { background: false, patient: true, ...options };
    if (place.kind === "directory" && !create) await requireDirectory(place.directory);
    const engine = await (place.kind === "directory"
      ? Engine.open({ directory: place.directory, ...opened })
      : Engine.open({ storage: await openStore(place.store, options.logger), ...opened }));
    return engineOperator(engine, { ownsEngine: true });
  });
}

/**
 * As {@link connectOperator}, for reading alone. Without a server it opens no engine, so it works on any damage.
 * @throws LoredexError as {@link connectOperator}
 */
export function connectInspector(place: Place, patienceMs?: number): Promise<Inspector> {
  return connect(place, patienceMs, async () => {
    const inspection = await inspected(place);
    return {
      verify: (bot) => inspection.verify(bot),
      salvage: (bot) => salvageParts(() => inspection.salvage(bot)),
      close: () => inspection.close(),
    };
  });
}

/**
 * The bots whose settings may be wrong, from a running server or from the data itself. Changes nothing.
 * @throws LoredexError as {@link connectOperator}
 */
export async function advisedBots(
  place: Place,
  embedders: Readonly<Record<string, EmbedderOffer>>,
): Promise<readonly AdvisedBot[]> {
  const way = await connect(place, 0, async () => {
    const inspection = await inspected(place);
    return { fleet: () => inspection.advised(embedders), close: () => inspection.close() };
  });
  try {
    const bots: readonly Pick<FleetBot, "id" | "name" | "advice">[] = await way.fleet();
    return bots.flatMap(({ id, name, advice }) => (advice === undefined ? [] : [{ id, name, advice }]));
  } finally {
    await way.close();
  }
}

/** Opens a place for reading alone. The tables of a database are never made here. */
async function inspected(place: Place): Promise<OpenInspection> {
  if (place.kind === "store") return inspectStorage(await openStore({ ...place.store, migrate: false }));
  await requireDirectory(place.directory);
  return inspectDirectory(place.directory);
}

async function connect<Way>(
  place: Place,
  patienceMs = PATIENCE_MS,
  openDirectly: () => Promise<Way>,
): Promise<Way | Operator> {
  if (place.kind === "store") return openDirectly();
  const { directory } = place;
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const socket = await findServerSocket(directory);
    if (socket !== undefined && (await isListening(socket))) return socketOperator(socket);
    try {
      return await openDirectly();
    } catch (error) {
      const isHeld = error instanceof LoredexError && error.code === "DIRECTORY_IN_USE";
      if (!isHeld || waitedMs >= patienceMs) throw error;
    }
    await wait(PAUSE_MS);
  }
}
