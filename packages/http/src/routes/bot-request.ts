import type { ApiBot, ApiKey } from "../engine.ts";
import type { JsonRecord } from "../json.ts";
import type { Reply } from "../reply.ts";

/** A request whose key has opened a bot. */
export interface BotRequest {
  readonly bot: ApiBot;
  /** Keeps feedback on a search of the bot. */
  readonly feedback: (input: unknown) => Promise<void>;
  /** The `x-request-id` of the answer. */
  readonly requestId: string;
  /** The bot and the key that opened it. */
  readonly opened: ApiKey;
  /** The path's parameters, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The query string as it was sent. */
  readonly query: string;
  /** A header's value by its lower-case name. Several values are joined by commas. */
  readonly header: (name: string) => string | undefined;
  /** Reads the body as a JSON object. Its failures are answered with 408, 413, 415 and 400, and with 503 if the request gets no place in time. */
  readonly json: () => Promise<JsonRecord>;
  /** The request's deadline: the longest time of a search or a preview, or of the tries of a write, from the end of its body, in milliseconds. */
  readonly searchMs: number;
  /** The time that the request has waited for its place, in milliseconds; known once its body has been read. */
  readonly waitedMs: () => number;
  /** Aborted when the client does not wait for the answer any more. */
  readonly signal: AbortSignal;
  /** The answer to an error of one part of the request. A fault is logged. */
  readonly refusalOf: (error: unknown) => Reply;
}

/** What the routes of articles and usage need of a request. The admin API has it too. */
export type ArticleRequest = Omit<BotRequest, "feedback" | "requestId">;
