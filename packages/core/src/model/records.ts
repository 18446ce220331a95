/** What the logs say. Every record is one fact that has happened; `apply.ts` turns it into state. */

import type { KeyScope } from "./keys.ts";
import type { ArgumentPlace, ArgumentReport, DocumentOrigin } from "./sources.ts";
import type { ActiveOn, BotSettings, DocumentStatus, Metadata, StoredDocument } from "./types.ts";

/** An article as the log and the snapshot keep it. */
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

/** What is kept of a create that came with an idempotency key: digests, so that it is known again. */
export interface CreateKey {
  /** Of the key. */
  readonly key: string;
  /** Of what was to be created. */
  readonly body: string;
}

/** A record of a bot's log. */
export type BotRecord =
  /** An article was created or updated: the whole new version, what it was charged, and the key of its create if it had one. */
  | {
      readonly kind: "articlePut";
      readonly article: ArticleFields;
      readonly charge: Charge;
      readonly create?: CreateKey;
    }
  | { readonly kind: "articleDelete"; readonly id: string }
  /** A document that no source brought, or, as it was written before origins were, one of this source. */
  | {
      readonly kind: "documentPut";
      readonly document: StoredDocument;
      readonly contentHash: string;
      readonly source?: string;
    }
  | {
      readonly kind: "documentBrought";
      readonly document: StoredDocument;
      readonly contentHash: string;
      readonly origin: DocumentOrigin;
    }
  /** The same content has come from elsewhere. */
  | { readonly kind: "documentOrigin"; readonly id: string; readonly origin: DocumentOrigin }
  | { readonly kind: "documentStatus"; readonly id: string; readonly status: DocumentStatus }
  | { readonly kind: "documentDelete"; readonly id: string }
  /** An argument of a source, new or found elsewhere or imported to its end. */
  | {
      readonly kind: "sourceArgument";
      readonly source: string;
      readonly argument: ArgumentPlace;
      /** Wall clock: it was imported to its end. */
      readonly importedAtMs?: number;
      /** What came of that. */
      readonly report?: ArgumentReport;
      /** The source whose documents this one takes over, if nobody does yet. */
      readonly takesOver?: string;
    }
  /** The source has another name, and this argument another place. */
  | {
      readonly kind: "sourceMove";
      readonly source: string;
      readonly to: string;
      readonly argument: ArgumentPlace;
    }
  /** The source is gone, if it has no documents. */
  | { readonly kind: "sourceRemove"; readonly source: string }
  | { readonly kind: "agentPut"; readonly name: string; readonly active: boolean }
  | { readonly kind: "agentDelete"; readonly name: string }
  | { readonly kind: "channelPut"; readonly name: string; readonly active: boolean }
  | { readonly kind: "channelDelete"; readonly name: string }
  /** Vectors of one version of a document, by one embedder; the binary part holds their codes, one after the other. */
  | {
      readonly kind: "vectors";
      /** Article id or resourceDocId. */
      readonly id: string;
      /** Sequence number of the record that brought the version. */
      readonly version: number;
      readonly space: VectorSpace;
      /** Number of the rules by which a document becomes texts; see `EMBEDDED_TEXTS_VERSION`. */
      readonly texts: number;
      readonly encoding: "int8";
      /** Where in the document's texts the first of them belongs: those of a long document come in several records. */
      readonly first: number;
      readonly count: number;
    };

/** Where vectors can be compared: what one version of one embedder makes. */
export interface VectorSpace {
  /** Of the embedder. */
  readonly id: string;
  readonly version: string;
  readonly dimensions: number;
}

export function sameSpace(a: VectorSpace, b: VectorSpace): boolean {
  return a.id === b.id && a.version === b.version && a.dimensions === b.dimensions;
}

/** A record of the catalog's log. */
export type CatalogRecord =
  | CreationRecord
  | { readonly kind: "botSet"; readonly id: string; readonly settings: StoredSettings }
  | { readonly kind: "botRemove"; readonly id: string }
  /** Whether the bot has work that a start must take up again: passages without their vectors. */
  | { readonly kind: "botWork"; readonly id: string; readonly unfinished: boolean }
  /** The bot's key from now on; without one, none. */
  | { readonly kind: "keySet"; readonly id: string; readonly key?: StoredKey }
  /** The key that was added to the bot under this name, from now on; without one, none. */
  | { readonly kind: "namedKeySet"; readonly id: string; readonly name: string; readonly key?: StoredNamedKey };

/**
 * Settings as the catalog keeps them. A bot that was made before there were limits in bytes lacks theirs until its next opening. One whose imports are
 * not bounded has no `importBytes`.
 */
export type StoredSettings = Omit<BotSettings, ByteSetting> & Partial<Pick<BotSettings, ByteSetting>>;
type ByteSetting = "quotaBytes" | "rateBytesPerMinute" | "importBytes";

/** A bot begins. One with more keys than its first has a kind of its own, so that no version passes over them that does not know them. */
export type CreationRecord =
  | (BotCreation & { readonly kind: "botCreate" })
  | (BotCreation & { readonly kind: "botCreateWithKeys"; readonly moreKeys: readonly StoredNamedKey[] });

interface BotCreation {
  readonly id: string;
  readonly settings: StoredSettings;
  readonly createdAtMs: number;
  readonly key?: StoredKey;
  /** A restored bot may have vectors to be made. */
  readonly unfinished?: true;
}

/** A key as it is kept: never the secret. */
export interface StoredKey {
  /** The part of the key by which it is looked up. */
  readonly publicId: string;
  /** SHA-256 of the whole key, hex. */
  readonly sha256: string;
}

/** One that was added to a bot, as it is kept. */
export interface StoredNamedKey extends StoredKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly requestsPerMinute?: number;
  /** Absent where there is none. */
  readonly origins?: readonly string[];
}
