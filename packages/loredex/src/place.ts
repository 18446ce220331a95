/** A database, and how it is used. */
export interface StoreChoice {
  /** It may hold a password, and is never shown. */
  readonly url: string;
  readonly connections: number;
  readonly timeoutMs: number;
  readonly migrate: boolean;
  readonly passwordFile?: string;
}

/** Where the data is. */
export type Place =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "store"; readonly store: StoreChoice };
