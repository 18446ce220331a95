import type { ApiBot } from "../engine.ts";
import type { JsonRecord } from "../json.ts";

/** A request whose key has opened a bot. */
export interface BotRequest {
  readonly bot: ApiBot;
  /** The path's parameters, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The query string as it was sent. */
  readonly query: string;
  /** Reads the body as a JSON object. Its failures are the answers 413, 415 and 400. */
  readonly json: () => Promise<JsonRecord>;
  /** How long a search may take, in milliseconds. */
  readonly searchMs: number;
}
