import type { CatalogRecord, StoredKey, StoredNamedKey, StoredSettings } from "../model/records.ts";
import { settingsOfToday } from "./settings.ts";

/** One bot in the catalog. */
export interface CatalogEntry {
  readonly id: string;
  readonly settings: StoredSettings;
  readonly createdAtMs: number;
  /** The one that it was made with, or has instead. */
  readonly key?: StoredKey;
  /** Those that were added to it, in that order; absent where there is none. */
  readonly moreKeys?: readonly StoredNamedKey[];
  /** It has work that a start must take up again. */
  readonly unfinished?: true;
}

/** The sum of the catalog's log. */
export interface CatalogState {
  readonly bots: Map<string, CatalogEntry>;
  /** Bots that were removed: whatever is left of their stores goes at the next start. */
  readonly removed: Set<string>;
  sequence: number;
}

export function emptyCatalog(): CatalogState {
  return { bots: new Map(), removed: new Set(), sequence: 0 };
}

/** Record → state, live and in replay. */
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

/** One with a new secret keeps its place. */
function withNamedKey(entry: CatalogEntry, name: string, key: StoredNamedKey | undefined): CatalogEntry {
  const { moreKeys: before = [], ...rest } = entry;
  const at = before.findIndex((known) => known.name === name);
  const place = at === -1 ? before.length : at;
  const moreKeys = [...before.slice(0, place), ...(key === undefined ? [] : [key]), ...before.slice(place + 1)];
  return moreKeys.length === 0 ? rest : { ...rest, moreKeys };
}
