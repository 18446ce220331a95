/**
 * The file names of one store's directory:
 *
 *     segment-<sequence of the first record, 16 digits>.log     the log
 *     snapshot-<generation, 10 digits>.manifest                 the list of a snapshot's sections
 *     snapshot-<generation, 10 digits>-<section>.section        one section of a snapshot
 *     <name>.cache                                              derived; see the port's caches
 *     <name>-<generation, 10 digits or more>.blocks             derived; see the port of blocks
 *     *.tmp                                                     being written; deleted after a restart
 *     *.broken                                                  a torn tail that was set aside; never read, only a purge deletes it
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

/** The section name in a file name; empty for any other file. */
export function sectionOf(file: string): string {
  return SECTION.exec(file)?.[2] ?? "";
}

export function cacheFile(name: string): string {
  return `${name}.cache`;
}

export function blocksFile(name: string, generation: number): string {
  return `${name}-${String(generation).padStart(10, "0")}.blocks`;
}

/** The generation of a blocks file of this name; undefined for any other file. */
export function blocksGeneration(file: string, name: string): number | undefined {
  const [, blocks, generation] = BLOCKS.exec(file) ?? [];
  return blocks === name ? Number(generation) : undefined;
}

/** A segment file, as the directory lists it. */
export interface SegmentFile {
  readonly firstSequence: number;
  readonly bytes: number;
}

/** The files of a store's directory. Segments and generations are in ascending order. */
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

/** Whether a file of this name belongs to the store. */
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
  // Concurrently: the opening of a small store consists mostly of disk latency.
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

/** Deletes files that may be missing. Files that cannot be deleted stay, and harm nothing. */
export async function deleteLeftovers(fileSystem: FileSystem, directory: string, names: readonly string[]) {
  for (const name of names) await fileSystem.unlink(`${directory}/${name}`).catch(() => undefined);
}
