/** Snapshots and caches: rows that say which chunks count. */

import { createHash, randomUUID } from "node:crypto";
import { LoredexError, SECTION_BYTES_MAX, type SnapshotSection } from "@loredex/core";
import type { Place } from "./chain.ts";
import { type ChunkStore, cut, type ObjectKey } from "./chunks.ts";
import type { Database } from "./database.ts";
import type { DiskCache, StoredIds } from "./disk-cache.ts";
import { HEAD_COLUMNS, type Head, type HeadRow, headOf, removedMeanwhile, type SnapshotSize } from "./heads.ts";
import { deleteInPieces } from "./pieces.ts";
import type { Identity } from "./records.ts";

/** One section of a stored snapshot. */
export interface StoredSection {
  readonly name: string;
  readonly version: number;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string;
  readonly isDerived: boolean;
}

/** A complete snapshot: the place of its last record, and its sections. */
export interface StoredSnapshot extends Place {
  readonly object: string;
  readonly bytes: number;
  readonly sections: readonly StoredSection[];
}

/** Snapshots that are kept, so that a damaged one has an older one behind it. */
export const SNAPSHOTS_KEPT = 2;
/** What a writer left that stopped before it was complete is deleted after this time. */
const ABANDONED = "interval '1 hour'";

interface ObjectRow {
  readonly object: string;
  readonly sequence: number;
  readonly digest: Buffer;
  readonly ends: number;
  readonly bytes: number;
  readonly contents: string;
}

/** What a recovery begins with: the columns of a head, the place before the first record, and a snapshot, each row with another one. */
type StoredRow = HeadRow & { readonly pruned: number | null; readonly first_record: number | null } & (
    | ObjectRow
    | { readonly object: null }
  );

/** The snapshots and caches of all stores. A snapshot has the empty name. */
export class Objects implements StoredIds {
  readonly chunks: ChunkStore;
  /** Copies on this node's disk. */
  readonly cache: DiskCache | undefined;
  readonly #database: Database;

  constructor(
    database: Database,
    chunks: ChunkStore,
    cacheOf: (stored: StoredIds) => DiskCache | undefined = () => undefined,
  ) {
    this.#database = database;
    this.chunks = chunks;
    this.cache = cacheOf(this);
  }

  async objects(stores: readonly string[], ids: readonly string[]): Promise<ReadonlySet<string>> {
    const among = (id: string): string => `store = any($1::uuid[]) and ${id} = any($2::uuid[])`;
    const rows = await this.#database.ask<{ id: string }>(
      `select object as id from ${this.#table} where ${among("object")} and complete
      union all select block from ${this.#database.table("blocks")} where ${among("block")}`,
      [stores, ids],
      { isBulk: true },
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** What a recovery begins with, in one question: the head of a store, its snapshots, newest first, and which records were deleted: their bytes, and the last one. */
  async stored(store: string): Promise<{
    readonly head: Head;
    readonly snapshots: StoredSnapshot[];
    readonly prunedEnds: number;
    readonly prunedSequence: number;
  }> {
    const columns = HEAD_COLUMNS.split(", ").map((column) => `h.${column}`);
    const rows = await this.#database.ask<StoredRow & { readonly last_digest: Buffer; readonly last_ends: number }>(
      `select ${columns.join(", ")}, h.digest as last_digest, h.ends as last_ends,
        f.sequence as first_record, f.pruned,
        o.object, o.sequence, o.digest, o.ends, o.bytes, o.contents
      from ${this.#database.table("heads")} h left join ${this.#table} o
        on o.store = h.store and o.generation = h.generation and o.name = '' and o.complete
      left join lateral (select r.sequence, r.ends - length(r.payload) as pruned from ${this.#database.table("records")} r
        where r.store = h.store order by r.sequence limit 1) f on true
      where h.store = $1 order by o.sequence desc, o.since desc, o.object`,
      [store],
    );
    const [first] = rows;
    if (first === undefined) throw removedMeanwhile();
    const head = headOf({ ...first, digest: first.last_digest, ends: first.last_ends });
    const snapshots = rows.flatMap((row) => (row.object === null ? [] : [snapshotIn(row)]));
    const prunedSequence = (first.first_record ?? head.sequence + 1) - 1;
    return { head, snapshots, prunedEnds: first.pruned ?? head.ends, prunedSequence };
  }

