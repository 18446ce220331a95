import { isId } from "../articles/identifier.ts";
import { understanding } from "../log/unreadable.ts";
import { LoredexError } from "../model/errors.ts";
import type { Clock } from "../platform/clock.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";
import type { LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { applyCatalog, decodeCatalogRecord } from "./catalog-records.ts";
import type { CatalogEntry, CatalogState } from "./catalog-state.ts";
import { storedNamedKey } from "./key-shape.ts";
import { settingsOfToday } from "./settings.ts";

const SECTION = "bots";
const VERSION = 1;
/** Version of a catalog in which a bot has added keys. A Loredex that does not know these keys would drop them. */
const VERSION_WITH_MORE_KEYS = 2;
/** Bots of one piece of the section. */
const PIECE_BOTS = 256;

/** Parts of the state that a snapshot holds, sets and maps as lists. The sequence number is the snapshot's own. A part that is not written or read does not compile. */
type Parts = { readonly [Part in Exclude<keyof CatalogState, "sequence">]: StoredOf<CatalogState[Part]> };
type StoredOf<Part> = Part extends Map<string, infer Item> | Set<infer Item> ? readonly Item[] : Part;
/** As an earlier version may have written it, without some parts. */
type Earlier<All, Lacking extends keyof All> = Omit<All, Lacking> & Partial<Pick<All, Lacking>>;

/** The catalog as it is at the call. It is encoded in time slices as the section is read: changes continue meanwhile. */
export function catalogSections(state: CatalogState, clock: Clock): SnapshotSection[] {
  // An entry is replaced and never changed, so that a list of them is a copy.
  const { removed, removedAt } = state;
  const parts: Parts = { bots: [...state.bots.values()], removed: [...removed], removedAt };
  const version = parts.bots.some(({ moreKeys }) => moreKeys !== undefined) ? VERSION_WITH_MORE_KEYS : VERSION;
  return [{ name: SECTION, version, chunks: encoded(parts, new TimeSlices(clock)) }];
}

async function* encoded({ bots, ...others }: Parts, slices: TimeSlices): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder();
  yield text.encode('{"bots":[');
  for (let first = 0; first < bots.length; first += PIECE_BOTS) {
    const piece = bots.slice(first, first + PIECE_BOTS).map((bot) => JSON.stringify(bot));
    yield text.encode(`${first === 0 ? "" : ","}${piece.join(",")}`);
    await slices.yieldIfOver();
  }
  yield text.encode(`],${JSON.stringify(others).slice(1)}`);
}

/** Recovers the catalog from a snapshot and records into `state`, which must be empty. */
export function recoverCatalog(state: CatalogState): {
  snapshot(snapshot: LoadedSnapshot): void;
  record(sequence: number, payload: Uint8Array): void;
} {
  return {
    snapshot: (snapshot) => understanding("The catalog's snapshot", () => loadSnapshot(state, snapshot)),
    record: (sequence, payload) => {
      const record = decodeCatalogRecord(sequence, payload);
      understanding(`Record ${sequence} of the catalog`, () => {
        applyCatalog(state, record, sequence);
        checkEntry(state.bots.get(record.id));
      });
    },
  };
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

function loadSnapshot(state: CatalogState, { sequence, sections }: LoadedSnapshot): void {
  const section = sections.get(SECTION);
  if (section === undefined || (section.version !== VERSION && section.version !== VERSION_WITH_MORE_KEYS)) {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      "The catalog was written by a newer version of Loredex: use that one.",
    );
  }
  // Boundary: the section's checksum has been verified and this version of the format wrote it.
  // Earlier snapshots do not tell when the last bot was removed.
  const { bots, removed, removedAt } = JSON.parse(new TextDecoder().decode(section.bytes)) as Earlier<
    Parts,
    "removedAt"
  >;
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
