/** Deletes all files of a store but its newest snapshot and the log after it. */

import { LoredexError } from "../model/errors.ts";
import { must } from "../model/must.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { Log } from "./log.ts";
import { scanSnapshots } from "./scan-snapshots.ts";
import { deleteGeneration, type Generation, type SnapshotPlace } from "./snapshot.ts";
import type { Purged } from "./store.ts";
import { isOwnFile, listStoreFiles, manifestFile, segmentFile } from "./store-files.ts";

/** The files that a purge keeps. */
export interface Kept {
  /** Undefined for an empty history. */
  readonly snapshot: Generation | undefined;
  /** First record of the oldest kept segment. */
  readonly firstSequence: number;
  /** Whether the blocks file of this name is in use. Default: none is. */
  readonly isInUse?: (name: string) => boolean;
}

/**
 * Reads a new snapshot back before it becomes the only one.
 * @throws LoredexError `STORAGE_FAILED`
 */
export async function requireReadable(place: SnapshotPlace & { readonly name: string }, { generation }: Generation) {
  const { problems } = await scanSnapshots(place, { generations: [generation] }, place.storeId);
  const [problem] = problems;
  if (problem === undefined) return;
  const why = `The snapshot that was just written cannot be read again (${problem.file}: ${problem.reason})`;
  throw new LoredexError("STORAGE_FAILED", `${why}: nothing was deleted. Check the disk.`);
}

/** Durably deletes all files of a store but the kept ones. @throws the disk's error if a file cannot be deleted */
export async function deleteAllElse(
  place: SnapshotPlace,
  log: Log,
  { snapshot, firstSequence, isInUse = () => false }: Kept,
): Promise<Purged> {
  const { fileSystem, directory } = place;
  // Files that are created after this listing, such as another segment, are kept.
  const names = await fileSystem.readDirectory(directory);
  const listing = await listStoreFiles(fileSystem, directory);
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, (await fileSystem.stat(`${directory}/${name}`))?.bytes ?? 0);
  // A manifest is deleted before its sections, and the oldest segment first: a crash in between leaves no gap that looks like damage.
  const older = listing.generations.filter((number) => number !== snapshot?.generation);
  for (const number of older) await deleteGeneration(place, number, listing.sections.get(number) ?? []);
  await log.deleteThrough(firstSequence - 1);
  await fileSystem.syncDirectory(directory);
  const kept = new Set([
    ...(snapshot === undefined ? [] : [manifestFile(snapshot.generation), ...snapshot.sections]),
    ...listing.segments
      .filter((segment) => segment.firstSequence >= firstSequence)
      .map((segment) => segmentFile(segment.firstSequence)),
  ]);
  const superfluous = names.filter((name) => isOwnFile(name) && !kept.has(name));
  const deleted: string[] = [];
  for (const name of superfluous) {
    if (isInUse(name)) continue;
    await unlinkIfThere(place, name);
    deleted.push(name);
  }
  await fileSystem.syncDirectory(directory);
  return {
    files: deleted.length,
    bytes: deleted.reduce((sum, name) => sum + must(sizes.get(name), "the size of a listed file"), 0),
    foreign: names.filter((name) => !isOwnFile(name)),
  };
}

async function unlinkIfThere({ fileSystem, directory }: SnapshotPlace, name: string): Promise<void> {
  try {
    await fileSystem.unlink(`${directory}/${name}`);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
}
