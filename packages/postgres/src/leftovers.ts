/** Rows that nobody needs any more: those of stores without a name, and request counts of keys that rest. */

import type { Database } from "./database.ts";
import { lease } from "./leases.ts";
import type { Objects } from "./objects.ts";
import { deleteInPieces } from "./pieces.ts";
import { sweepRequests } from "./requests.ts";

/** Tables whose rows belong to one store, in the order in which they are deleted. The head is deleted last: it says that something is left. */
export const TABLES_OF_A_STORE = ["records", "objects", "chunks", "blocks", "leases", "heads"];

const HOUR_MS = 3_600_000;
/** A store without a name counts as left by an interrupted call after this time. */
const LEFT = "interval '1 hour'";
/** A creation that runs says so this often, in milliseconds. */
const KEPT_MS = HOUR_MS / 6;
/** Stores that one call deletes. */
const SWEPT_MAX = 10;
/** The id of no store: the lease of the sweep belongs to all. */
const ALL_STORES = "00000000-0000-0000-0000-000000000000";
/** Shorter than the time between two sweeps of a node, so that its next one finds the lease free. */
const SWEEP_MS = 0.8 * HOUR_MS;

/** Deletes stores without a name. Each hour one node sweeps, which has a lease for it. */
export class Leftovers {
  readonly #database: Database;
  readonly #objects: Objects;
  readonly #hourly: NodeJS.Timeout;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, objects: Objects) {
    this.#database = database;
    this.#objects = objects;
    this.#hourly = setInterval(() => {
      this.#sweeping ??= this.#sweepAll().finally(() => {
        this.#sweeping = undefined;
      });
    }, HOUR_MS);
    this.#hourly.unref();
  }

  /** Waits for a sweep that runs. */
  async close(): Promise<void> {
    clearInterval(this.#hourly);
    await this.#sweeping;
  }

  /** Keeps a store without a name from being swept, until the returned function is called. */
  keep(id: string): () => void {
    const keeping = setInterval(() => {
      const again = `update ${this.#database.table("unnamed")} set since = clock_timestamp() where store = $1`;
      void this.#database.ask(again, [id]).catch(() => undefined);
    }, KEPT_MS);
    keeping.unref();
    return () => clearInterval(keeping);
  }

  /** Deletes everything of a store that has no name. Handles of it are replaced first. */
  async remove(id: string): Promise<void> {
    await this.#database.ask(
      `update ${this.#database.table("heads")} set generation = gen_random_uuid() where store = $1`,
      [id],
    );
    await this.#objects.removeRecords(id, Number.MAX_SAFE_INTEGER);
    await this.#objects.chunks.removeAll(id);
    await deleteInPieces(this.#database, { table: "blocks", store: id });
    await this.#objects.cache?.removeStore(id);
    for (const table of [...TABLES_OF_A_STORE.filter((name) => name !== "chunks"), "unnamed"]) {
      await this.#database.ask(`delete from ${this.#database.table(table)} where store = $1`, [id], { isBulk: true });
    }
  }

  /** Deletes some stores that interrupted creations and removals left. Returns their number. */
  async sweep(): Promise<number> {
    const unnamed = this.#database.table("unnamed");
    // Their rows in `unnamed` are deleted first, so that no creation can name such a store any more. Rows that a sweep leaves are found by a later one.
    const left = await this.#database.ask<{ store: string }>(
      `delete from ${unnamed} where since < clock_timestamp() - ${LEFT}
      and store in (select u.store from ${unnamed} u where u.since < clock_timestamp() - ${LEFT}
        and not exists (select 1 from ${this.#database.table("names")} n where n.store = u.store) limit ${SWEPT_MAX}) returning store`,
    );
    for (const { store } of left) await this.remove(store);
    return left.length;
  }

  /** Never rejects: what could not be deleted is left to the next sweep. */
  async #sweepAll(): Promise<void> {
    try {
      if ((await lease(this.#database, ALL_STORES, "sweep", SWEEP_MS)) === undefined) return;
      await sweepRequests(this.#database);
      for (const table of TABLES_OF_A_STORE) await this.#findLost(table);
      while ((await this.sweep()) > 0);
    } catch {
      // The next sweep begins from the start.
    }
  }

  /** Enters the stores of lost rows as stores without a name, which are deleted an hour later. Rows are lost if they arrive after their store was removed. */
  async #findLost(table: string): Promise<void> {
    const [rows, names, unnamed] = [table, "names", "unnamed"].map((name) => this.#database.table(name));
    // One step in the index for each store, instead of one for each row.
    await this.#database.ask(
      `with recursive found as (
        (select store from ${rows} order by store limit 1)
        union all
        select (select store from ${rows} where store > found.store order by store limit 1) from found where found.store is not null
      )
      insert into ${unnamed} (store) select store from found where store is not null and store <> $1
        and not exists (select 1 from ${names} n where n.store = found.store)
        and not exists (select 1 from ${unnamed} u where u.store = found.store)
      on conflict (store) do nothing`,
      [ALL_STORES],
      { isBulk: true },
    );
  }
}
