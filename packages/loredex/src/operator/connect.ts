import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  type AdvisedBot,
  type EmbedderOffer,
  type FleetBot,
  findServerSocket,
  type GraphKind,
  inspectDirectory,
  type Logger,
  LoredexError,
} from "@loredex/core";
import { Engine } from "../engine.ts";
import { engineOperator } from "./engine-operator.ts";
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
 * Connects to the server that holds a data directory, if one is running, else opens the directory itself.
 * @throws LoredexError `DIRECTORY_IN_USE` if another program holds it and takes no commands, `WRONG_USER` if the directory is another user's
 */
export function connectOperator(
  directory: string,
  { create, patienceMs, ...options }: ConnectOptions,
): Promise<Operator> {
  return connect(directory, patienceMs, async () => {
    if (!create) await requireDirectory(directory);
    const engine = await Engine.open({ directory, background: false, patient: true, ...options });
    return engineOperator(engine, { ownsEngine: true });
  });
}

/**
 * As {@link connectOperator}, for reading alone. Without a server it opens no engine, so it works on any damage.
 * @throws LoredexError as {@link connectOperator}
 */
export function connectInspector(directory: string, patienceMs?: number): Promise<Inspector> {
  return connect(directory, patienceMs, async () => {
    await requireDirectory(directory);
    const inspection = await inspectDirectory(directory);
    return {
      verify: (bot) => inspection.verify(bot),
      salvage: (bot) => salvageParts(() => inspection.salvage(bot)),
      close: () => inspection.close(),
    };
  });
}

/**
 * The bots whose settings may be wrong, from a running server or from the directory itself. Changes nothing.
 * @throws LoredexError as {@link connectOperator}
 */
export async function advisedBots(
  directory: string,
  embedders: Readonly<Record<string, EmbedderOffer>>,
): Promise<readonly AdvisedBot[]> {
  const way = await connect(directory, 0, async () => {
    const inspection = await inspectDirectory(directory);
    return { fleet: () => inspection.advised(embedders), close: () => inspection.close() };
  });
  try {
    const bots: readonly Pick<FleetBot, "id" | "name" | "advice">[] = await way.fleet();
    return bots.flatMap(({ id, name, advice }) => (advice === undefined ? [] : [{ id, name, advice }]));
  } finally {
    await way.close();
  }
}

async function connect<Way>(
  directory: string,
  patienceMs = PATIENCE_MS,
  openDirectly: () => Promise<Way>,
): Promise<Way | Operator> {
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

async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const problem =
    found === undefined ? `There is no data directory ${directory}.` : `${directory} is a file, not a directory.`;
  const remedy = 'Name one with --data DIR, or make one with "loredex bot create NAME".';
  throw new LoredexError("STORAGE_FAILED", `${problem} ${remedy}`);
}
