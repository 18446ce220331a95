import { type Bot, type EngineCondition, type Insights, type KeyInfo, kinds } from "@loredex/core";

/** The methods of a bot that the HTTP API needs. They throw core's errors, and a returned write is durable. */
export type ApiBot = Pick<
  Bot,
  | "answerRequest"
  | "queryRequest"
  | "suggestRequest"
  | "createArticle"
  | "updateArticle"
  | "upsertArticle"
  | "previewArticle"
  | "deleteArticle"
  | "getArticle"
  | "articlePage"
  | "usage"
>;

/** A key that has opened a bot. */
export interface ApiKey {
  /** The bot's id. */
  readonly id: string;
  /** The bot's name. */
  readonly name: string;
  readonly key: KeyInfo;
}

/** The methods of an engine that the HTTP API needs; core's `Engine` has them. */
export interface ApiEngine {
  /** The bot that this key opens, or undefined for a missing, unknown or revoked key. Takes the same time for all of them. */
  authenticate(key: string | undefined): ApiKey | undefined;
  /**
   * Counts a request with this key, and returns 0 if its rate admits it. Otherwise returns the milliseconds until it does.
   * Returns a promise if the count is kept elsewhere, for several nodes.
   */
  admitRequest(key: ApiKey): number | Promise<number>;
  /** Applies the changes of bots and keys that other nodes have made. Resolves at once if there are no others. @throws LoredexError `UNREACHABLE` */
  catchUp(): Promise<void>;
  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean;
  /** Opens the bot on its first use. */
  bot(id: string): Promise<ApiBot>;
  /** What the users of a bot ask: takes their feedback. */
  insights(id: string): Promise<Pick<Insights, "feedback">>;
  /** Whether anything can be written, and which bots have a fault, as far as it is known. Answers at once. */
  condition(): EngineCondition;
}

export const AN_ENGINE: kinds.Kind<ApiEngine> = kinds.anObjectWith<ApiEngine>(
  "an engine",
  "authenticate",
  "admitRequest",
  "catchUp",
  "listsOrigin",
  "bot",
  "insights",
  "condition",
);
