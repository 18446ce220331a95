/** Recovery of a store: newest good snapshot → replay of the log after it → a clean end to append to. */

import { VECTORS_SECTION } from "../model/derived-sections.ts";
import { CorruptError, type LoredexError } from "../model/errors.ts";
import type { LogLength } from "./clean-end.ts";
import type { StoreIdentity } from "./frame.ts";
import { firstNeeded, type RecordVisitor, type Replay, replayLog } from "./replay.ts";
import { identifyLog, type LogFiles, type LogPlace } from "./segment-headers.ts";
import { type Damage, type Generation, type LoadedGeneration, loadGeneration } from "./snapshot.ts";
import type { LoadedSnapshot, RecoveryReport, RecoveryVisitor } from "./store.ts";
import { deleteLeftovers, listStoreFiles, type StoreListing } from "./store-files.ts";

/** The directory and the name of a store. */
export interface StorePlace {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: LogPlace["fileSystem"];
  readonly directory: string;
  readonly name: string;
}

/** A recovered store, ready for appends. */
export interface RecoveredStore {
  readonly identity: StoreIdentity;
  readonly replay: Replay;
  /** The snapshot that was used. */
  readonly snapshot: Generation | undefined;
  /** All other generations that have files. The next snapshot makes them superfluous. */
  readonly otherGenerations: ReadonlyMap<number, readonly string[]>;
  /** Its files; undefined if recovery changed some, so that they must be listed again. */
  readonly listing: StoreListing | undefined;
  /** The highest generation number of any snapshot file; 0 if there is none. */
  readonly highestGeneration: number;
  readonly report: RecoveryReport;
}

/**
 * Recovers a store and hands its history to `visitor`. Nothing is changed on disk before the whole history was verified.
 * @param isDurable whether the files are known to be synced by their last writer
 * @param knownLength length of the log after a clean end; a shorter log is damaged
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
  // A kept older snapshot implies kept records after it.
  const keptAfter = Math.min(snapshotSequence, ...listing.segments.map(({ firstSequence }) => firstSequence - 1));
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
      ...(keptAfter < snapshotSequence ? { keptAfter } : {}),
    },
  };
}

interface BestGeneration {
  readonly loaded: LoadedSnapshot | undefined;
  readonly generation: Generation | undefined;
  /** The damage of newer generations, which were passed over. */
  readonly damaged: readonly Damage[];
}

function noWayBack({ directory }: StorePlace, damaged: readonly Damage[]): LoredexError {
  // An unreadable file may be readable the next time.
  const unreadable = damaged.find((damage) => damage.unreadable !== undefined)?.unreadable;
  if (unreadable !== undefined) return unreadable;
  const reasons = damaged.map((damage) => damage.reason).join("; ");
  return new CorruptError(
    `No snapshot in ${directory} is whole (${reasons}), and the log begins later. Nothing was changed; keep a copy of the directory, then restore it from a backup.`,
    { file: directory, offset: 0, sequence: 1 },
  );
}

/**
 * Loads the newest snapshot whose knowledge is whole. Derived sections may be damaged in it. A snapshot with damaged vectors is used only
 * if nothing else leads to the same state: neither an older snapshot nor the log from its beginning.
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

/** Whether a snapshot is used without trying older ones: its vectors are whole and, if a newer one was passed over, the log continues from it. */
function isTakenAtOnce(log: LogFiles, { snapshot }: Good, isInstead: boolean): boolean {
  if (isInstead && firstNeeded(log, snapshot.sequence) === -1) return false;
  return !(snapshot.dropped ?? []).some(({ name }) => name === VECTORS_SECTION);
}

function taken({ snapshot, generation }: Good): Pick<BestGeneration, "loaded" | "generation"> {
  return { loaded: snapshot, generation };
}

/** Deletes leftovers of unfinished snapshots: sections without a manifest, and temporary files. Resolves with whether there were any. */
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
