/** Admin keys, sessions and the audit log, as the operator sees them. No type here holds the secret of a key. */

/** What an admin key may do: `write` changes bots, `read` only reads. */
export type AdminScope = "write" | "read";
export const ADMIN_SCOPES: readonly AdminScope[] = ["write", "read"];

/** Options of a new admin key. */
export interface AdminKeyOptions {
  /** Default: `write`. */
  readonly scope?: AdminScope;
  /** Ids or names of the only bots that it may see, at most `ADMIN_KEY_BOTS_MAX`; such a key creates none. Default: all bots. */
  readonly bots?: readonly string[];
}

/** The owner of an admin key: what it may do, and where. */
export interface AdminIdentity {
  /** The name of the key. */
  readonly name: string;
  readonly scope: AdminScope;
  /** Ids of the only bots that it may see; absent for all bots. */
  readonly bots?: readonly string[];
  /** The public part of the key, which changes when the key is rotated. */
  readonly keyId: string;
}

/** An admin key without its secret. */
export interface AdminKeyInfo extends Omit<AdminIdentity, "keyId"> {
  /** ISO 8601, UTC. A rotated key keeps it. */
  readonly createdAt: string;
}

/** A session in force. */
export interface AdminSession {
  readonly identity: AdminIdentity;
  /** What a change by this session has to send beside its cookie. It is derived from the token, so that every node knows it. */
  readonly csrfToken: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** A new session with its token, which is returned once and stored as a digest only. */
export interface NewAdminSession extends AdminSession {
  readonly token: string;
}

/** A change for the audit log. It never has content. */
export interface AdminChange {
  /** Name of the admin key, or the way by which the change came. What is longer than 200 characters is cut. */
  readonly by: string;
  /** What was done, as `article deleted`. What is longer than 200 characters is cut. */
  readonly action: string;
  /** Id of the bot; absent if the change was of none. */
  readonly bot?: string;
  /** Id or name of what was changed. What is longer than `ADMIN_CHANGE_TARGET_CHARACTERS_MAX` characters is cut. */
  readonly target?: string;
}

/** A change in the audit log. */
export interface NotedChange extends AdminChange {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Part of the audit log. */
export interface ChangesOptions {
  /** 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** Only changes before the page that gave this as `next`. Default: from the newest on. */
  readonly before?: number;
  /** Only changes of these bots, by their ids: at most 1,000. Default: of all bots, and of none. */
  readonly bots?: readonly string[];
}

/** A page of the audit log. */
export interface ChangesPage {
  /** Newest first. */
  readonly changes: readonly NotedChange[];
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number;
}

/** A try to sign in. */
export interface SignIn<Result> {
  /** 0 if the try was made. Otherwise the milliseconds until the address may try again: nothing was tried. */
  readonly waitMs: number;
  /** What the try resolved with. */
  readonly result?: Result;
}
