/** A database, and how it is used. */
export interface StoreChoice {
  /** It may hold a password, and is never shown. */
  readonly url: string;
  readonly connections: number;
  readonly timeoutMs: number;
  readonly migrate: boolean;
  readonly passwordFile?: string;
  /** Copies on the disk of a node that serves. Other programs read a bot once. */
  readonly cacheDirectory?: string;
  readonly cacheBytes?: number;
}

/** Where the data is. */
export type Place =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "store"; readonly store: StoreChoice };
