import { isId } from "../articles/identifier.ts";
import { jsonSection, type RecordedKind, readJsonSection } from "../log/recorded-kind.ts";
import type { CatalogRecord } from "../model/records.ts";
import type { Clock } from "../platform/clock.ts";
import type { LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { applyCatalog, decodeCatalogRecord, makesBot } from "./catalog-records.ts";
import { type CatalogEntry, type CatalogState, emptyCatalog } from "./catalog-state.ts";
import { storedNamedKey } from "./key-shape.ts";
import { settingsOfToday } from "./settings.ts";
import { CATALOG_STORE } from "./store-names.ts";

const SECTION = "bots";
const VERSION = 1;
/** Version of a catalog in which a bot has added keys. A Loredex that does not know these keys would drop them. */
const VERSION_WITH_MORE_KEYS = 2;

/** The catalog as a recorded state. */
export const CATALOG: RecordedKind<CatalogState, CatalogRecord> = {
  store: CATALOG_STORE,
  name: "catalog",
  isRequired: true,
  empty: emptyCatalog,
  decode: decodeCatalogRecord,
  apply: applyCatalog,
  check: (state, { id }) => checkEntry(state.bots.get(id)),
  frees: (record) => !makesBot(record),
  sections: catalogSections,
  load: loadSnapshot,
};

/** Parts of the state that a snapshot holds, sets and maps as lists. The sequence number is the snapshot's own. A part that is not written or read does not compile. */
type Parts = { readonly [Part in Exclude<keyof CatalogState, "sequence">]: StoredOf<CatalogState[Part]> };
type StoredOf<Part> = Part extends Map<string, infer Item> | Set<infer Item> ? readonly Item[] : Part;
/** As an earlier version may have written it, without some parts. */
type Earlier<All, Lacking extends keyof All> = Omit<All, Lacking> & Partial<Pick<All, Lacking>>;

function catalogSections(state: CatalogState, clock: Clock): SnapshotSection[] {
  // An entry is replaced and never changed, so that a list of them is a copy.
  const { removed, removedAt } = state;
  const parts: Parts = { bots: [...state.bots.values()], removed: [...removed], removedAt };
  const version = parts.bots.some(({ moreKeys }) => moreKeys !== undefined) ? VERSION_WITH_MORE_KEYS : VERSION;
  return [jsonSection(SECTION, version, parts, clock)];
}

/** Checks an entry, so that later code can rely on its fields. @throws TypeError, RangeError */
function checkEntry(entry: CatalogEntry | undefined): void {
  if (entry === undefined) return;
  const { name, language, embedder } = entry.settings;
  const isWhole = [name, language, embedder].every((text) => typeof text === "string");
  if (!isId(entry.id) || !isWhole) throw new TypeError("a bot has no id, name, language or embedder");
  // Throws for an invalid time.
  new Date(entry.createdAtMs).toISOString();
  for (const key of entry.moreKeys ?? []) storedNamedKey(key);
}

function loadSnapshot(state: CatalogState, snapshot: LoadedSnapshot): void {
  const { sequence } = snapshot;
  // Boundary: this version of the format wrote it. Earlier snapshots do not tell when the last bot was removed.
  const stored = readJsonSection(CATALOG.name, snapshot, SECTION, [VERSION, VERSION_WITH_MORE_KEYS]);
  const { bots, removed, removedAt } = stored as Earlier<Parts, "removedAt">;
  const load: { readonly [Part in keyof Parts]: () => void } = {
    bots: () => {
      for (const entry of bots) {
        checkEntry(entry);
        state.bots.set(entry.id, { ...entry, settings: settingsOfToday(entry.settings) });
      }
    },
    removed: () => {
      for (const id of removed) state.removed.add(id);
    },
    removedAt: () => {
      state.removedAt = removedAt ?? (removed.length > 0 ? sequence : 0);
    },
  };
  for (const loadPart of Object.values(load)) loadPart();
  state.sequence = sequence;
}
