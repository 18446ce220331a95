/** The keys of a bot, as operators and clients see them. No type here holds a secret. */

/** The name of the key that a bot is created with. It opens all routes, and is the default where no key is named. */
export const DEFAULT_KEY = "default";

/** The routes that a key opens: `all` of its bot, or `search` alone. */
export type KeyScope = "all" | "search";
export const KEY_SCOPES: readonly KeyScope[] = ["all", "search"];

/** Options of an added key. */
export interface KeyOptions {
  /** Default: `all`. */
  readonly scope?: KeyScope;
  /**
   * Most requests of every kind in any 60 seconds: 1 to `KEY_REQUESTS_PER_MINUTE_MAX`. The answering process counts them, from its start on.
   * Default: no limit.
   */
  readonly requestsPerMinute?: number;
  /** Origins of pages that may use the key in a browser, as `https://shop.example.com`: at most `KEY_ORIGINS_MAX`. Default: none. */
  readonly origins?: readonly string[];
}

/** A key without its secret. */
export interface KeyInfo {
  readonly name: string;
  readonly scope: KeyScope;
  /** Absent if its requests are not counted. */
  readonly requestsPerMinute?: number;
  readonly origins: readonly string[];
}
