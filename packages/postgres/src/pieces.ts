/** Deletions of many rows, in pieces: each statement ends in time, and what is deleted stays deleted if a later one fails. */

import type { Database } from "./database.ts";

/** Rows and bytes after which a piece ends. A row is never cut. */
export const PIECE_ROWS = 2_000;
export const PIECE_BYTES = 32 * 1_048_576;

/** Tables with many bytes: the rest of their keys, which begin with the store, and the column with the bytes. */
const TABLES = {
  records: { key: { sequence: "bigint" }, bytes: "payload" },
  chunks: { key: { object: "uuid", part: "integer", number: "integer" }, bytes: "bytes" },
  blocks: { key: { name: "text", number: "bigint", block: "uuid" }, bytes: "bytes" },
} as const;

/** What is deleted of a table with many bytes. */
export interface Deletion {
  readonly table: keyof typeof TABLES;
  readonly store: string;
  /** Which rows of the store. Their table is `t`, and `$2` the first of the values. Default: all. */
  readonly where?: string;
  readonly values?: readonly unknown[];
}

/** The last key of a piece, and its size. */
interface Piece {
  readonly last: readonly unknown[];
  readonly count: number;
  readonly bytes: number;
  /** Bytes that this statement has deleted: another node may have been quicker. */
  readonly deleted: number;
}

/**
 * Deletes rows of a store in the order of their keys. Each piece begins behind the one before, since a server reads past deleted rows for a while.
 * Resolves with the deleted bytes. @param isStopped asked before each piece; the rest stays
 */
export async function deleteInPieces(
  database: Database,
  deletion: Deletion,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let deleted = 0;
  let after: readonly unknown[] = [];
  while (!isStopped()) {
    const piece = await deletePiece(database, deletion, after);
    deleted += piece.deleted;
    if (piece.count < PIECE_ROWS && piece.bytes < PIECE_BYTES) break;
    after = piece.last;
  }
  return deleted;
}

/** @param after the key that the piece begins behind; empty for the first */
async function deletePiece(
  database: Database,
  { table, store, where = "true", values = [] }: Deletion,
  after: readonly unknown[],
): Promise<Piece> {
  const { key, bytes } = TABLES[table];
  const columns = Object.keys(key);
  const list = columns.join(", ");
  const begin = Object.values(key).map((type, index) => `$${values.length + 2 + index}::${type}`);
  const rows = await database.ask<Record<string, unknown> & Omit<Piece, "last">>(
    `with next as (
      select ${list}, length(${bytes}) as size from ${database.table(table)} t
      where store = $1 and (${where})${after.length === 0 ? "" : ` and (${list}) > (${begin.join(", ")})`}
      order by ${list} limit ${PIECE_ROWS}
    ), piece as (
      select * from (select next.*, sum(size) over (order by ${list}) - size as before from next) as n where before < ${PIECE_BYTES}
    ), gone as (
      delete from ${database.table(table)} t using piece p
      where t.store = $1 and ${columns.map((column) => `t.${column} = p.${column}`).join(" and ")} returning size
    )
    select ${list}, (select count(*) from piece) as count, (select sum(size)::bigint from piece) as bytes,
      (select coalesce(sum(size), 0)::bigint from gone) as deleted
    from piece order by ${columns.map((column) => `${column} desc`).join(", ")} limit 1`,
    [store, ...values, ...after],
    { isBulk: true },
  );
  const [row] = rows;
  if (row === undefined) return { last: [], count: 0, bytes: 0, deleted: 0 };
  return { last: columns.map((column) => row[column]), count: row.count, bytes: row.bytes, deleted: row.deleted };
}
