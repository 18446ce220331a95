/** The records of the logs. Each states one fact that has happened. What a kind does is in `log/record-kinds.ts`, `catalog/catalog-records.ts` and `administration/admin-records.ts`. */

import type { AdminScope } from "./administration.ts";
import type { KeyScope } from "./keys.ts";
import type { ArgumentPlace, ArgumentReport, DocumentOrigin } from "./sources.ts";
import type { ActiveOn, BotSettings, DocumentStatus, Metadata, StoredDocument } from "./types.ts";
import type { Vocabulary } from "./vocabulary-types.ts";

/** An article as the log and the snapshot store it. */
export interface ArticleFields {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly metadata: Metadata;
  readonly source?: string;
  readonly activeOn: readonly ActiveOn[];
  /** Wall clock, milliseconds since the epoch. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly characterCount: number;
}

/** Characters that a write added to the rate window. */
export interface Charge {
  readonly characters: number;
  /** The window clock, milliseconds. */
  readonly atMs: number;
}

/** Digests of a create with an idempotency key, by which a repeated one is recognised. */
export interface CreateKey {
  /** Digest of the key. */
  readonly key: string;
  /** Digest of the request's body. */
  readonly body: string;
}

/** A record of a bot's log. */
export type BotRecord =
  /** An article was created or updated: the whole new version, its charge, and the key of its create if it had one. */
  | {
      readonly kind: "articlePut";
      readonly article: ArticleFields;
      readonly charge: Charge;
      readonly create?: CreateKey;
    }
  | { readonly kind: "articleDelete"; readonly id: string }
  /** A document without a source. In records older than origins: a document of this source. */
  | {
      readonly kind: "documentPut";
      readonly document: StoredDocument;
      readonly contentHash: string;
      readonly source?: string;
      readonly updatedAtMs?: number;
    }
  | {
      readonly kind: "documentBrought";
      readonly document: StoredDocument;
      readonly contentHash: string;
      readonly origin: DocumentOrigin;
      /** Wall clock of the write, milliseconds since the epoch. Absent in records older than the times of documents. */
      readonly updatedAtMs?: number;
    }
  /** The same content was imported from another origin. */
  | { readonly kind: "documentOrigin"; readonly id: string; readonly origin: DocumentOrigin }
  | {
      readonly kind: "documentStatus";
      readonly id: string;
      readonly status: DocumentStatus;
      readonly updatedAtMs?: number;
    }
  | { readonly kind: "documentDelete"; readonly id: string }
  /** An argument of a source is new, has another path, or was imported completely. */
  | {
      readonly kind: "sourceArgument";
      readonly source: string;
      readonly argument: ArgumentPlace;
      /** Wall clock at which it was imported completely, milliseconds since the epoch. */
      readonly importedAtMs?: number;
      /** The result of that import. */
      readonly report?: ArgumentReport;
      /** The source whose documents this one takes over, if no other source does yet. */
      readonly takesOver?: string;
    }
  /** The source got another name, and this argument another place. */
  | {
      readonly kind: "sourceMove";
      readonly source: string;
      readonly to: string;
      readonly argument: ArgumentPlace;
    }
  /** The source was removed, if it has no documents. */
  | { readonly kind: "sourceRemove"; readonly source: string }
  | { readonly kind: "agentPut"; readonly name: string; readonly active: boolean }
  | { readonly kind: "agentDelete"; readonly name: string }
  | { readonly kind: "channelPut"; readonly name: string; readonly active: boolean }
  | { readonly kind: "channelDelete"; readonly name: string }
  /** The bot's vocabulary, the whole of it. */
  | { readonly kind: "vocabularySet"; readonly vocabulary: Vocabulary }
  /** Vectors of one version of a document, by one embedder. The record's binary part holds their codes in order. */
  | {
      readonly kind: "vectors";
      /** Article id or resourceDocId. */
      readonly id: string;
      /** Sequence number of the record that wrote the version. */
      readonly version: number;
      readonly space: VectorSpace;
      /** Version of the rules that cut a document into embedded texts; see `EMBEDDED_TEXTS_VERSION`. */
      readonly texts: number;
      readonly encoding: "int8";
      /** Index of the first vector's text among the document's texts. A long document has several records. */
      readonly first: number;
      readonly count: number;
    };

/** The records of one kind, of a bot's log or of the catalog's. */
export type RecordOf<Kind extends (BotRecord | CatalogRecord)["kind"]> = Extract<
  BotRecord | CatalogRecord,
  { readonly kind: Kind }
>;

/** The space of the vectors of one version of one embedder. Only vectors of the same space can be compared. */
export interface VectorSpace {
  /** Id of the embedder. */
  readonly id: string;
  readonly version: string;
  readonly dimensions: number;
}

/** Whether vectors of two spaces can be compared. */
export function sameSpace(a: VectorSpace, b: VectorSpace): boolean {
  return a.id === b.id && a.version === b.version && a.dimensions === b.dimensions;
}

/** A record of the catalog's log. */
export type CatalogRecord =
  | CreationRecord
  | { readonly kind: "botSet"; readonly id: string; readonly settings: StoredSettings }
  | { readonly kind: "botRemove"; readonly id: string }
  /** Whether the bot has passages without vectors, which a start must embed. */
  | { readonly kind: "botWork"; readonly id: string; readonly unfinished: boolean }
  /** Sets the bot's default key. Without `key` the bot has none. */
  | { readonly kind: "keySet"; readonly id: string; readonly key?: StoredKey }
  /** Sets the bot's key of this name. Without `key` it is removed. */
  | { readonly kind: "namedKeySet"; readonly id: string; readonly name: string; readonly key?: StoredNamedKey };

/**
 * Settings as the catalog stores them. A bot that is older than the byte limits lacks them until its next opening.
 * A bot whose imports have no limit has no `importBytes`. Settings of the question log that are the defaults are absent.
 */
export type StoredSettings = Omit<BotSettings, OptionalSetting> & Partial<Pick<BotSettings, OptionalSetting>>;
/** A setting that a stored bot may lack. */
export type OptionalSetting =
  | "quotaBytes"
  | "rateBytesPerMinute"
  | "importBytes"
  | "questionLog"
  | "questionLogDays"
  | "gapScore";

/** The creation of a bot. With more keys than the default one it has its own kind, so that older versions refuse it instead of ignoring the keys. */
export type CreationRecord =
  | (BotCreation & { readonly kind: "botCreate" })
  | (BotCreation & { readonly kind: "botCreateWithKeys"; readonly moreKeys: readonly StoredNamedKey[] });

interface BotCreation {
  readonly id: string;
  readonly settings: StoredSettings;
  readonly createdAtMs: number;
  readonly key?: StoredKey;
  /** A restored bot may lack vectors. */
  readonly unfinished?: true;
}

/** A key as it is stored, without its secret. */
export interface StoredKey {
  /** The part of the key that identifies it. */
  readonly publicId: string;
  /** SHA-256 of the whole key, hex. */
  readonly sha256: string;
}

/** An added key of a bot, as it is stored. */
export interface StoredNamedKey extends StoredKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly requestsPerMinute?: number;
  /** Absent if there is none. */
  readonly origins?: readonly string[];
}

