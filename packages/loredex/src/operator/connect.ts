import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Engine, type Logger, LoredexError } from "@loredex/core";
import { engineOperator } from "./engine-operator.ts";
import type { Operator } from "./operator.ts";
import { isListening, socketOperator } from "./socket-operator.ts";
import { findSocket } from "./socket-place.ts";

/** A holder without a socket may be another command that is done in a moment, or a server that is just starting. */
const ATTEMPTS = 10;
const PAUSE_MS = 100;

/**
 * The way to a data directory: to the server that holds it, if one is running, else to the directory itself.
 * @throws LoredexError `DIRECTORY_IN_USE` if another program holds it and takes no commands
 */
export async function connectOperator(
  directory: string,
  { create, logger }: { readonly create: boolean; readonly logger: Logger },
): Promise<Operator> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = await findSocket(directory);
    if (socket !== undefined && (await isListening(socket))) return socketOperator(socket);
    if (!create) await requireDirectory(directory);
    try {
      return engineOperator(await Engine.open({ directory, logger }), { ownsEngine: true });
    } catch (error) {
      const isHeld = error instanceof LoredexError && error.code === "DIRECTORY_IN_USE";
      if (!isHeld || attempt === ATTEMPTS) throw error;
    }
    await wait(PAUSE_MS);
  }
}

async function requireDirectory(directory: string): Promise<void> {
  const isThere = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere) return;
  throw new LoredexError(
    "STORAGE_FAILED",
    `There is no data directory ${directory}. Name it with --data DIR, or make one with "loredex bot create NAME".`,
  );
}
