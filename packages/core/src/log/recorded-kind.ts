import { LoredexError } from "../model/errors.ts";
import type { Clock } from "../platform/clock.ts";
import { finished, type Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import type { LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { understanding, understandingInSlices } from "./unreadable.ts";

/** What every recorded state has beside its own parts. */
export interface Recorded {
  /** The last record that is applied. */
  sequence: number;
  /** The last record that removed data which a purge has to erase from older records. 0 if there was none. */
  removedAt: number;
}

/** One kind of recorded state: its store, its records and its snapshots. See {@link RecordedState}. */
export interface RecordedKind<State extends Recorded, Entry extends { readonly kind: string }> {
  /** Name of the store. */
  readonly store: string;
  /** The state as a noun for messages, such as "catalog". */
  readonly name: string;
  /** Whether the store must exist: its absence is damage, and no empty state. Otherwise the first record creates it. */
  readonly isRequired: boolean;
  /** The state of an empty log. */
  readonly empty: () => State;
  /** Decodes a stored record. @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT` */
  readonly decode: (sequence: number, payload: Uint8Array) => Entry;
  /** Turns a record into state, both after a write and in replay. Entries of the state are replaced and never changed, so that a list of them is a copy. */
  readonly apply: (state: State, record: Entry, sequence: number) => void;
  /** Checks what a record of the disk has brought, so that later code can rely on it. @throws TypeError, RangeError */
  readonly check: (state: State, record: Entry) => void;
  /** Whether a full disk takes the record for longer than others, since it deletes something. */
  readonly frees: (record: Entry) => boolean;
  /** The state as it is at the call, without its sequence number. It is encoded in time slices as the sections are read. */
  readonly sections: (state: State, clock: Clock) => SnapshotSection[];
  /** Reads a snapshot into an empty state, also one of an earlier version, and sets its sequence number: at once, or in time slices if it may be large. */
  readonly load:
    | ((state: State, snapshot: LoadedSnapshot) => void)
    | { readonly inSlices: (state: State, snapshot: LoadedSnapshot) => Sliced<void> };
}

/** Recovers a state from a snapshot and records. `state` must be empty. Without a clock, a snapshot is read at once. */
export function recoverRecorded<State extends Recorded, Entry extends { readonly kind: string }>(
  kind: RecordedKind<State, Entry>,
  state: State,
  clock?: Clock,
): {
  snapshot(snapshot: LoadedSnapshot): void | Promise<void>;
  record(sequence: number, payload: Uint8Array): void;
} {
  const { name, decode, apply, check, load } = kind;
  return {
    snapshot: (snapshot) => {
      const what = `The snapshot of the ${name}`;
      if (typeof load === "function") return understanding(what, () => load(state, snapshot));
      const read = understandingInSlices(what, load.inSlices(state, snapshot));
      return clock === undefined ? finished(read) : new TimeSlices(clock).run(read);
    },
    record: (sequence, payload) => {
      const record = decode(sequence, payload);
      understanding(`Record ${sequence} of the ${name}`, () => {
        apply(state, record, sequence);
        check(state, record);
      });
    },
  };
}

/** Items of one piece of a section. */
const PIECE_ITEMS = 256;

/** A section of one JSON object with these parts. Its lists are encoded in pieces, in time slices: changes of the state continue meanwhile. */
export function jsonSection(name: string, version: number, parts: object, clock: Clock): SnapshotSection {
  return { name, version, chunks: encoded(parts, new TimeSlices(clock)) };
}

async function* encoded(parts: object, slices: TimeSlices): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder();
  let before = "{";
  for (const [part, value] of Object.entries(parts)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    before += `${JSON.stringify(part)}:${Array.isArray(value) ? "[" : JSON.stringify(value)}`;
    for (let first = 0; first < items.length; first += PIECE_ITEMS) {
      const piece = items.slice(first, first + PIECE_ITEMS).map((item) => JSON.stringify(item));
      yield text.encode(`${before}${first === 0 ? "" : ","}${piece.join(",")}`);
      before = "";
      await slices.yieldIfOver();
    }
    before += Array.isArray(value) ? "]," : ",";
  }
  yield text.encode(`${before.replace(/,$/, "")}}`);
}

/**
 * Reads a section that {@link jsonSection} has written. Its fields are not checked.
 * @param versions the versions of the section that this version of Loredex can read
 * @throws LoredexError `UNSUPPORTED_FORMAT`
 */
export function readJsonSection(
  stateName: string,
  { sections }: LoadedSnapshot,
  name: string,
  versions: readonly number[],
): unknown {
  const section = sections.get(name);
  if (section === undefined || !versions.includes(section.version)) {
    const message = `The ${stateName} was written by a newer version of Loredex: use that one.`;
    throw new LoredexError("UNSUPPORTED_FORMAT", message);
  }
  // Boundary: the section's checksum has been verified, so these are the bytes that were written.
  return JSON.parse(new TextDecoder().decode(section.bytes));
}
