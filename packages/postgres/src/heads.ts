/** Questions for the last records of stores. */

import { LoredexError } from "@loredex/core";
import type { Place } from "./chain.ts";
import { CLOCK, type Database, READS_ONLY } from "./database.ts";

/** The last record of a store, and its newest snapshot. */
export interface Head extends Place {
  readonly generation: string;
  readonly snapshot: SnapshotSize;
}

/** The newest complete snapshot of a store; all are 0 if there is none. */
export interface SnapshotSize {
  readonly sequence: number;
  /** Bytes of the records that it covers. */
  readonly ends: number;
  readonly bytes: number;
}

export interface HeadRow {
  readonly store: string;
  readonly generation: string;
  readonly head: number;
  readonly digest: Buffer;
  readonly ends: number;
  readonly snapshot_sequence: number;
  readonly snapshot_ends: number;
  readonly snapshot_bytes: number;
}

/** The columns of a {@link HeadRow}. */
export const HEAD_COLUMNS = "store, generation, head, digest, ends, snapshot_sequence, snapshot_ends, snapshot_bytes";

export function headOf(row: HeadRow): Head {
  const { generation, head: sequence, digest, ends } = row;
  const snapshot = { sequence: row.snapshot_sequence, ends: row.snapshot_ends, bytes: row.snapshot_bytes };
  return { generation, sequence, digest, ends, snapshot };
}

/** The error of a store that has no head any more. */
export function removedMeanwhile(): LoredexError {
  return new LoredexError("REPLACED", "The store was removed meanwhile.");
}

interface Question {
  readonly store: string;
  readonly resolve: (head: Head | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Most questions of one query. */
const QUESTIONS_MAX = 1_000;

/** Asks for the heads of all stores that wait, in one query at a time. A question is never answered by a query that was sent before it. */
export class Heads {
  readonly #database: Database;
  #waiting: Question[] = [];
  #asking: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The head of a store; undefined if the store was removed. */
  of(store: string): Promise<Head | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ store, resolve, reject });
      // In a microtask, so that questions of one turn share a query.
      this.#asking ??= Promise.resolve().then(() => this.#askAll());
    });
  }

  async #askAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const questions = this.#waiting.slice(0, QUESTIONS_MAX);
      this.#waiting = this.#waiting.slice(QUESTIONS_MAX);
      try {
        const heads = await this.#ask([...new Set(questions.map(({ store }) => store))]);
        for (const { store, resolve } of questions) resolve(heads.get(store));
      } catch (error) {
        for (const { reject } of questions) reject(error);
      }
    }
    this.#asking = undefined;
  }

  async #ask(stores: readonly string[]): Promise<ReadonlyMap<string, Head>> {
    const rows = await this.#database.ask<HeadRow & { reads_only: boolean }>(
      `select ${HEAD_COLUMNS}, ${READS_ONLY} as reads_only, ${CLOCK} as clock from ${this.#database.table("heads")}
      where store = any($1::uuid[])`,
      [stores],
      { kind: "head" },
    );
    this.#database.refuseReader(rows[0]?.reads_only);
    return new Map(rows.map((row) => [row.store, headOf(row)]));
  }
}
