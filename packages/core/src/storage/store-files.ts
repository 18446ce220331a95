/**
 * The files of one store's directory, by their names:
 *
 *     segment-<sequence of the first record, 16 digits>.log     the log
 *     snapshot-<generation, 10 digits>.manifest                 what a snapshot consists of
 *     snapshot-<generation, 10 digits>-<section>.section        one part of a snapshot
 *     <name>.cache                                              can be made again; see the port's caches
 *     <name>-<generation, 10 digits or more>.blocks             can be made again; see the port of blocks
 *     *.tmp                                                     being written; worthless after a restart
 *     *.broken                                                  a torn tail that was set aside; never read, deleted by a purge alone
 */

import type { FileSystem } from "./file-system.ts";

const SEGMENT = /^segment-(\d{16})\.log$/;
const MANIFEST = /^snapshot-(\d{10})\.manifest$/;
const SECTION = /^snapshot-(\d{10})-([a-z-]+)\.section$/;
const CACHE = /^[a-z-]+\.cache$/;
const BLOCKS = /^([a-z-]+)-(\d{10,15})\.blocks$/;
const TEMPORARY = /\.tmp$/;
const SET_ASIDE = /\.broken$/;

export const SECTION_NAME = /^[a-z]+(-[a-z]+)*$/;
export const SECTION_NAME_CHARACTERS_MAX = 64;
export const GENERATION_MAX = 9_999_999_999;

export function segmentFile(firstSequence: number): string {
  return `segment-${String(firstSequence).padStart(16, "0")}.log`;
}

export function manifestFile(generation: number): string {
  return `snapshot-${String(generation).padStart(10, "0")}.manifest`;
}

export function sectionFile(generation: number, section: string): string {
  return `snapshot-${String(generation).padStart(10, "0")}-${section}.section`;
}

/** The name of the section that a file of this name holds. */
export function sectionOf(file: string): string {
  return SECTION.exec(file)?.[2] ?? "";
}

export function cacheFile(name: string): string {
  return `${name}.cache`;
}

export function blocksFile(name: string, generation: number): string {
  return `${name}-${String(generation).padStart(10, "0")}.blocks`;
}

/** The generation of a file of these blocks; undefined for any other file. */
export function blocksGeneration(file: string, name: string): number | undefined {
  const [, blocks, generation] = BLOCKS.exec(file) ?? [];
  return blocks === name ? Number(generation) : undefined;
}

/** A segment by its name. */
export interface SegmentFile {
  readonly firstSequence: number;
  readonly bytes: number;
}

/** What a store's directory holds. Lists are in ascending order. */
export interface StoreListing {
  readonly segments: readonly SegmentFile[];
  /** Generations that have a manifest, readable or not. */
  readonly generations: readonly number[];
  /** Names of section files by generation, also of generations without a manifest. */
  readonly sections: ReadonlyMap<number, readonly string[]>;
  readonly caches: readonly { readonly name: string; readonly bytes: number }[];
  readonly blocks: readonly { readonly name: string; readonly bytes: number }[];
  readonly temporary: readonly string[];
  /** Bytes of all files. */
  readonly totalBytes: number;
}

/** Whether a file of this name is the store's own, of whatever use it is. */
export function isOwnFile(name: string): boolean {
  return isNeededFile(name) || [CACHE, BLOCKS, TEMPORARY, SET_ASIDE].some((own) => own.test(name));
}

/** Whether a store cannot be opened, or grow, without the file of this name. */
export function isNeededFile(name: string): boolean {
  return SEGMENT.test(name) || MANIFEST.test(name) || SECTION.test(name);
}

export async function listStoreFiles(fileSystem: FileSystem, directory: string): Promise<StoreListing> {
  const segments: SegmentFile[] = [];
  const generations: number[] = [];
  const sections = new Map<number, string[]>();
  const caches: { name: string; bytes: number }[] = [];
  const blocks: { name: string; bytes: number }[] = [];
  const temporary: string[] = [];
  let totalBytes = 0;
  const sizeOf = async (name: string) => ({ name, bytes: (await fileSystem.stat(`${directory}/${name}`))?.bytes ?? 0 });
  // Asked for together: opening a small store is little more than ways to the disk and back.
  for (const { name, bytes } of await Promise.all((await fileSystem.readDirectory(directory)).map(sizeOf))) {
    totalBytes += bytes;
    const segment = SEGMENT.exec(name)?.[1];
    const manifest = MANIFEST.exec(name)?.[1];
    const section = SECTION.exec(name)?.[1];
    if (segment !== undefined) segments.push({ firstSequence: Number(segment), bytes });
    else if (manifest !== undefined) generations.push(Number(manifest));
    else if (section !== undefined) {
      const generation = Number(section);
      sections.set(generation, [...(sections.get(generation) ?? []), name]);
    } else if (CACHE.test(name)) caches.push({ name, bytes });
    else if (BLOCKS.test(name)) blocks.push({ name, bytes });
    else if (TEMPORARY.test(name)) temporary.push(name);
  }
  segments.sort((a, b) => a.firstSequence - b.firstSequence);
  generations.sort((a, b) => a - b);
  return { segments, generations, sections, caches, blocks, temporary, totalBytes };
}

/** Deletes files that may be missing; what cannot be deleted stays, and harms nothing. */
export async function deleteLeftovers(fileSystem: FileSystem, directory: string, names: readonly string[]) {
  for (const name of names) await fileSystem.unlink(`${directory}/${name}`).catch(() => undefined);
}
