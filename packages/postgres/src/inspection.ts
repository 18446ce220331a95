/** Reads a store to say what of it is whole. */

import type {
  DamagedSection,
  LostRecords,
  SalvageVisitor,
  StoreCondition,
  StoreProblem,
  StoreSalvage,
} from "@loredex/core";
import { type Place, placeAfter, startOf } from "./chain.ts";
import type { Database } from "./database.ts";
import type { Head } from "./heads.ts";
import type { Objects, StoredSnapshot } from "./objects.ts";
import { BATCH_BYTES_MAX, READ_RECORDS } from "./records.ts";
import { headIn } from "./recover.ts";

/** A missing store, as an inspection tells of it. */
export function missingStore(name: string): StoreCondition {
  const problem = { file: name, offset: 0, sequence: 1, reason: "it is missing" };
  return { files: 0, bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems: [problem] };
}

/** Times that an inspection begins again, because an open store deleted what it was about to read. */
const RESTARTS_MAX = 5;

/** The condition of a store, which may be written to meanwhile. */
export async function verify(
  database: Database,
  objects: Objects,
  name: string,
  store: string,
): Promise<StoreCondition> {
  for (let restarts = 0; ; restarts += 1) {
    const before = await headIn(database, store);
    const { condition } = await inspect(database, objects, name, store);
    if (condition.problems.length === 0 || restarts === RESTARTS_MAX) return condition;
    const after = await headIn(database, store);
    const isSame = after.generation === before.generation && after.snapshot.sequence === before.snapshot.sequence;
    if (isSame) return condition;
  }
}

/** Reads and checks everything that a recovery may rely on, and hands out what is whole. */
export async function inspect(
  database: Database,
  objects: Objects,
  name: string,
  store: string,
  visitor?: SalvageVisitor,
): Promise<StoreSalvage> {
  const head = await headIn(database, store);
  const snapshots = await objects.snapshots({ store, generation: head.generation });
  const sections = await inspectSections(objects, name, store, snapshots, visitor);
  const records = await inspectRecords(database, name, store, head, snapshots, visitor);
  const condition: StoreCondition = {
    files: snapshots.length,
    bytes: sections.bytes + records.bytes,
    records: records.count,
    lastSequence: head.sequence,
    tornBytes: 0,
    problems: [...sections.problems, ...records.problems],
  };
  const found = { missing: records.missing, condition, logProblems: records.problems };
  await visitor?.damaged?.(sections.damaged, found);
  return found;
}

async function inspectSections(
  objects: Objects,
  name: string,
  store: string,
  snapshots: readonly StoredSnapshot[],
  visitor: SalvageVisitor | undefined,
): Promise<{ readonly bytes: number; readonly problems: StoreProblem[]; readonly damaged: DamagedSection[] }> {
  const problems: StoreProblem[] = [];
  const damaged: DamagedSection[] = [];
  const told = new Set<string>();
  let bytes = 0;
  for (const snapshot of snapshots) {
    const { sequence } = snapshot;
    let part = -1;
    for await (const read of objects.sections(store, snapshot)) {
      part += 1;
      const section = snapshot.sections[part];
      if (section === undefined || section.name === "") continue;
      bytes += section.bytes;
      if (typeof read !== "string") {
        const loaded = { name: section.name, version: section.version, bytes: read };
        if (!told.has(section.name)) await visitor?.section(loaded, sequence);
        told.add(section.name);
        continue;
      }
      const number = part;
      const derived = section.isDerived ? { isDerived: true as const } : {};
      problems.push({ file: `${name}: section ${section.name}`, offset: 0, sequence, reason: read, ...derived });
      damaged.push({ name: section.name, sequence, read: () => rawSection(objects, store, snapshot, number) });
    }
  }
  return { bytes, problems, damaged };
}

/** The stored bytes of a section, whatever they are. */
async function rawSection(
  objects: Objects,
  store: string,
  { object, sections }: StoredSnapshot,
  part: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const lengths = [sections[part]?.bytes ?? 0];
  for await (const { bytes } of objects.chunks.read({ store, object }, part, lengths)) pieces.push(bytes);
  return Buffer.concat(pieces);
}

interface FoundRecords {
  bytes: number;
  count: number;
  readonly problems: StoreProblem[];
  readonly missing: LostRecords[];
}

async function inspectRecords(
  database: Database,
  name: string,
  store: string,
  head: Head,
  snapshots: readonly StoredSnapshot[],
  visitor: SalvageVisitor | undefined,
): Promise<FoundRecords> {
  const found: FoundRecords = { bytes: 0, count: 0, problems: [], missing: [] };
  // Records up to the oldest snapshot may be deleted: those that a recovery needs come after it.
  const needed = snapshots.at(-1) ?? startOf(store);
  let place: Place | undefined;
  let last = 0;
  const gap = (next: number): void => {
    if (next === last + 1) return;
    found.missing.push({ firstSequence: last + 1, lastSequence: next - 1 });
    if (next - 1 > needed.sequence) {
      const sequence = Math.max(last, needed.sequence) + 1;
      found.problems.push({ file: `${name}: records`, offset: 0, sequence, reason: "it is missing" });
    }
    place = undefined;
  };
  for await (const row of storedRecords(database, store, head.sequence)) {
    gap(row.sequence);
    const before = place ?? (row.sequence === needed.sequence + 1 ? needed : undefined);
    const isWhole = before === undefined || placeAfter(before, row.payload).digest.equals(row.digest);
    last = row.sequence;
    place = { sequence: row.sequence, digest: row.digest, ends: row.ends };
    found.bytes += row.payload.length;
    if (isWhole) {
      found.count += 1;
      await visitor?.record(row.sequence, row.payload);
    } else {
      found.missing.push({ firstSequence: row.sequence, lastSequence: row.sequence });
      found.problems.push({
        file: `${name}: records`,
        offset: 0,
        sequence: row.sequence,
        reason: "its digest differs",
      });
    }
  }
  gap(head.sequence + 1);
  return found;
}

interface RecordRow extends Place {
  readonly payload: Buffer;
}

/** All stored records in order, some megabytes at a time. */
async function* storedRecords(database: Database, store: string, through: number): AsyncGenerator<RecordRow> {
  const records = database.table("records");
  for (let last = 0; ; ) {
    const rows = await database.ask<RecordRow>(
      `with next as (select min(sequence) as sequence from ${records} where store = $1 and sequence > $2)
      select r.sequence, r.digest, r.ends, r.payload from ${records} r, next
      where r.store = $1 and r.sequence >= next.sequence and r.sequence < next.sequence + ${READ_RECORDS} and r.sequence <= $3 and (r.sequence = next.sequence or r.ends <= $4 + (select ends from ${records} where store = $1 and sequence = next.sequence))
      order by r.sequence`,
      [store, last, through, BATCH_BYTES_MAX],
      { isBulk: true },
    );
    yield* rows;
    if (rows.length === 0) return;
    last = rows.at(-1)?.sequence ?? last;
  }
}
