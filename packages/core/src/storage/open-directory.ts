import { A_LOGGER, A_TEXT, optional } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import { carefulLogger } from "../platform/careful-logger.ts";
import type { Logger } from "../platform/log-event.ts";
import { systemRandom } from "../platform/system.ts";
import { openStorage } from "./open-storage.ts";
import type { Storage } from "./store.ts";

/**
 * Opens the storage of a data directory without an engine, as `copyStores` needs it. Makes a missing directory. Locks it until it is closed.
 * @throws LoredexError `DIRECTORY_IN_USE`, `WRONG_USER`, `UNSUPPORTED_FORMAT`, `STORAGE_FAILED`
 */
export async function openDirectory(directory: string, logger?: Logger): Promise<Storage> {
  requireArguments("openDirectory", { directory, logger }, { directory: A_TEXT, logger: optional(A_LOGGER) });
  return openStorage(directory, systemRandom, carefulLogger(logger));
}