  /** The complete snapshots of a history, newest first. */
  async snapshots({ store, generation }: Identity): Promise<StoredSnapshot[]> {
    const rows = await this.#database.ask<ObjectRow>(
      `select object, sequence, digest, ends, bytes, contents from ${this.#table}
      where store = $1 and generation = $2 and name = '' and complete order by sequence desc, since desc, object`,
      [store, generation],
    );
    return rows.map(snapshotIn);
  }

  /** Writes the chunks of a snapshot that does not count yet. Resolves with its object, and the names of derived sections that were too long. */
  async writeSnapshot(
    { store, generation }: Identity,
    place: Place,
    sections: readonly SnapshotSection[],
  ): Promise<{ readonly object: string; readonly bytes: number; readonly tooLong: readonly string[] }> {
    const object = await this.#begin({ store, generation }, "", place);
    try {
      return { object, ...(await this.#writeSections({ store, object }, sections)) };
    } catch (error) {
      await this.remove({ store, object }).catch(() => undefined);
      throw error;
    }
  }

  async #writeSections(
    { store, object }: ObjectKey,
    sections: readonly SnapshotSection[],
  ): Promise<{ readonly bytes: number; readonly tooLong: readonly string[] }> {
    const stored: StoredSection[] = [];
    const tooLong: string[] = [];
    for (const [part, section] of sections.entries()) {
      const written = await this.#writePart({ store, object }, part, section);
      if (written === undefined) tooLong.push(section.name);
      // A section that was left out keeps its number: the others are found by theirs.
      stored.push(written ?? { name: "", version: 0, bytes: 0, digest: "", isDerived: true });
    }
    const bytes = stored.reduce((sum, section) => sum + section.bytes, 0);
    const rows = await this.#database.ask(
      `update ${this.#table} set bytes = $3, contents = $4 where store = $1 and object = $2 returning 1`,
      [store, object, bytes, JSON.stringify(stored)],
    );
    if (rows.length === 0) {
      await this.stored(store); // Throws if another node has removed the store.
      throw new LoredexError("STORAGE_FAILED", "The snapshot was deleted meanwhile: it took too long, or was purged.");
    }
    return { bytes, tooLong };
  }

  /**
   * Makes a written snapshot count, unless one of the same or a later record does, or the history is another one: then deletes it. Tells which.
   * @param again it replaces one of the same record
   */
  async completeSnapshot(
    { store, generation }: Identity,
    object: string,
    size: SnapshotSize,
    again: boolean,
  ): Promise<boolean> {
    await this.#database.ask(
      `with later as (
        update ${this.#database.table("heads")} set snapshot_sequence = $4, snapshot_ends = $5, snapshot_bytes = $6
        where store = $1 and generation = $2 and snapshot_sequence ${again ? "<=" : "<"} $4 returning store
      )
      update ${this.#table} set complete = true, since = clock_timestamp() where store = $1 and object = $3 and exists (select 1 from later)`,
      [store, generation, object, size.sequence, size.ends, size.bytes],
    );
    const counts = await this.#database.ask(
      `select 1 from ${this.#table} where store = $1 and object = $2 and complete`,
      [store, object],
    );
    if (counts.length > 0) return true;
    await this.remove({ store, object });
    return false;
  }

  /** Deletes what a later snapshot replaces, and what stopped writers left. */
  async prune(identity: Identity): Promise<void> {
    const { store, generation } = identity;
    const oldest = (await this.snapshots(identity))[SNAPSHOTS_KEPT - 1];
    await this.#removeObjects(
      `where store = $1 and (${this.#left} or (complete and name = '' and generation = $2
        and (sequence, since) < (select k.sequence, k.since from ${this.#table} k where k.store = $1 and k.object = $3)))`,
      [store, generation, oldest?.object ?? null],
    );
    if (oldest !== undefined) await this.removeRecords(store, oldest.sequence);
  }

  /**
   * Deletes everything of a store's history that a snapshot replaces: the purge of it. Resolves with the deleted bytes.
   * @param before the generation that the purge has ended
   * @param through the last record that is deleted
   */
  async removeAllBut(
    { store, generation }: Identity,
    before: string,
    snapshot: { readonly object: string; readonly sequence: number },
    through: number,
  ): Promise<number> {
    // Another node may purge already, which has a generation of its own, or may have written a later snapshot.
    const objects = await this.#removeObjects(
      `where store = $1 and object <> $2 and (${this.#left} or generation = $3
        or (complete and name = '' and generation = $4 and sequence < $5))`,
      [store, snapshot.object, before, generation, snapshot.sequence],
    );
    return objects + (await this.removeRecords(store, through));
  }

  /** Deletes the records up to this one. Resolves with their bytes. */
  removeRecords(store: string, through: number): Promise<number> {
    return deleteInPieces(this.#database, { table: "records", store, where: "sequence <= $2", values: [through] });
  }

  /** Replaces the cache of a name. */
  async writeCache(identity: Identity, name: string, bytes: Uint8Array): Promise<void> {
    const { store } = identity;
    const object = await this.#begin(identity, name, { sequence: 0, digest: Buffer.alloc(0), ends: 0 });
    await this.#writePart({ store, object }, 0, { name, version: 0, chunks: [bytes] });
    await this.#database.ask(`update ${this.#table} set complete = true, bytes = $3 where store = $1 and object = $2`, [
      store,
      object,
      bytes.length,
    ]);
    await this.#removeObjects("where store = $1 and name = $2 and complete and object <> $3", [store, name, object]);
  }

  async readCache({ store, generation }: Identity, name: string): Promise<Uint8Array | undefined> {
    const rows = await this.#database.ask<{ object: string; bytes: number }>(
      `select object, bytes from ${this.#table} where store = $1 and name = $2 and generation = $3 and complete
      order by since desc limit 1`,
      [store, name, generation],
    );
    if (rows[0] === undefined) return undefined;
    const { object, bytes } = rows[0];
    const [kept] = (await this.cache?.read({ store, object }, [bytes])) ?? [];
    if (kept !== undefined) return kept;
    const pieces: Uint8Array[] = [];
    for await (const chunk of this.chunks.read({ store, object }, 0, [bytes])) pieces.push(chunk.bytes);
    const read = Buffer.concat(pieces);
    if (read.length === bytes) this.cache?.write({ store, object }, [read]);
    return read;
  }

  /** The sections of a snapshot, from the disk if they are there. See {@link sections}. */
  async load(store: string, snapshot: StoredSnapshot): Promise<readonly (Uint8Array | string)[]> {
    const key = { store, object: snapshot.object };
    const kept = await this.cache?.read(
      key,
      snapshot.sections.map(({ bytes }) => bytes),
    );
    if (kept !== undefined) return kept;
    const read: (Uint8Array | string)[] = [];
    for await (const section of this.sections(store, snapshot)) read.push(section);
    const whole = read.filter((section) => typeof section !== "string");
    if (whole.length === read.length) this.cache?.write(key, whole);
    return read;
  }

  /** Reads the sections of a snapshot in their order; instead of one whose bytes are not the written ones, a reason. */
  async *sections(store: string, { object, sections }: StoredSnapshot): AsyncGenerator<Uint8Array | string> {
    const lengths = sections.map(({ bytes }) => bytes);
    const chunks = this.chunks.read({ store, object }, 0, lengths)[Symbol.asyncIterator]();
    let next = await chunks.next();
    for (const [part, section] of sections.entries()) {
      const filled = new FilledSection(section);
      for (; next.done !== true && next.value.part === part; next = await chunks.next()) filled.add(next.value.bytes);
      yield filled.end();
    }
  }

  async #begin({ store, generation }: Identity, name: string, { sequence, digest, ends }: Place): Promise<string> {
    const object = randomUUID();
    await this.#database.ask(
      `insert into ${this.#table} (store, object, name, generation, sequence, digest, ends) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (store, object) do nothing`,
      [store, object, name, generation, sequence, digest, ends],
    );
    return object;
  }

  async #writePart(
    key: ObjectKey,
    part: number,
    { name, version, chunks, isDerived = false }: SnapshotSection,
  ): Promise<StoredSection | undefined> {
    const hash = createHash("sha256");
    let bytes = 0;
    let number = 0;
    for await (const chunk of cut(chunks)) {
      bytes += chunk.length;
      if (bytes > SECTION_BYTES_MAX) {
        if (isDerived) return undefined;
        throw new LoredexError("STORAGE_FAILED", `Section "${name}" has more than ${SECTION_BYTES_MAX} bytes.`);
      }
      hash.update(chunk);
      await this.chunks.write(key, part, number, chunk);
      number += 1;
    }
    return { name, version, bytes, digest: hash.digest("hex"), isDerived };
  }

  /** Deletes an object that does not count, or is not wanted any more. Deleted ones are no error. */
  async remove({ store, object }: ObjectKey): Promise<void> {
    // An object without its chunks must not count.
    await this.#database.ask(`update ${this.#table} set complete = false where store = $1 and object = $2`, [
      store,
      object,
    ]);
    // Chunks before their row: the row of an interrupted deletion says what is left.
    await this.chunks.remove({ store, object });
    await this.#database.ask(`delete from ${this.#table} where store = $1 and object = $2`, [store, object]);
    void this.cache?.remove({ store, object });
  }

  /** Deletes objects. Resolves with their bytes. */
  async #removeObjects(where: string, values: readonly unknown[]): Promise<number> {
    const rows = await this.#database.ask<ObjectKey & { readonly bytes: number }>(
      `select store, object, bytes from ${this.#table} ${where}`,
      values,
    );
    for (const row of rows) await this.remove(row);
    return rows.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * The condition of objects that nobody needs: complete ones of a history that ended, and those whose writer stopped. An incomplete one of another
   * generation may be a purge that another node has begun: its generation counts later. `$1` is the store.
   */
  get #left(): string {
    return `(complete and generation <> (select generation from ${this.#database.table("heads")} where store = $1))
      or (not complete and since < clock_timestamp() - ${ABANDONED})`;
  }

  get #table(): string {
    return this.#database.table("objects");
  }
}

