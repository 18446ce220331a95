/** Reads a store's history: its newest whole snapshot, and the records after it. */

import {
  CorruptError,
  type DroppedSection,
  type LoadedSection,
  type LoadedSnapshot,
  LoredexError,
  type RecoveryReport,
  type RecoveryVisitor,
} from "@loredex/core";
import { type Place, startOf } from "./chain.ts";
import type { Database } from "./database.ts";
import { HEAD_COLUMNS, type Head, type HeadRow, headOf, removedMeanwhile } from "./heads.ts";
import type { Objects, StoredSnapshot } from "./objects.ts";
import { BrokenChain, recordsAfter } from "./records.ts";

/** Times that a recovery begins again, because others deleted what it was about to read. */
const RESTARTS_MAX = 5;

/** What a recovery found. */
export interface Recovered {
  readonly head: Head;
  readonly place: Place;
  /** Bytes of the records that were deleted. */
  readonly prunedEnds: number;
  /** Bytes of the stored snapshots. */
  readonly keptBytes: number;
  readonly report: RecoveryReport;
}

/** @throws LoredexError `CORRUPT`; `REPLACED` if others deleted records while it read */
export async function recover(
  database: Database,
  objects: Objects,
  store: string,
  visitor: RecoveryVisitor,
): Promise<Recovered> {
  for (let restarts = 0; ; restarts += 1) {
    const { head, snapshots: stored, prunedEnds, prunedSequence } = await objects.stored(store);
    const found = await newestWhole(objects, store, stored, visitor);
    const isStale = found === undefined && stored.length > 0 && (await haveChanged(objects, store, head, stored));
    if (isStale && restarts < RESTARTS_MAX) continue;
    if (found !== undefined) await visitor.snapshot(found.loaded);
    const snapshotPlace = found?.stored ?? startOf(store);
    const place = await replay(database, store, snapshotPlace, head, visitor);
    const keptAfter = Math.min(snapshotPlace.sequence, prunedSequence, ...stored.map(({ sequence }) => sequence));
    return {
      // Snapshots may have been passed over: the sizes are those of the one that was used.
      head: {
        ...head,
        snapshot: { sequence: snapshotPlace.sequence, ends: snapshotPlace.ends, bytes: found?.stored.bytes ?? 0 },
      },
      place,
      prunedEnds,
      keptBytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
      report: {
        lastSequence: place.sequence,
        snapshotSequence: snapshotPlace.sequence,
        replayedRecords: place.sequence - snapshotPlace.sequence,
        tornBytes: 0,
        damagedSnapshots: found === undefined ? stored.length : stored.indexOf(found.stored),
        ...(keptAfter < snapshotPlace.sequence ? { keptAfter } : {}),
      },
    };
  }
}

export async function headIn(database: Database, store: string): Promise<Head> {
  const rows = await database.ask<HeadRow>(`select ${HEAD_COLUMNS} from ${database.table("heads")} where store = $1`, [
    store,
  ]);
  if (rows[0] === undefined) throw removedMeanwhile();
  return headOf(rows[0]);
}

async function newestWhole(
  objects: Objects,
  store: string,
  stored: readonly StoredSnapshot[],
  visitor: RecoveryVisitor,
): Promise<{ readonly stored: StoredSnapshot; readonly loaded: LoadedSnapshot } | undefined> {
  for (const snapshot of stored) {
    visitor.expect?.(snapshot.bytes);
    const loaded = await loadSnapshot(objects, store, snapshot);
    if (loaded !== undefined) return { stored: snapshot, loaded };
  }
  return undefined;
}

/** Undefined if a section that cannot be rebuilt is damaged. */
async function loadSnapshot(
  objects: Objects,
  store: string,
  snapshot: StoredSnapshot,
): Promise<LoadedSnapshot | undefined> {
  const sections = new Map<string, LoadedSection>();
  const dropped: DroppedSection[] = [];
  const read = await objects.load(store, snapshot);
  for (const [part, { name, version, isDerived }] of snapshot.sections.entries()) {
    if (name === "") continue;
    const bytes = read[part] ?? "it is missing";
    if (typeof bytes !== "string") sections.set(name, { name, version, bytes });
    else if (isDerived) dropped.push({ name, reason: `section ${name} of snapshot ${snapshot.sequence}: ${bytes}` });
    else return undefined;
  }
  return { sequence: snapshot.sequence, sections, ...(dropped.length > 0 ? { dropped } : {}) };
}

async function haveChanged(
  objects: Objects,
  store: string,
  head: Head,
  before: readonly StoredSnapshot[],
): Promise<boolean> {
  const now = await objects.snapshots({ store, generation: head.generation });
  return now[0]?.object !== before[0]?.object;
}

/** Bytes of the deleted records: those before the first that is stored. */
export async function prunedIn(database: Database, store: string, head: Place): Promise<number> {
  const rows = await database.ask<{ pruned: number }>(
    `select ends - length(payload) as pruned from ${database.table("records")} where store = $1 order by sequence limit 1`,
    [store],
  );
  return rows[0]?.pruned ?? head.ends;
}

async function replay(
  database: Database,
  store: string,
  from: Place,
  head: Head,
  visitor: RecoveryVisitor,
): Promise<Place> {
  let last = from;
  try {
    for await (const { place, payload } of recordsAfter(database, store, from, head.sequence)) {
      await visitor.record(place.sequence, payload);
      last = place;
    }
  } catch (error) {
    if (error instanceof BrokenChain) throw await brokenError(database, store, head, error);
    throw error;
  }
  if (!last.digest.equals(head.digest)) throw corrupt(head.sequence, "the digest of the head differs");
  return last;
}

/** The error for a record that is missing: it is no damage if a later snapshot of another node replaced it meanwhile. */
async function brokenError(database: Database, store: string, before: Head, broken: BrokenChain): Promise<Error> {
  const head = await headIn(database, store);
  const wasReplaced = head.generation !== before.generation || head.snapshot.sequence > before.snapshot.sequence;
  if (broken.isMissing && wasReplaced)
    return new LoredexError("REPLACED", "Others deleted records while they were read. Open the store again.");
  return corrupt(broken.sequence, broken.message);
}

function corrupt(sequence: number, reason: string): CorruptError {
  return new CorruptError(`The records of the store are damaged: ${reason}`, { file: "records", offset: 0, sequence });
}
