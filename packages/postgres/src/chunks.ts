/** The bytes of snapshots and caches: parts of any length, in chunks. A small port, so that they may lie elsewhere than in the database. */

import type { Database } from "./database.ts";
import { deleteInPieces } from "./pieces.ts";

/** Bytes of a chunk; the last one of a part may be shorter. */
const CHUNK_BYTES = 1_048_576;
/** Bytes in one answer. */
const READ_BYTES = 4 * CHUNK_BYTES;

/** Where an object lies: the store, and the object in it. */
export interface ObjectKey {
  readonly store: string;
  readonly object: string;
}

/** A chunk, and the number of its part. */
export interface Chunk {
  readonly part: number;
  readonly bytes: Buffer;
}

/** Holds the chunks of objects. An object counts once the database says so: chunks of others are deleted some time. */
export interface ChunkStore {
  /** Writes a chunk of an object that the database knows; does nothing for others. */
  write(key: ObjectKey, part: number, number: number, bytes: Uint8Array): Promise<void>;
  /** The chunks of consecutive parts from number `first` on, in order. The lengths of the parts say how much is asked for at once. Missing chunks are left out. */
  read(key: ObjectKey, first: number, lengths: readonly number[]): AsyncIterable<Chunk>;
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

  async *read({ store, object }: ObjectKey, first: number, lengths: readonly number[]): AsyncGenerator<Chunk> {
    const cuts = cutsOf(first, lengths);
    const ask = (index: number): Promise<Chunk[]> | undefined => {
      const [from, to] = [cuts[index], cuts[index + 1]];
      if (from === undefined || to === undefined) return undefined;
      const asked = this.#database.ask<Chunk>(
        `select part, bytes from ${this.#table} where store = $1 and object = $2
        and (part, number) >= ($3::integer, $4::integer) and (part, number) < ($5::integer, $6::integer) order by part, number`,
        [store, object, ...from, ...to],
        { isBulk: true },
      );
      // The caller may stop before it has come to this answer.
      asked.catch(() => undefined);
      return asked;
    };
    for (let index = 0, next = ask(0); next !== undefined; ) {
      const chunks = await next;
      index += 1;
      // The server reads on while these are worked on.
      next = ask(index);
      yield* chunks;
    }
  }

  async remove({ store, object }: ObjectKey): Promise<void> {
    await deleteInPieces(this.#database, { table: "chunks", store, where: "object = $2", values: [object] });
  }

  async removeAll(store: string): Promise<void> {
    await deleteInPieces(this.#database, { table: "chunks", store });
  }

  get #table(): string {
    return this.#database.table("chunks");
  }
}

/** Where an answer begins and the one before it ends, as numbers of a part and of a chunk in it. */
function cutsOf(first: number, lengths: readonly number[]): (readonly [part: number, number: number])[] {
  const cuts: (readonly [number, number])[] = [[first, 0]];
  let bytes = 0;
  for (const [index, length] of lengths.entries()) {
    for (let number = 0; number * CHUNK_BYTES < length; number += 1) {
      const chunk = Math.min(CHUNK_BYTES, length - number * CHUNK_BYTES);
      if (bytes > 0 && bytes + chunk > READ_BYTES) {
        cuts.push([first + index, number]);
        bytes = 0;
      }
      bytes += chunk;
    }
  }
  return [...cuts, [first + lengths.length, 0]];
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
