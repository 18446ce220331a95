/** How a store comes back: newest good snapshot → the log after it → a clean end to append to. */

import { VECTORS_SECTION } from "../model/derived-sections.ts";
import { CorruptError, type LoredexError } from "../model/errors.ts";
import type { LogLength } from "./clean-end.ts";
import type { StoreIdentity } from "./frame.ts";
import { firstNeeded, type RecordVisitor, type Replay, replayLog } from "./replay.ts";
import { identifyLog, type LogFiles, type LogPlace } from "./segment-headers.ts";
import { type Damage, type Generation, type LoadedGeneration, loadGeneration } from "./snapshot.ts";
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
  /** Its files, where nothing had to be put right: else they are to be looked at again. */
  readonly listing: StoreListing | undefined;
  /** The highest number that any file of a snapshot bears; 0 if there is none. */
  readonly highestGeneration: number;
  readonly report: RecoveryReport;
}

/**
 * Hands the history of a store to `visitor`. Nothing is changed on disk before all of it was found to be in order. `isDurable` says that its files are as they were
 * when their last writer had synced them all. A log that is shorter than `knownLength` is damaged: its last writer had ended cleanly.
 */
export async function recoverStore(
  place: StorePlace,
  visitor: RecoveryVisitor,
  isDurable: boolean,
  knownLength?: LogLength,
): Promise<RecoveredStore> {
  const { fileSystem, directory, name } = place;
  const listing = await listStoreFiles(fileSystem, directory);
  const log = await identifyLog(fileSystem, directory, name, listing.segments);
  const { loaded, generation, damaged } = await bestGeneration(place, log, listing, (bytes) => visitor.expect?.(bytes));
  const snapshotSequence = loaded?.sequence ?? 0;
  if (damaged.length > 0 && firstNeeded(log, snapshotSequence) === -1) throw noWayBack(place, damaged);
  if (loaded !== undefined) await visitor.snapshot(loaded);
  const visit: RecordVisitor = (sequence, payload) => visitor.record(sequence, payload);
  const known = { isDurable, length: knownLength };
  const replay = await replayLog({ ...place, identity: log.identity }, log, snapshotSequence, visit, known);
  const hasLeftovers = await cleanUp(place, listing);
  const others = otherGenerations(listing, generation);
  // Where an older snapshot is kept, the records after it are as well.
  const keepsOlder = listing.segments.some(({ firstSequence }) => firstSequence <= snapshotSequence);
  return {
    identity: log.identity,
    replay,
    listing: hasLeftovers || replay.tornBytes > 0 ? undefined : listing,
    snapshot: generation,
    otherGenerations: others,
    highestGeneration: Math.max(0, ...listing.generations, ...listing.sections.keys()),
    report: {
      lastSequence: replay.end.lastSequence,
      snapshotSequence,
      replayedRecords: replay.replayedRecords,
      tornBytes: replay.tornBytes,
      damagedSnapshots: damaged.length,
      ...(keepsOlder ? { keepsOlder } : {}),
    },
  };
}

interface BestGeneration {
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

/**
 * The newest snapshot that has all knowledge; what is made again anyway may be damaged in it. One whose vectors are damaged only where
 * nothing else leads to the same state: neither an older snapshot nor the log from its beginning.
 */
async function bestGeneration(
  place: StorePlace,
  log: LogFiles,
  listing: StoreListing,
  expect: (bytes: number) => void,
): Promise<BestGeneration> {
  const damaged: Damage[] = [];
  const load = (number: number) => loadGeneration({ ...place, storeId: log.identity.id }, number, expect);
  let spare: { readonly number: number; readonly newerDamaged: readonly Damage[] } | undefined;
  for (const number of [...listing.generations].reverse()) {
    const found = await load(number);
    if (found.kind === "damaged") damaged.push(found);
    else if (isTakenAtOnce(log, found, spare !== undefined)) return { ...taken(found), damaged };
    else {
      const reasons = found.snapshot.dropped?.map(({ reason }) => reason).join("; ");
      spare ??= { number, newerDamaged: [...damaged] };
      damaged.push({ reason: reasons ?? "the log after it is gone" });
    }
  }
  if (spare !== undefined && firstNeeded(log, 0) === -1) {
    const found = await load(spare.number);
    if (found.kind === "good") return { ...taken(found), damaged: spare.newerDamaged };
  }
  return { loaded: undefined, generation: undefined, damaged };
}

type Good = Extract<LoadedGeneration, { kind: "good" }>;

/** Whether a snapshot is to be taken at once: it has its vectors, and where it comes instead of a newer one the log leads on from it. */
function isTakenAtOnce(log: LogFiles, { snapshot }: Good, isInstead: boolean): boolean {
  if (isInstead && firstNeeded(log, snapshot.sequence) === -1) return false;
  return !(snapshot.dropped ?? []).some(({ name }) => name === VECTORS_SECTION);
}

function taken({ snapshot, generation }: Good): Pick<BestGeneration, "loaded" | "generation"> {
  return { loaded: snapshot, generation };
}

/** Deletes what unfinished snapshots left: sections without a manifest, and temporary files. Resolves with whether there was any. */
async function cleanUp({ fileSystem, directory }: StorePlace, listing: StoreListing): Promise<boolean> {
  const finished = new Set(listing.generations);
  const orphans = [...listing.sections].flatMap(([generation, names]) => (finished.has(generation) ? [] : names));
  const leftovers = [...listing.temporary, ...orphans];
  await deleteLeftovers(fileSystem, directory, leftovers);
  return leftovers.length > 0;
}

function otherGenerations(listing: StoreListing, used: Generation | undefined): Map<number, readonly string[]> {
  const others = listing.generations.filter((number) => number !== used?.generation);
  return new Map(others.map((number) => [number, listing.sections.get(number) ?? []]));
}