/** A record of the log of admin keys, sessions and changes. */
export type AdminRecord =
  /** Sets the admin key of this name, and ends its sessions. Without `key` it is revoked. */
  | { readonly kind: "adminKeySet"; readonly name: string; readonly key?: StoredAdminKey }
  /** Begins a session, and drops those that have expired by then. */
  | { readonly kind: "sessionOpen"; readonly session: StoredSession; readonly openedAtMs: number }
  | { readonly kind: "sessionClose"; readonly sha256: string }
  | { readonly kind: "changeNote"; readonly change: StoredChange }
  /** A wrong key or code from an address. */
  | { readonly kind: "signInFail"; readonly address: string; readonly atMs: number };

/** An admin key, as it is stored. */
export interface StoredAdminKey extends StoredKey {
  readonly name: string;
  readonly scope: AdminScope;
  /** Ids of the only bots that it may see; absent for all bots. */
  readonly bots?: readonly string[];
  readonly createdAtMs: number;
}

/** A session, as it is stored. */
export interface StoredSession {
  /** SHA-256 of its token, hex. */
  readonly sha256: string;
  /** The name of its key, and the public id of that: a rotated key ends it. */
  readonly key: string;
  readonly keyId: string;
  readonly expiresAtMs: number;
}

/** A line of the audit log, as it is stored. */
export interface StoredChange {
  readonly atMs: number;
  readonly by: string;
  readonly action: string;
  readonly bot?: string;
  readonly target?: string;
}
