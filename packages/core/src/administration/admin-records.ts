import { storedKey } from "../catalog/key-shape.ts";
import { ADMIN_STORE } from "../catalog/store-names.ts";
import { decodeRecord } from "../log/record-codec.ts";
import { jsonSection, type RecordedKind, readJsonSection } from "../log/recorded-kind.ts";
import { ADMIN_SCOPES } from "../model/administration.ts";
import { ADMIN_CHANGES_MAX, ADMIN_KEY_ACCESSES_MAX, ADMIN_KEY_SESSIONS_MAX } from "../model/limits.ts";
import type { AdminRecord, StoredAdminKey, StoredChange, StoredSession } from "../model/records.ts";
import { isCount } from "../model/validation.ts";
import type { Clock } from "../platform/clock.ts";
import type { LoadedSnapshot, SnapshotSection } from "../storage/store.ts";
import { type AdminState, emptyAdministration, type NumberedChange } from "./admin-state.ts";
import { countFailure } from "./sign-in-rule.ts";

type Kind = AdminRecord["kind"];
type Of<Each extends Kind> = Extract<AdminRecord, { readonly kind: Each }>;

/** All that depends on the kind of a record. */
interface AdminRecordKind<Each extends AdminRecord> {
  /** Whether a full disk takes it for longer: nobody could sign in to delete something otherwise. */
  readonly frees: (record: Each) => boolean;
  /** Turns the record into state, both after a write and in replay. */
  readonly apply: (state: AdminState, record: Each, sequence: number) => void;
  /** Checks what the disk has brought. @throws TypeError, RangeError */
  readonly check: (record: Each) => void;
}

/** The table of all kinds of records. A kind that lacks a part does not compile. */
const KINDS: { readonly [Each in Kind]: AdminRecordKind<Of<Each>> } = {
  adminKeySet: {
    frees: ({ key }) => key === undefined,
    apply: ({ keys, sessions }, { name, key }) => {
      for (const [sha256, session] of sessions) if (session.key === name) sessions.delete(sha256);
      if (key === undefined) keys.delete(name);
      else keys.set(name, key);
    },
    check: ({ key }) => {
      if (key !== undefined) checkKey(key);
    },
  },
  sessionOpen: {
    frees: () => true,
    apply: ({ sessions }, { session, openedAtMs }) => {
      for (const [sha256, { expiresAtMs }] of sessions) if (expiresAtMs <= openedAtMs) sessions.delete(sha256);
      const ofKey = [...sessions.values()].filter(({ key }) => key === session.key);
      for (const { sha256 } of ofKey.slice(0, Math.max(0, ofKey.length - ADMIN_KEY_SESSIONS_MAX + 1)))
        sessions.delete(sha256);
      sessions.set(session.sha256, session);
    },
    check: ({ session }) => checkSession(session),
  },
  sessionClose: {
    frees: () => true,
    apply: ({ sessions }, { sha256 }) => {
      sessions.delete(sha256);
    },
    check: () => undefined,
  },
  changeNote: {
    frees: () => true,
    apply: ({ changes }, { change }, number) => {
      if (ACCESSES.has(change.action)) dropOldestAccess(changes, change);
      changes.push({ number, ...change });
      if (changes.length > ADMIN_CHANGES_MAX) changes.shift();
    },
    check: ({ change }) => checkChange(change),
  },
  signInFail: {
    frees: () => false,
    apply: ({ failures }, { address, atMs }) => countFailure(failures, address, atMs),
    check: ({ address, atMs }) => checkTypes([address], [atMs]),
  },
};

/** What a key may do that changes nothing, as often as it likes. So these lines displace only their like, and never a change. */
const ACCESSES = new Set(["sign in", "sign out", "backup", "backup (failed)"]);

/** Makes room for an access of a key among those of the same kind. */
function dropOldestAccess(changes: NumberedChange[], { by, action }: StoredChange): void {
  let [oldest, count] = [-1, 0];
  for (let at = changes.length - 1; at >= 0 && count < ADMIN_KEY_ACCESSES_MAX; at--) {
    const change = changes[at];
    if (change?.action !== action || change.by !== by) continue;
    oldest = at;
    count += 1;
  }
  if (count === ADMIN_KEY_ACCESSES_MAX) changes.splice(oldest, 1);
}

/** The administration as a recorded state. */
export const ADMINISTRATION: RecordedKind<AdminState, AdminRecord> = {
  store: ADMIN_STORE,
  name: "list of admin keys",
  isRequired: false,
  empty: emptyAdministration,
  // Boundary: the frame's checksum has been verified and the kind is known, so these are the bytes that were written.
  decode: (sequence, bytes) => decodeRecord(sequence, bytes, KINDS).json as AdminRecord,
  apply: (state, record, sequence) => {
    state.sequence = sequence;
    kindOf(record).apply(state, record, sequence);
  },
  check: (_, record) => kindOf(record).check(record),
  frees: (record) => kindOf(record).frees(record),
  sections,
  load,
};

function kindOf(record: AdminRecord): AdminRecordKind<AdminRecord> {
  // The row takes records of its own kind, and the record names the row. TypeScript cannot relate the two.
  return KINDS[record.kind] as AdminRecordKind<AdminRecord>;
}

const SECTION = "administration";
const VERSION = 1;

/** Parts of the state that a snapshot holds. */
interface Parts {
  readonly keys: readonly StoredAdminKey[];
  readonly sessions: readonly StoredSession[];
  readonly changes: readonly NumberedChange[];
  readonly failures: readonly (readonly [string, readonly number[]])[];
}

function sections({ keys, sessions, changes, failures }: AdminState, clock: Clock): SnapshotSection[] {
  const lists: Parts = {
    keys: [...keys.values()],
    sessions: [...sessions.values()],
    changes: [...changes],
    failures: [...failures],
  };
  return [jsonSection(SECTION, VERSION, lists, clock)];
}

function load(state: AdminState, snapshot: LoadedSnapshot): void {
  // Boundary: this version of the format wrote it.
  const stored = readJsonSection(ADMINISTRATION.name, snapshot, SECTION, [VERSION]) as Parts;
  for (const key of stored.keys) {
    checkKey(key);
    state.keys.set(key.name, key);
  }
  for (const session of stored.sessions) {
    checkSession(session);
    state.sessions.set(session.sha256, session);
  }
  for (const change of stored.changes) {
    checkChange(change);
    checkTypes([], [change.number]);
    state.changes.push(change);
  }
  for (const [address, times] of stored.failures) {
    checkTypes([address], times);
    state.failures.set(address, times);
  }
  state.sequence = snapshot.sequence;
}

function checkKey(key: StoredAdminKey): void {
  storedKey(key);
  checkTypes([key.name, ...(key.bots ?? [])], [key.createdAtMs]);
  if (!ADMIN_SCOPES.includes(key.scope)) throw new TypeError("an admin key has no scope");
}

function checkSession({ sha256, key, keyId, expiresAtMs }: StoredSession): void {
  checkTypes([sha256, key, keyId], [expiresAtMs]);
}

function checkChange({ atMs, by, action, bot = "", target = "" }: StoredChange): void {
  checkTypes([by, action, bot, target], [atMs]);
}

/** @throws TypeError unless these are texts and those are times or counts; RangeError for a time beyond all dates */
function checkTypes(texts: readonly unknown[], numbers: readonly unknown[]): void {
  if (!texts.every((text) => typeof text === "string")) throw new TypeError("a name is no text");
  if (!numbers.every(isCount)) throw new TypeError("a time is none");
  for (const time of numbers) new Date(Number(time)).toISOString();
}
