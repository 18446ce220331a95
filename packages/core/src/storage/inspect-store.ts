/** Read-only inspection of one store: verification, and salvage of everything that is whole. */

import { must } from "../model/must.ts";
import { cutOff, type LogLength } from "./clean-end.ts";
import type { StorePlace } from "./recover.ts";
import { type BlocksFound, scanBlocks } from "./scan-blocks.ts";
import { type LogScan, scanLog } from "./scan-log.ts";
import { damagedSections, loadWholeSection, type SnapshotScan, scanSnapshots } from "./scan-snapshots.ts";
import type { SalvageVisitor, StoreCondition, StoreProblem, StoreSalvage } from "./store.ts";
import { listStoreFiles, type SegmentFile, type StoreListing, segmentFile } from "./store-files.ts";
import { findStoreId, isLossOfFile } from "./store-identity.ts";

/** The most attempts of a check while files change under it. The last result counts. */
const LOOKS_MAX = 10;

/** The durable end of an open store. */
export interface DurableEnd {
  /** First record of the current segment. */
  readonly firstSequence: number;
  /** Its durable bytes. */
  readonly bytes: number;
  /** Blocks files that are in use, with their numbers of whole blocks; 0 for a file that is being created. Default: none. */
  readonly blocks?: ReadonlyMap<string, number>;
}

/**
 * Verifies every file of a store. If problems are found while files change, it checks again, up to 10 times.
 * @param durableEnd the durable end of an open store, called for every attempt; undefined for a closed store
 * @param known the length of a closed store's log at its clean end
 */
export async function verifyStore(
  place: StorePlace,
  durableEnd: () => DurableEnd | undefined,
  known?: LogLength,
): Promise<StoreCondition> {
  for (let look = 1; ; look += 1) {
    const end = durableEnd();
    const before = await listing(place);
    const written = namesOfBlocks(end);
    if (typeof before === "string") return missing(place, before);
    let condition: StoreCondition;
    try {
      const scanned = await scan(place, before, { end, known });
      const blocks = await scanBlocks(place, before.blocks, scanned.storeId, () => durableEnd()?.blocks);
      condition = withBlocks(scanned.condition, blocks);
    } catch (error) {
      // A file may have become shorter while it was read.
      if (look === LOOKS_MAX) throw error;
      continue;
    }
    if (condition.problems.length === 0 || look === LOOKS_MAX) return condition;
    // Files that were deleted, a tail that was cut off, and a blocks file that came into use meanwhile look like damage.
    const after = await listing(place);
    const isSame = typeof after !== "string" && namesOf(after) === namesOf(before);
    const now = durableEnd();
    if (isSame && (end === undefined) === (now === undefined) && written === namesOfBlocks(now)) return condition;
  }
}

/** The names of blocks files that are in use. */
function namesOfBlocks(end: DurableEnd | undefined): string {
  return [...(end?.blocks?.keys() ?? [])].sort().join("\n");
}

function withBlocks(condition: StoreCondition, { files, bytes, problems }: BlocksFound): StoreCondition {
  return {
    ...condition,
    files: condition.files + files,
    bytes: condition.bytes + bytes,
    problems: [...condition.problems, ...problems],
  };
}

/** Hands out everything that is whole of a closed store. */
export async function salvageStore(
  place: StorePlace,
  visitor: SalvageVisitor,
  known?: LogLength,
): Promise<StoreSalvage> {
  const found = await listing(place);
  if (typeof found === "string") {
    const condition = missing(place, found);
    return { missing: [], condition, logProblems: condition.problems };
  }
  const { condition, log, snapshots } = await scan(place, found, { end: undefined, known }, visitor);
  const lastSequence = Math.max(condition.lastSequence, snapshots.lastSequence);
  const end = log.lastSequence < lastSequence ? [{ firstSequence: log.lastSequence + 1, lastSequence }] : [];
  const logProblems = condition.problems.slice(snapshots.problems.length);
  const salvage = { missing: [...log.missing, ...end], condition, logProblems };
  await visitor.damaged?.(damagedSections(place, found, snapshots), salvage);
  return salvage;
}

const EMPTY_LOG: LogScan = { bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems: [], missing: [] };

