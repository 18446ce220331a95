/** The records of a store: they are appended to its head, and read in order. */

import { LoredexError } from "@loredex/core";
import { type Place, placeAfter } from "./chain.ts";
import { type Asking, CLOCK, type Database } from "./database.ts";
import { reasonIn, unreachable } from "./errors.ts";

/** Which history of a store a handle knows. */
export interface Identity {
  readonly store: string;
  /** Another one after each purge. */
  readonly generation: string;
}

/** Most records of one append. */
const BATCH_RECORDS_MAX = 256;
/** Most bytes of one append, and of one answer. A longer record is alone. */
export const BATCH_BYTES_MAX = 4 * 1_048_576;

/** How many of the first items one statement takes: at most `countMax`, and at most `bytesMax` bytes. It takes one in any case. */
export function batchLength<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  [countMax, bytesMax] = [BATCH_RECORDS_MAX, BATCH_BYTES_MAX],
): number {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return index > 0 && (bytes > bytesMax || index === countMax);
  });
  return end === -1 ? items.length : end;
}

/** Records in one answer. */
export const READ_RECORDS = 1_024;

/** Records that no longer follow on each other: one of them is missing, or is not the one that was written. */
export class BrokenChain extends Error {
  constructor(
    readonly sequence: number,
    readonly isMissing: boolean,
  ) {
    super(`Record ${sequence} ${isMissing ? "is missing" : "is not the one that was written"}.`);
  }
}

/** Records of more bytes in one statement may take longer than others on a slow line. */
const BULK_BYTES = 262_144;

/**
 * Appends records to the head that the caller knows, in one round trip. Resolves with whether they were stored: by this call, or by an earlier try whose
 * answer was lost, which had the same operation id. False: another node has appended to this history, or the history is another one.
 * @throws LoredexError `UNREACHABLE` if an answer was lost, and nothing tells any more whether that try has stored them
 */
export async function appendRecords(
  database: Pick<Database, "ask" | "table">,
  { store, generation }: Identity,
  known: Place,
  records: readonly { readonly place: Place; readonly payload: Uint8Array }[],
  operation: string,
): Promise<boolean> {
  const last = records.at(-1)?.place ?? known;
  const values: unknown[] = [
    store,
    generation,
    known.sequence,
    known.digest,
    last.sequence,
    last.digest,
    last.ends,
    operation,
  ];
  const rows = records.map(({ place, payload }) => {
    const at = values.push(place.sequence, place.digest, place.ends, payload);
    return `($${at - 3}::bigint, $${at - 2}::bytea, $${at - 1}::bigint, $${at}::bytea)`;
  });
  let isLost = false;
  const asking: Asking = {
    kind: "append",
    isBulk: records.reduce((sum, { payload }) => sum + payload.length, 0) > BULK_BYTES,
    onLost: () => {
      isLost = true;
    },
  };
  try {
    if (await moveHead(database, rows, values, asking)) return true;
    // Sent once, it has stored nothing. Otherwise the record after the known one tells whether an earlier try has.
    return isLost && (await isOperationOf(database, store, known.sequence + 1, operation));
  } catch (error) {
    if (!isLost || (error instanceof LoredexError && error.code === "UNREACHABLE")) throw error;
    // Whatever refuses this try says nothing of the earlier one.
    throw unreachable(`the answer to an append was lost, and then ${reasonIn(error)}`);
  }
}

/** Moves the head from the known record to the last new one, and inserts the records if that was possible. */
async function moveHead(
  database: Pick<Database, "ask" | "table">,
  rows: readonly string[],
  values: readonly unknown[],
  asking: Asking,
): Promise<boolean> {
  const heads = database.table("heads");
  const [answer] = await database.ask<{ moved: boolean }>(
    `with moved as (
      update ${heads} set head = $5, digest = $6, ends = $7
      where store = $1 and generation = $2 and head = $3 and digest = $4 returning store
    ), stored as (
      insert into ${database.table("records")} (store, sequence, digest, ends, payload, operation)
      select moved.store, r.sequence, r.digest, r.ends, r.payload, $8::uuid
      from moved cross join (values ${rows.join(", ")}) as r (sequence, digest, ends, payload)
    )
    select exists (select 1 from moved) as moved, ${CLOCK} as clock`,
    values,
    asking,
  );
  return answer?.moved === true;
}

/** Whether a record was appended with this operation. @throws Error if it is not stored: a purge or a snapshot may have replaced it */
async function isOperationOf(
  database: Pick<Database, "ask" | "table">,
  store: string,
  sequence: number,
  operation: string,
): Promise<boolean> {
  const [record] = await database.ask<{ operation: string }>(
    `select operation from ${database.table("records")} where store = $1 and sequence = $2`,
    [store, sequence],
  );
  if (record === undefined) throw new Error(`record ${sequence} was deleted`);
  return record.operation === operation;
}

/** A record with the place that it has by its bytes. */
export interface ReadRecord {
  readonly place: Place;
  readonly payload: Buffer;
}

/**
 * Reads the records after a place, up to the record `through`, some megabytes at a time.
 * @throws BrokenChain at the first that is missing or differs
 */
export async function* recordsAfter(
  database: Database,
  store: string,
  after: Place,
  through: number,
): AsyncGenerator<ReadRecord> {
  let place = after;
  while (place.sequence < through) {
    const rows = await database.ask<{ sequence: number; digest: Buffer; payload: Buffer }>(
      `select sequence, digest, payload from ${database.table("records")}
      where store = $1 and sequence > $2 and sequence <= $3 and (ends <= $4 or sequence = $2 + 1) order by sequence`,
      // A range that is closed: with a limit alone the server may sort all that follow, for each batch.
      [store, place.sequence, Math.min(through, place.sequence + READ_RECORDS), place.ends + BATCH_BYTES_MAX],
      { isBulk: true },
    );
    if (rows.length === 0) throw new BrokenChain(place.sequence + 1, true);
    for (const { sequence, digest, payload } of rows) {
      if (sequence !== place.sequence + 1) throw new BrokenChain(place.sequence + 1, true);
      place = placeAfter(place, payload);
      if (!place.digest.equals(digest)) throw new BrokenChain(sequence, false);
      yield { place, payload };
    }
  }
}
