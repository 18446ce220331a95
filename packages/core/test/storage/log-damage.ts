/** A small store, and everything that damage can do to one of its files. */

import { expect } from "vitest";
import { LoredexError } from "../../src/errors.ts";
import { SimulatedFileSystem } from "../../src/storage/simulated-file-system.ts";
import {
  bytesOf,
  type History,
  historyOn,
  newStore,
  readWhole,
  type SimulatedDisk,
  simulatedDisk,
  storeFiles,
  storePath,
  textOf,
  textsOf,
  writeWhole,
} from "./kit.ts";

/** The records of {@link smallStore}, in order. */
export const RECORDS = Array.from({ length: 14 }, (_, index) => `record ${index + 1} ${"x".repeat((index * 7) % 23)}`);
/** Records from this one on came after the newest snapshot. */
const SNAPSHOTS = [6, 9];

/** Files of a store, by name. */
export type Files = ReadonlyMap<string, Buffer>;

/** A store of a few segments, with two snapshots if asked for; its records were written one by one and some together. */
export async function smallStore(withSnapshots: boolean): Promise<Files> {
  const disk = simulatedDisk();
  const { storage, store } = await newStore(disk, { segmentBytes: 400 });
  const append = (text: string) => store.append(bytesOf(text));
  for (const text of RECORDS.slice(0, 6)) await append(text);
  if (withSnapshots) await store.writeSnapshot(6, sections(6));
  await Promise.all(RECORDS.slice(6, 9).map(append));
  if (withSnapshots) await store.writeSnapshot(9, sections(9));
  for (const text of RECORDS.slice(9, 12)) await append(text);
  await Promise.all(RECORDS.slice(12).map(append));
  await store.close();
  await storage.close();
  const files = new Map<string, Buffer>();
  for (const name of await storeFiles(disk)) files.set(name, await readWhole(disk, storePath(disk, name)));
  return files;
}

function sections(sequence: number) {
  const state = RECORDS.slice(0, sequence).join("\n");
  return [
    { name: "all", version: 1, chunks: [bytesOf(state)] },
    { name: "derived", version: 3, chunks: [bytesOf(`derived of ${sequence}`)] },
  ];
}

/** A fresh disk with a store of these files. */
export async function diskWith(files: Files): Promise<SimulatedDisk> {
  const disk = simulatedDisk(new SimulatedFileSystem());
  for (const path of [disk.directory, `${disk.directory}/stores`, storePath(disk)]) {
    await disk.fileSystem.makeDirectory(path);
  }
  for (const [name, bytes] of files) await writeWhole(disk, storePath(disk, name), bytes);
  return disk;
}

/** All records that a history stands for, out of its snapshot and its log. */
export function stateOf(history: History): string[] {
  const all = history.snapshot?.sections.get("all");
  const before = all === undefined ? [] : textOf(all.bytes).split("\n");
  expect(before.length).toBe(history.snapshot?.sequence ?? 0);
  return [...before, ...textsOf(history)];
}

export type Outcome =
  | { readonly kind: "refused" }
  /** All records, and nothing was found to be amiss. */
  | { readonly kind: "whole" }
  /** All records, thanks to an older snapshot. */
  | { readonly kind: "restored" }
  /** The first `records` records; what came after was set aside, and that was reported. */
  | { readonly kind: "prefix"; readonly records: number };

/**
 * Recovers a store with damage. Fails if anything else comes out than a refusal with a reason, all records, or a prefix
 * of them that is reported and that a second recovery finds as well.
 */
export async function recoverDamaged(files: Files, what: string): Promise<Outcome> {
  const disk = await diskWith(files);
  const before = await storeFiles(disk);
  let history: History;
  try {
    history = await historyOn(disk);
  } catch (error) {
    if (!(error instanceof LoredexError) || error.code !== "CORRUPT") throw error;
    expect(error.message, what).toMatch(/segment-\d{16}\.log is damaged at byte \d+, at record \d+: |No snapshot in /);
    // A refused store is left as it is: someone may still save it.
    expect(await storeFiles(disk), what).toEqual(before);
    for (const [name, bytes] of files) expect((await readWhole(disk, storePath(disk, name))).equals(bytes)).toBe(true);
    return { kind: "refused" };
  }
  const state = stateOf(history);
  expect(state, what).toEqual(RECORDS.slice(0, state.length));
  expect(history.report.lastSequence, what).toBe(state.length);
  if (history.report.tornBytes > 0) {
    const broken = (await storeFiles(disk)).filter((name) => name.endsWith(".broken"));
    expect(broken.length, what).toBe(1);
    const kept = await readWhole(disk, storePath(disk, broken[0] ?? ""));
    expect(kept.length, what).toBe(history.report.tornBytes);
  }
  const again = await historyOn(disk);
  expect(stateOf(again), what).toEqual(state);
  expect(again.report.tornBytes, what).toBe(0);
  if (state.length < RECORDS.length) return { kind: "prefix", records: state.length };
  return history.report.damagedSnapshots > 0 ? { kind: "restored" } : { kind: "whole" };
}

export function withFile(files: Files, name: string, bytes: Buffer): Files {
  return new Map([...files, [name, bytes]]);
}

export function without(files: Files, name: string): Files {
  return new Map([...files].filter(([each]) => each !== name));
}

export function flipped(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
}

/** Names of a kind of file, ascending. */
export function named(files: Files, ending: string): string[] {
  return [...files.keys()].filter((name) => name.endsWith(ending)).sort();
}

export function contentOf(files: Files, name: string): Buffer {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Error(`there is no ${name}`);
  return bytes;
}

/** Where each record of a segment begins, and where the last one ends; the records are found by their lengths. */
export function recordOffsets(segment: Buffer): number[] {
  const offsets = [128];
  let at = 128;
  while (at < segment.length) {
    at += 32 + segment.readUInt32LE(at + 4);
    offsets.push(at);
  }
  return offsets;
}

/** Every change of one bit in every file, `step` bits apart. */
export async function flipEveryBit(files: Files, step: number, offset: number): Promise<Map<Outcome["kind"], number>> {
  const outcomes = new Map<Outcome["kind"], number>();
  for (const [name, bytes] of files) {
    for (let bit = offset % step; bit < bytes.length * 8; bit += step) {
      const what = `${name}, bit ${bit}`;
      const outcome = await recoverDamaged(withFile(files, name, flipped(bytes, bit)), what);
      expect(outcome.kind, `${what} went unnoticed`).not.toBe(expectNotice(name));
      outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
    }
  }
  return outcomes;
}

/** Older files than the newest good snapshot needs are not looked at; damage in all others must be noticed. */
function expectNotice(name: string): Outcome["kind"] | undefined {
  return looked(name) ? "whole" : undefined;
}

const unlooked = new Set<string>();

function looked(name: string): boolean {
  return !unlooked.has(name);
}

/** Names the files that a recovery has no reason to read. */
export function leaveOut(names: readonly string[]): void {
  unlooked.clear();
  for (const name of names) unlooked.add(name);
}

export const NEWEST_SNAPSHOT = SNAPSHOTS.at(-1) ?? 0;
