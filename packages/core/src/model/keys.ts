/** What the keys of a bot are to those who issue and send them. Their secrets stand nowhere here. */

/** The key that a bot is made with. It opens everything, and is meant where no name is said. */
export const DEFAULT_KEY = "default";

/** What a key opens: `all` of its bot's routes, or its `search` alone. */
export type KeyScope = "all" | "search";
export const KEY_SCOPES: readonly KeyScope[] = ["all", "search"];

/** What may be said of a key that is added. */
export interface KeyOptions {
  /** Default: `all`. */
  readonly scope?: KeyScope;
  /**
   * Most requests in any 60 seconds, of every kind: 1 to `KEY_REQUESTS_PER_MINUTE_MAX`. Counted by the process that answers them, from its start on.
   * Default: as many as come.
   */
  readonly requestsPerMinute?: number;
  /** Whose pages may use it in a browser, as `https://shop.example.com`: at most `KEY_ORIGINS_MAX`. Default: nobody's. */
  readonly origins?: readonly string[];
}

/** A key without its secret. */
export interface KeyInfo {
  readonly name: string;
  readonly scope: KeyScope;
  /** Absent where its requests are not counted. */
  readonly requestsPerMinute?: number;
  readonly origins: readonly string[];
}