async function scan(
  place: StorePlace,
  found: StoreListing,
  { end, known }: { readonly end: DurableEnd | undefined; readonly known: LogLength | undefined },
  visitor?: SalvageVisitor,
): Promise<{ condition: StoreCondition; log: LogScan; snapshots: SnapshotScan; storeId: Uint8Array | undefined }> {
  const storeId = await findStoreId(place, found);
  const snapshots = await scanSnapshots(place, found, storeId);
  if (visitor !== undefined) await handOutSections(place, snapshots, visitor);
  const snapshotSequence = snapshots.wholeSequences[0] ?? 0;
  const [, ...older] = snapshots.wholeSequences;
  const segments = end === undefined ? found.segments : durableSegments(found.segments, end);
  const problems: StoreProblem[] = [...snapshots.problems];
  const problem = (sequence: number, reason: string) => {
    problems.push({ file: place.directory, offset: 0, sequence, reason });
  };
  let log = EMPTY_LOG;
  if (segments[0] === undefined) problem(1, "it has no log segment");
  else if (storeId === undefined) problem(segments[0].firstSequence, "nothing in it tells whose log it is");
  else {
    const last = must(segments.at(-1), "the last segment");
    const isKnown = known !== undefined && isSame(last, known);
    const [isDurable, pastTorn] = [end !== undefined || isKnown, visitor !== undefined];
    const toScan = { storeId, segments, isDurable, snapshotSequence, olderSequence: older.at(-1) ?? 0, pastTorn };
    log = await scanLog(place, toScan, (sequence, payload) => visitor?.record(sequence, payload));
    problems.push(...log.problems);
    if (known !== undefined && isShorter(last, known)) {
      const file = `${place.directory}/${segmentFile(known.firstSequence)}`;
      const offset = last.firstSequence === known.firstSequence ? last.bytes : 0;
      problems.push({ file, offset, sequence: log.lastSequence + 1, reason: cutOff(known.bytes) });
    }
    if (log.lastSequence < snapshotSequence && log.problems.length === 0) {
      problem(log.lastSequence + 1, `the log ends before record ${snapshotSequence}, which a snapshot holds`);
    }
  }
  const condition = {
    files: snapshots.files + segments.length,
    bytes: snapshots.bytes + log.bytes,
    records: log.records,
    lastSequence: Math.max(log.lastSequence, snapshotSequence),
    tornBytes: log.tornBytes,
    problems,
  };
  return { condition, log, snapshots, storeId };
}

/** Whether a log that ends with this segment is shorter than when it was closed. */
function isShorter({ firstSequence, bytes }: SegmentFile, known: LogLength): boolean {
  return firstSequence < known.firstSequence || (firstSequence === known.firstSequence && bytes < known.bytes);
}

function isSame({ firstSequence, bytes }: SegmentFile, known: LogLength): boolean {
  return firstSequence === known.firstSequence && bytes === known.bytes;
}

async function handOutSections(place: StorePlace, snapshots: SnapshotScan, visitor: SalvageVisitor): Promise<void> {
  const given = new Set<string>();
  for (const whole of snapshots.sections) {
    if (given.has(whole.section.name)) continue;
    const section = await loadWholeSection(place, whole);
    if (section === undefined) continue;
    given.add(section.name);
    await visitor.section(section, whole.sequence);
  }
}

/** The segments up to their durable end. Bytes behind it are being written, and are not inspected. */
function durableSegments(segments: readonly SegmentFile[], end: DurableEnd): SegmentFile[] {
  return segments
    .filter(({ firstSequence }) => firstSequence <= end.firstSequence)
    .map((segment) => (segment.firstSequence === end.firstSequence ? { ...segment, bytes: end.bytes } : segment));
}

function namesOf({ segments, generations, sections }: StoreListing): string {
  const names = [...sections].map(([generation, files]) => [generation, [...files].sort()] as const);
  return JSON.stringify([
    segments.map((segment) => segment.firstSequence),
    generations,
    names.sort((a, b) => a[0] - b[0]),
  ]);
}

/** The store's files, or why they cannot be listed. */
async function listing({ fileSystem, directory }: StorePlace): Promise<StoreListing | string> {
  try {
    return await listStoreFiles(fileSystem, directory);
  } catch (error) {
    if (!isLossOfFile(error)) throw error;
    return "it is missing, or the disk cannot read it";
  }
}

function missing({ directory }: StorePlace, reason: string): StoreCondition {
  const problems = [{ file: directory, offset: 0, sequence: 1, reason }];
  return { files: 0, bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems };
}
