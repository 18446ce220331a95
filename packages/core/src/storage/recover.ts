/** How a store comes back: newest good snapshot → the log after it → a clean end to append to. */

import { CorruptError, type LoredexError } from "../domain/errors.ts";
import type { StoreIdentity } from "./frame.ts";
import { firstNeeded, type RecordVisitor, type Replay, replayLog } from "./replay.ts";
import { identifyLog, type LogPlace } from "./segment-headers.ts";
import { type Damage, type Generation, loadGeneration } from "./snapshot.ts";
import type { LoadedSnapshot, RecoveryReport, RecoveryVisitor } from "./store.ts";
import { deleteLeftovers, listStoreFiles, type StoreListing } from "./store-files.ts";

/** Where a store is and what it is called. */
export interface StorePlace {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: LogPlace["fileSystem"];
  readonly directory: string;
  readonly name: string;
}

/** A store as it was found, ready to go on. */
export interface RecoveredStore {
  readonly identity: StoreIdentity;
  readonly replay: Replay;
  /** The snapshot that was used. */
  readonly snapshot: Generation | undefined;
  /** All other generations that have files; the next snapshot makes them superfluous. */
  readonly otherGenerations: ReadonlyMap<number, readonly string[]>;
  /** The highest number that any file of a snapshot bears; 0 if there is none. */
  readonly highestGeneration: number;
  readonly report: RecoveryReport;
}

/** Hands the history of a store to `visitor`. Nothing is changed on disk before all of it was found to be in order. */
export async function recoverStore(place: StorePlace, visitor: RecoveryVisitor): Promise<RecoveredStore> {
  const { fileSystem, directory, name } = place;
  const listing = await listStoreFiles(fileSystem, directory);
  const log = await identifyLog(fileSystem, directory, name, listing.segments);
  const { loaded, generation, damaged } = await newestGood(place, log.identity, listing);
  const snapshotSequence = loaded?.sequence ?? 0;
  if (damaged.length > 0 && firstNeeded(log, snapshotSequence) === -1) throw noWayBack(place, damaged);
  if (loaded !== undefined) await visitor.snapshot(loaded);
  const visit: RecordVisitor = (sequence, payload) => visitor.record(sequence, payload);
  const replay = await replayLog({ ...place, identity: log.identity }, log, snapshotSequence, visit);
  await cleanUp(place, listing);
  return {
    identity: log.identity,
    replay,
    snapshot: generation,
    otherGenerations: otherGenerations(listing, generation),
    highestGeneration: Math.max(0, ...listing.generations, ...listing.sections.keys()),
    report: {
      lastSequence: replay.end.lastSequence,
      snapshotSequence,
      replayedRecords: replay.replayedRecords,
      tornBytes: replay.tornBytes,
      damagedSnapshots: damaged.length,
    },
  };
}

interface NewestGood {
  readonly loaded: LoadedSnapshot | undefined;
  readonly generation: Generation | undefined;
  /** What is wrong with the newer ones, which were passed over. */
  readonly damaged: readonly Damage[];
}

function noWayBack({ directory }: StorePlace, damaged: readonly Damage[]): LoredexError {
  // What the disk cannot read now it may read the next time.
  const unreadable = damaged.find((damage) => damage.unreadable !== undefined)?.unreadable;
  if (unreadable !== undefined) return unreadable;
  const reasons = damaged.map((damage) => damage.reason).join("; ");
  return new CorruptError(
    `No snapshot in ${directory} is whole (${reasons}), and the log begins later. Nothing was changed; keep a copy of the directory, then restore it from a backup.`,
    { file: directory, offset: 0, sequence: 1 },
  );
}

async function newestGood(place: StorePlace, identity: StoreIdentity, listing: StoreListing): Promise<NewestGood> {
  const damaged: Damage[] = [];
  for (const number of [...listing.generations].reverse()) {
    const found = await loadGeneration({ ...place, storeId: identity.id }, number);
    if (found.kind === "good") return { loaded: found.snapshot, generation: found.generation, damaged };
    damaged.push(found);
  }
  return { loaded: undefined, generation: undefined, damaged };
}

/** Deletes what unfinished snapshots left: sections without a manifest, and temporary files. */
async function cleanUp({ fileSystem, directory }: StorePlace, listing: StoreListing): Promise<void> {
  const finished = new Set(listing.generations);
  const orphans = [...listing.sections].flatMap(([generation, names]) => (finished.has(generation) ? [] : names));
  await deleteLeftovers(fileSystem, directory, [...listing.temporary, ...orphans]);
}

function otherGenerations(listing: StoreListing, used: Generation | undefined): Map<number, readonly string[]> {
  const others = listing.generations.filter((number) => number !== used?.generation);
  return new Map(others.map((number) => [number, listing.sections.get(number) ?? []]));
}
