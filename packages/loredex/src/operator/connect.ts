import { stat } from "node:fs/promises";
import { Engine, type Logger, LoredexError } from "@loredex/core";
import { engineOperator } from "./engine-operator.ts";
import type { Operator } from "./operator.ts";
import { isListening, socketOperator } from "./socket-operator.ts";
import { findSocket } from "./socket-place.ts";

/**
 * The way to a data directory: to the server that holds it, if one is running, else to the directory itself.
 * @throws LoredexError `DIRECTORY_IN_USE` if another program holds it that takes no commands
 */
export async function connectOperator(
  directory: string,
  { create, logger }: { readonly create: boolean; readonly logger: Logger },
): Promise<Operator> {
  const socket = await findSocket(directory);
  if (socket !== undefined && (await isListening(socket))) return socketOperator(socket);
  if (!create && !(await exists(directory))) {
    throw new LoredexError(
      "STORAGE_FAILED",
      `There is no data directory ${directory}. Name it with --data DIR, or make one with "loredex bot create NAME".`,
    );
  }
  return engineOperator(await Engine.open({ directory, logger }), { ownsEngine: true });
}

async function exists(directory: string): Promise<boolean> {
  return stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