/** A section that is being read. */
class FilledSection {
  readonly #section: StoredSection;
  readonly #bytes: Buffer;
  readonly #hash = createHash("sha256");
  #length = 0;

  constructor(section: StoredSection) {
    this.#section = section;
    this.#bytes = Buffer.allocUnsafeSlow(section.bytes);
  }

  add(chunk: Uint8Array): void {
    if (this.#length + chunk.length <= this.#bytes.length) this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
    this.#hash.update(chunk);
  }

  /** The bytes, or the reason why they are not the written ones. */
  end(): Uint8Array | string {
    const missing = this.#bytes.length - this.#length;
    if (missing > 0) return `${missing} bytes of it are missing`;
    if (missing < 0) return "it has too many bytes";
    const { name, digest } = this.#section;
    return name === "" || this.#hash.digest("hex") === digest ? this.#bytes : "its checksum differs";
  }
}

function snapshotIn({ object, sequence, digest, ends, bytes, contents }: ObjectRow): StoredSnapshot {
  return { object, sequence, digest, ends, bytes, sections: sectionsIn(contents) };
}

function sectionsIn(contents: string): StoredSection[] {
  const parsed: unknown = JSON.parse(contents);
  return Array.isArray(parsed) ? parsed.filter(isSection) : [];
}

function isSection(given: unknown): given is StoredSection {
  return typeof given === "object" && given !== null && "name" in given && "bytes" in given && "digest" in given;
}

/** The sizes of a snapshot, as the head of its store has them. */
export function sizeOf(place: Place, bytes: number): SnapshotSize {
  return { sequence: place.sequence, ends: place.ends, bytes };
}
