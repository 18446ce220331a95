import { type Bot, type EngineCondition, type KeyInfo, kinds } from "@loredex/core";

/** What the HTTP API needs of one bot. Its methods throw core's errors, and what a write returned is durable. */
export type ApiBot = Pick<
  Bot,
  | "searchRequest"
  | "createArticle"
  | "updateArticle"
  | "upsertArticle"
  | "previewArticle"
  | "deleteArticle"
  | "getArticle"
  | "articlePage"
>;

/** A key that has opened a bot. */
export interface ApiKey {
  /** The bot's id. */
  readonly id: string;
  /** The bot's name. */
  readonly name: string;
  readonly key: KeyInfo;
}

/** What the HTTP API needs of an engine; core's `Engine` is one. */
export interface ApiEngine {
  /** The bot that this key opens, or undefined for a missing, unknown or revoked key. Takes the same time for all of them. */
  authenticate(key: string | undefined): ApiKey | undefined;
  /** Counts a request with this key: 0 if its rate admits it, else milliseconds until it does. */
  admitRequest(key: ApiKey): number;
  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean;
  /** Opens the bot on its first use. */
  bot(id: string): Promise<ApiBot>;
  /** Whether anything can be written, and which bots have a fault, as far as it is known: at once. */
  condition(): EngineCondition;
}

export const AN_ENGINE: kinds.Kind<ApiEngine> = kinds.anObjectWith<ApiEngine>(
  "an engine",
  "authenticate",
  "admitRequest",
  "listsOrigin",
  "bot",
  "condition",
);
