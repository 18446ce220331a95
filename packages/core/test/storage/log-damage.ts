/** A small store, and everything that damage can do to one of its files. */

import { expect } from "vitest";
import { LoredexError } from "../../src/model/errors.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, type History, textOf, textsOf } from "../../testing/told-stores.ts";
import {
  historyOn,
  newStore,
  readWhole,
  type SimulatedDisk,
  simulatedDisk,
  storeFiles,
  storePath,
  writeWhole,
} from "./kit.ts";

/** The records of {@link smallStore}, in order. */
export const RECORDS = Array.from({ length: 14 }, (_, index) => `record ${index + 1} ${"x".repeat((index * 7) % 23)}`);
const NEWEST_SNAPSHOT = 9;
/** Number of the first record of the last flush. */
const LAST_FLUSH = 13;

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
  for (const text of RECORDS.slice(9, LAST_FLUSH - 1)) await append(text);
  await Promise.all(RECORDS.slice(LAST_FLUSH - 1).map(append));
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

/** Names of the files that a recovery of an undamaged store has no reason to read: what an older snapshot would need. */
export function unreadFiles(files: Files): ReadonlySet<string> {
  const manifests = named(files, ".manifest");
  if (manifests.length === 0) return new Set();
  const newest = (manifests.at(-1) ?? "").slice(0, "snapshot-0000000000".length);
  const first = (name: string) => Number(name.slice("segment-".length, -".log".length));
  const needed =
    named(files, ".log")
      .filter((name) => first(name) <= NEWEST_SNAPSHOT + 1)
      .at(-1) ?? "";
  return new Set(
    [...files.keys()].filter((name) => (name.endsWith(".log") ? name < needed : !name.startsWith(newest))),
  );
}

/** Changes every `step`th bit of every file, beginning with bit `offset`; counts what came of it. */
export async function flipBits(files: Files, step: number, offset: number): Promise<Partial<Record<string, number>>> {
  const unread = unreadFiles(files);
  const outcomes: Partial<Record<string, number>> = {};
  for (const [name, bytes] of files) {
    for (let bit = offset % step; bit < bytes.length * 8; bit += step) {
      const what = `${name}, bit ${bit}`;
      const outcome = await recoverDamaged(withFile(files, name, flipped(bytes, bit)), what);
      if (unread.has(name)) expect(outcome.kind, what).toBe("whole");
      else expect(outcome.kind, `${what} went unnoticed`).not.toBe("whole");
      // Only of the last flush there is no telling whether a crash tore it.
      if (outcome.kind === "prefix") expect(outcome.records, what).toBeGreaterThanOrEqual(LAST_FLUSH - 1);
      outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
    }
  }
  return outcomes;
}

/** Cuts every file to every `step`th length; counts what came of it. */
export async function truncateFiles(files: Files, step: number): Promise<Partial<Record<string, number>>> {
  const unread = unreadFiles(files);
  const newest = named(files, ".log").at(-1);
  const outcomes: Partial<Record<string, number>> = {};
  for (const [name, bytes] of files) {
    const ends = name.endsWith(".log") ? recordOffsets(bytes) : [];
    for (let length = 0; length < bytes.length; length += step) {
      const what = `${name}, cut to ${length} bytes`;
      const outcome = await recoverDamaged(withFile(files, name, bytes.subarray(0, length)), what);
      if (unread.has(name)) expect(outcome.kind, what).toBe("whole");
      else expect(outcome.kind, `${what} went unnoticed`).not.toBe("whole");
      // A cut newest segment is what a power cut leaves: what is before the cut must come back, exactly.
      if (name === newest && length >= 128) {
        const whole = ends.filter((end) => end <= length).length - 1;
        const before = Number(name.slice("segment-".length, -".log".length)) - 1;
        if (outcome.kind === "prefix") expect(outcome.records, what).toBe(before + whole);
        else expect(before + whole, what).toBeLessThan(named(files, ".manifest").length > 0 ? NEWEST_SNAPSHOT : 0);
      }
      outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
    }
  }
  return outcomes;
}
