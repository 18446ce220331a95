import { CorruptError, LoredexError } from "../domain/errors.ts";
import type { LogEvent } from "../runtime/log-event.ts";

/**
 * What to tell the operator of a bot whose store cannot be used; undefined for an error that may pass by itself.
 * Such a bot stays refused until the engine is opened again: reading all of it once more for every request helps nobody.
 */
export function quarantineEvent(botId: string, error: unknown): LogEvent | undefined {
  if (!(error instanceof LoredexError)) return undefined;
  if (error.code !== "CORRUPT" && error.code !== "UNSUPPORTED_FORMAT") return undefined;
  const place = error instanceof CorruptError ? error.place : {};
  const message = `The bot is refused until it is repaired and the server is started again; the others go on. ${error.message}`;
  return { level: "error", event: "botQuarantined", message, botId, ...place };
}
