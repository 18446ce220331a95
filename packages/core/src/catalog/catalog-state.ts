import type { CatalogRecord, StoredKey, StoredNamedKey, StoredSettings } from "../model/records.ts";
import { settingsOfToday } from "./settings.ts";

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

/** The state of the catalog: all records of its log, applied in order. */
export interface CatalogState {
  readonly bots: Map<string, CatalogEntry>;
  /** Ids of removed bots. The next start deletes the rest of their stores. */
  readonly removed: Set<string>;
  sequence: number;
}

/** The state of a catalog with an empty log. */
export function emptyCatalog(): CatalogState {
  return { bots: new Map(), removed: new Set(), sequence: 0 };
}

/** Applies a record to the state. The same code serves new writes and replay. */
export function applyCatalog(state: CatalogState, record: CatalogRecord, sequence: number): void {
  state.sequence = sequence;
  const known = state.bots.get(record.id);
  switch (record.kind) {
    case "botCreate":
    case "botCreateWithKeys": {
      const { id, createdAtMs, key, unfinished } = record;
      const settings = settingsOfToday(record.settings);
      const work = unfinished === true ? { unfinished } : {};
      const moreKeys = record.kind === "botCreate" ? {} : { moreKeys: record.moreKeys };
      state.bots.set(id, { id, settings, createdAtMs, ...(key === undefined ? {} : { key }), ...moreKeys, ...work });
      // A bot that was removed may have been restored from a backup.
      state.removed.delete(id);
      return;
    }
    case "botSet":
      if (known !== undefined) state.bots.set(record.id, { ...known, settings: settingsOfToday(record.settings) });
      return;
    case "botRemove":
      state.bots.delete(record.id);
      state.removed.add(record.id);
      return;
    case "botWork": {
      if (known === undefined) return;
      const { unfinished: _, ...rest } = known;
      state.bots.set(record.id, record.unfinished ? { ...rest, unfinished: true } : rest);
      return;
    }
    case "keySet": {
      if (known === undefined) return;
      const { key: _, ...rest } = known;
      state.bots.set(record.id, record.key === undefined ? rest : { ...rest, key: record.key });
      return;
    }
    case "namedKeySet":
      if (known !== undefined) state.bots.set(record.id, withNamedKey(known, record.name, record.key));
      return;
    default:
      record satisfies never;
  }
}

/** Sets a named key, or removes it if `key` is undefined. A key with a new secret keeps its place. */
function withNamedKey(entry: CatalogEntry, name: string, key: StoredNamedKey | undefined): CatalogEntry {
  const { moreKeys: before = [], ...rest } = entry;
  const at = before.findIndex((known) => known.name === name);
  const place = at === -1 ? before.length : at;
  const moreKeys = [...before.slice(0, place), ...(key === undefined ? [] : [key]), ...before.slice(place + 1)];
  return moreKeys.length === 0 ? rest : { ...rest, moreKeys };
}
