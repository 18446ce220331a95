import { decodeRecord } from "../log/record-codec.ts";
import type { CatalogRecord, RecordOf, StoredNamedKey } from "../model/records.ts";
import { type CatalogEntry, type CatalogState, entryOf } from "./catalog-state.ts";
import { settingsOfToday } from "./settings.ts";

/** All that depends on the kind of a catalog's record. */
interface CatalogRecordKind<Kinds extends CatalogRecord> {
  /** Whether the record creates a bot. A full disk takes all other records for longer. */
  readonly makesBot: boolean;
  /** Turns the record into state, both after a write and in replay. `known` is the bot's entry before it. */
  readonly apply: (state: CatalogState, record: Kinds, known: CatalogEntry | undefined) => void;
}

/** The table of all kinds of the catalog's records. A kind that lacks a part does not compile. */
export const CATALOG_RECORD_KINDS: {
  readonly [Kind in CatalogRecord["kind"]]: CatalogRecordKind<RecordOf<Kind>>;
} = {
  botCreate: { makesBot: true, apply: (state, record) => create(state, record) },
  botCreateWithKeys: {
    makesBot: true,
    apply: (state, record) => create(state, record, record.moreKeys),
  },
  botSet: {
    makesBot: false,
    apply: (state, { id, settings }, known) => {
      if (known !== undefined) state.bots.set(id, { ...known, settings: settingsOfToday(settings) });
    },
  },
  botRemove: {
    makesBot: false,
    apply: (state, { id }) => {
      state.bots.delete(id);
      state.removedAt = state.sequence;
      state.removed.add(id);
    },
  },
  botWork: {
    makesBot: false,
    apply: (state, record, known) => {
      if (known === undefined) return;
      const { unfinished: _, ...rest } = known;
      state.bots.set(record.id, record.unfinished ? { ...rest, unfinished: true } : rest);
    },
  },
  keySet: {
    makesBot: false,
    apply: (state, record, known) => {
      if (known === undefined) return;
      const { key: _, ...rest } = known;
      state.bots.set(record.id, record.key === undefined ? rest : { ...rest, key: record.key });
    },
  },
  namedKeySet: {
    makesBot: false,
    apply: (state, { id, name, key }, known) => {
      if (known !== undefined) state.bots.set(id, withNamedKey(known, name, key));
    },
  },
};

/** Applies a record to the state. The same code serves new writes and replay. */
export function applyCatalog(state: CatalogState, record: CatalogRecord, sequence: number): void {
  state.sequence = sequence;
  kindOf(record).apply(state, record, state.bots.get(record.id));
}

/** Whether a record creates a bot. */
export function makesBot(record: CatalogRecord): boolean {
  return kindOf(record).makesBot;
}

/** Decodes a record of the catalog's log. @throws LoredexError `CORRUPT` for invalid bytes, `UNSUPPORTED_FORMAT` for an unknown kind */
export function decodeCatalogRecord(sequence: number, bytes: Uint8Array): CatalogRecord {
  // Boundary: the frame's checksum has been verified and the kind is known, so these are the bytes that were written.
  return decodeRecord(sequence, bytes, CATALOG_RECORD_KINDS).json as CatalogRecord;
}

function kindOf(record: CatalogRecord): CatalogRecordKind<CatalogRecord> {
  // The row takes records of its own kind, and the record names the row. TypeScript cannot relate the two.
  return CATALOG_RECORD_KINDS[record.kind] as CatalogRecordKind<CatalogRecord>;
}

function create(
  state: CatalogState,
  { id, createdAtMs, key, unfinished, settings }: RecordOf<"botCreate" | "botCreateWithKeys">,
  moreKeys?: readonly StoredNamedKey[],
): void {
  state.bots.set(id, entryOf({ id, settings: settingsOfToday(settings), createdAtMs, key, moreKeys, unfinished }));
  // A bot that was removed may have been restored from a backup.
  state.removed.delete(id);
}

/** Sets a named key, or removes it if `key` is undefined. A key with a new secret keeps its place. */
function withNamedKey(entry: CatalogEntry, name: string, key: StoredNamedKey | undefined): CatalogEntry {
  const { moreKeys: before = [], ...rest } = entry;
  const at = before.findIndex((known) => known.name === name);
  const place = at === -1 ? before.length : at;
  const moreKeys = [...before.slice(0, place), ...(key === undefined ? [] : [key]), ...before.slice(place + 1)];
  return moreKeys.length === 0 ? rest : { ...rest, moreKeys };
}
