/** The bytes of snapshots and caches: parts of any length, in chunks. A small port, so that they may lie elsewhere than in the database. */

import type { Database } from "./database.ts";

/** Bytes of a chunk; the last one of a part may be shorter. */
const CHUNK_BYTES = 1_048_576;
/** Chunks in one answer. */
const READ_CHUNKS = 4;

/** Where an object lies: the store, and the object in it. */
export interface ObjectKey {
  readonly store: string;
  readonly object: string;
}

/** Holds the chunks of objects. An object counts once the database says so: chunks of others are deleted some time. */
export interface ChunkStore {
  /** Writes a chunk of an object that the database knows; does nothing for others. */
  write(key: ObjectKey, part: number, number: number, bytes: Uint8Array): Promise<void>;
  /** The chunks of a part in order. Missing ones are left out. */
  read(key: ObjectKey, part: number): AsyncIterable<Uint8Array>;
  /** Deletes all chunks of an object. Deleted ones are no error. */
  remove(key: ObjectKey): Promise<void>;
  /** Deletes all chunks of a store. */
  removeAll(store: string): Promise<void>;
}

/** Chunks as rows. */
export class ChunkRows implements ChunkStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async write({ store, object }: ObjectKey, part: number, number: number, bytes: Uint8Array): Promise<void> {
    await this.#database.ask(
      // Nothing is written for an object that was deleted meanwhile, as by a purge: nobody would delete it.
      `insert into ${this.#table} (store, object, part, number, bytes) select $1, $2, $3, $4, $5
      where exists (select 1 from ${this.#database.table("objects")} where store = $1 and object = $2)
      on conflict (store, object, part, number) do nothing`,
      [store, object, part, number, bytes],
      { isBulk: true },
    );
  }

  async *read({ store, object }: ObjectKey, part: number): AsyncGenerator<Uint8Array> {
    for (let from = 0; ; from += READ_CHUNKS) {
      const rows = await this.#database.ask<{ bytes: Buffer }>(
        `select bytes from ${this.#table} where store = $1 and object = $2 and part = $3 and number >= $4 and number < $5
        order by number`,
        [store, object, part, from, from + READ_CHUNKS],
        { isBulk: true },
      );
      for (const { bytes } of rows) yield bytes;
      if (rows.length < READ_CHUNKS) return;
    }
  }

  async remove({ store, object }: ObjectKey): Promise<void> {
    await this.#database.ask(`delete from ${this.#table} where store = $1 and object = $2`, [store, object], {
      isBulk: true,
    });
  }

  async removeAll(store: string): Promise<void> {
    await this.#database.ask(`delete from ${this.#table} where store = $1`, [store], { isBulk: true });
  }

  get #table(): string {
    return this.#database.table("chunks");
  }
}

/** Cuts bytes into chunks of {@link CHUNK_BYTES}. */
export async function* cut(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + CHUNK_BYTES - length);
      chunk.set(part, length);
      length += part.length;
      from += part.length;
      if (length < CHUNK_BYTES) continue;
      yield chunk;
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      length = 0;
    }
  }
  if (length > 0) yield chunk.subarray(0, length);
}
