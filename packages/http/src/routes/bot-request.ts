import type { ApiBot, ApiKey } from "../engine.ts";
import type { JsonRecord } from "../json.ts";
import type { Reply } from "../reply.ts";

/** A request whose key has opened a bot. */
export interface BotRequest {
  readonly bot: ApiBot;
  /** The bot as its key knows it. */
  readonly opened: ApiKey;
  /** The path's parameters, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The query string as it was sent. */
  readonly query: string;
  /** A header's value by its lower-case name; several with commas between them. */
  readonly header: (name: string) => string | undefined;
  /** Reads the body as a JSON object. Its failures are the answers 408, 413, 415 and 400, and 503 where it does not get its turn. */
  readonly json: () => Promise<JsonRecord>;
  /** How long a search or a preview may take, from the end of its body, in milliseconds. */
  readonly searchMs: number;
  /** How long the request has waited for its turn, in milliseconds; known once its body has been read. */
  readonly waitedMs: () => number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** What is answered to an error of a part of the request; a fault is logged. */
  readonly refusalOf: (error: unknown) => Reply;
}
