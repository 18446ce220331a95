import type { StoredKey, StoredNamedKey, StoredSettings } from "../model/records.ts";

/** One bot in the catalog. */
export interface CatalogEntry {
  readonly id: string;
  readonly settings: StoredSettings;
  readonly createdAtMs: number;
  /** The key that the bot was created with, or the one that replaced it; absent if it was revoked. */
  readonly key?: StoredKey;
  /** The keys that were added to the bot, in that order; absent if there are none. */
  readonly moreKeys?: readonly StoredNamedKey[];
  /** The bot has work that a start must take up again. */
  readonly unfinished?: true;
}

/** Every field of a type; undefined for one that is absent. Code that makes such an object does not compile if it leaves a field out. */
export type EveryField<Type> = { readonly [Field in keyof Required<Type>]: Type[Field] };

/** The entry that has these fields. */
export function entryOf({ key, moreKeys, unfinished, ...always }: EveryField<CatalogEntry>): CatalogEntry {
  return {
    ...always,
    ...(key === undefined ? {} : { key }),
    ...(moreKeys === undefined ? {} : { moreKeys }),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

/** The state of the catalog: all records of its log, applied in order. */
export interface CatalogState {
  readonly bots: Map<string, CatalogEntry>;
  /** Ids of removed bots. The next start deletes the rest of their stores. */
  readonly removed: Set<string>;
  /** Record of the last removal of a bot. What is stored of before may still have its name. 0 if there was none. */
  removedAt: number;
  sequence: number;
}

/** The state of a catalog with an empty log. */
export function emptyCatalog(): CatalogState {
  return { bots: new Map(), removed: new Set(), removedAt: 0, sequence: 0 };
}
