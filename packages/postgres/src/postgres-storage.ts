import { randomUUID } from "node:crypto";
import {
  type Creation,
  type FirstSnapshot,
  LoredexError,
  type SalvageVisitor,
  type SharedStorage,
  type Storage,
  type Store,
  type StoreCondition,
  type StoreSalvage,
  storageKit,
} from "@loredex/core";
import { startOf } from "./chain.ts";
import { ChunkRows } from "./chunks.ts";
import { type Database, READS_ONLY } from "./database.ts";
import type { DiskCache, StoredIds } from "./disk-cache.ts";
import { GRANT } from "./errors.ts";
import { type Head, Heads } from "./heads.ts";
import { inspect, missingStore, verify } from "./inspection.ts";
import { Leftovers, TABLES_OF_A_STORE } from "./leftovers.ts";
import { Objects, sizeOf } from "./objects.ts";
import { PostgresStore, type StoreDeps } from "./postgres-store.ts";
import { admit } from "./requests.ts";

/** Implements {@link Storage} on PostgreSQL. */
export class PostgresStorage implements Storage {
  readonly shared: SharedStorage;
  readonly #database: Database;
  readonly #deps: StoreDeps;
  readonly #leftovers: Leftovers;
  readonly #names = new storageKit.StoreNames();

  constructor(database: Database, cacheOf?: (stored: StoredIds) => DiskCache | undefined) {
    this.#database = database;
    const objects = new Objects(database, new ChunkRows(database), cacheOf);
    this.#deps = { database, heads: new Heads(database), objects };
    this.#leftovers = new Leftovers(database, objects);
    this.shared = {
      nowMs: () => database.clock.nowMs(),
      silentMs: () => database.clock.silentMs(),
      admit: async (name, perMinute) => {
        this.#names.refuseIfClosed();
        return admit(database, name, perMinute);
      },
      observe: (tell) => database.observe(tell),
    };
  }

  create(name: string, first?: FirstSnapshot, how: Creation = {}): Promise<void> {
    return this.#names.during(name, async () => {
      const old = await this.#find(name);
      if (old !== undefined && how.replaces !== true) throw taken(name);
      // A store without a head is damaged: nobody appends to it.
      const oldHead = old === undefined ? undefined : await this.#deps.heads.of(old);
      const id = randomUUID();
      const endKeeping = this.#leftovers.keep(id);
      try {
        await this.#make(id, first);
        if (how.check !== undefined) await this.#check(id, how.check);
        await this.#name(name, id, old, oldHead);
      } catch (error) {
        await this.#leftovers.remove(id).catch(() => undefined);
        throw error;
      } finally {
        endKeeping();
      }
      // The store has its name: what cannot be deleted now is swept later.
      if (old !== undefined) await this.#leftovers.remove(old).catch(() => undefined);
      await this.#leftovers.sweep().catch(() => undefined);
    });
  }

  async exists(name: string): Promise<boolean> {
    this.#names.check(name);
    return (await this.#find(name)) !== undefined;
  }

  async open(name: string): Promise<Store> {
    this.#names.take(name);
    try {
      const id = await this.#find(name);
      if (id === undefined) throw new LoredexError("CORRUPT", `The store "${name}" is missing.`);
      return new PostgresStore(this.#deps, id, () => this.#names.free(name));
    } catch (error) {
      this.#names.free(name);
      throw error;
    }
  }

  async verify(name: string): Promise<StoreCondition> {
    this.#names.check(name);
    const id = await this.#find(name);
    return id === undefined ? missingStore(name) : verify(this.#database, this.#deps.objects, name, id);
  }

  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage> {
    return this.#names.during(name, async () => {
      const id = await this.#find(name);
      if (id !== undefined) return inspect(this.#database, this.#deps.objects, name, id, visitor);
      const condition = missingStore(name);
      return { missing: [], condition, logProblems: condition.problems };
    });
  }

  async requireAccess(name: string): Promise<void> {
    this.#names.check(name);
    const tables = ["names", "unnamed", "requests", ...TABLES_OF_A_STORE].map((table) => this.#database.table(table));
    const rights = ["select", "insert", "update", "delete"];
    const lacking = await this.#database.ask<{ name: string; right: string }>(
      `select t.name, r.right from unnest($1::text[]) as t (name), unnest($2::text[]) as r ("right")
      where not has_table_privilege(t.name, r.right)`,
      [tables, rights],
    );
    const [lack] = lacking;
    if (lack !== undefined) {
      throw new LoredexError(
        "NO_ACCESS",
        `The role of PostgreSQL may not ${lack.right} rows of ${lack.name}. ${GRANT}`,
      );
    }
  }

  /** Writes a row of `unnamed` and deletes it. */
  async requireWritable(): Promise<void> {
    this.#names.refuseIfClosed();
    const [server] = await this.#database.ask<{ reads_only: boolean }>(`select ${READS_ONLY} as reads_only`);
    this.#database.refuseReader(server?.reads_only);
    const unnamed = this.#database.table("unnamed");
    const id = randomUUID();
    await this.#database.ask(`insert into ${unnamed} (store) values ($1) on conflict (store) do nothing`, [id]);
    await this.#database.ask(`delete from ${unnamed} where store = $1`, [id]);
  }

  remove(name: string, decidedOn?: string): Promise<void> {
    return this.#names.during(name, async () => {
      const [names, heads] = [this.#database.table("names"), this.#database.table("heads")];
      const [store, digest] = decidedOn?.split(" ") ?? [];
      // The row is locked to the end of the statement: an append waits for it, or came before and is seen.
      const [gone] = await this.#database.ask<{ store: string }>(
        `with decided as (select 1 from ${heads} where store = $2 and digest = $3 for share),
        gone as (delete from ${names} where name = $1 and ($2::uuid is null or exists (select 1 from decided)) returning store)
        insert into ${this.#database.table("unnamed")} (store) select store from gone
        on conflict (store) do update set since = excluded.since returning store`,
        [name, store ?? null, digest === undefined ? null : Buffer.from(digest, "hex")],
      );
      if (gone === undefined && decidedOn !== undefined && (await this.#find(name)) !== undefined) {
        throw new LoredexError("CONFLICT", `Another node has written what decides whether "${name}" is removed.`);
      }
      // Nobody finds the store any more: what cannot be deleted now is swept later.
      if (gone !== undefined) await this.#leftovers.remove(gone.store).catch(() => undefined);
      await this.#leftovers.sweep().catch(() => undefined);
    });
  }

  async list(): Promise<string[]> {
    this.#names.refuseIfClosed();
    const rows = await this.#database.ask<{ name: string }>(`select name from ${this.#database.table("names")}`);
    return rows.map(({ name }) => name);
  }

  async close(): Promise<void> {
    if (!this.#names.close()) return;
    await this.#leftovers.close();
    await this.#deps.objects.cache?.close();
    await this.#database.close();
  }

  async #find(name: string): Promise<string | undefined> {
    const rows = await this.#database.ask<{ store: string }>(
      `select store from ${this.#database.table("names")} where name = $1`,
      [name],
    );
    return rows[0]?.store;
  }

  /** Makes a store without a name. */
  async #make(id: string, first: FirstSnapshot | undefined): Promise<void> {
    const { objects } = this.#deps;
    const start = { ...startOf(id), sequence: first?.sequence ?? 0 };
    storageKit.checkSections(first?.sections ?? []);
    const generation = randomUUID();
    await this.#database.ask(
      `insert into ${this.#database.table("unnamed")} (store) values ($1) on conflict (store) do nothing`,
      [id],
    );
    await this.#database.ask(
      `insert into ${this.#database.table("heads")} (store, generation, head, digest, ends) values ($1, $2, $3, $4, 0)
      on conflict (store) do nothing`,
      [id, generation, start.sequence, start.digest],
    );
    if (first === undefined || first.sequence === 0) return;
    const identity = { store: id, generation };
    const { object, bytes } = await objects.writeSnapshot(identity, start, first.sections);
    await objects.completeSnapshot(identity, object, sizeOf(start, bytes), false);
  }

  async #check(id: string, check: (store: Store) => Promise<void>): Promise<void> {
    const store = new PostgresStore(this.#deps, id, () => undefined);
    try {
      await check(store);
    } finally {
      await store.close();
    }
  }

  /** Whether a store has another head than it had. */
  async #hasChanged(store: string | undefined, before: Head | undefined): Promise<boolean> {
    if (store === undefined || before === undefined) return false;
    const head = await this.#deps.heads.of(store);
    return head?.digest.equals(before.digest) !== true;
  }

  /** Gives a store its name, unless another node was faster, has swept the store, or has appended to the replaced one. */
  async #name(name: string, id: string, old: string | undefined, oldHead: Head | undefined): Promise<void> {
    const [names, unnamed] = [this.#database.table("names"), this.#database.table("unnamed")];
    // The replaced store is without a name from then on.
    await this.#database.ask(
      `with made as (
        delete from ${unnamed} where store = $2 returning store
      ), ended as (
        update ${this.#database.table("heads")} set generation = gen_random_uuid()
        where store = $3 and digest = $4 and exists (select 1 from made) returning store
      ), named as (
        insert into ${names} as held (name, store) select $1, store from made where $4::bytea is null or exists (select 1 from ended)
        on conflict (name) do update set store = excluded.store where held.store = $3 returning store
      )
      insert into ${unnamed} (store) select $3::uuid from named where $3::uuid is not null
      on conflict (store) do update set since = excluded.since`,
      [name, id, old ?? null, oldHead?.digest ?? null],
    );
    const found = await this.#find(name);
    if (found === id) return;
    if (found !== old || (await this.#hasChanged(old, oldHead))) throw taken(name);
    throw storageKit.misuse(
      `The store "${name}" was swept while it was being made: its creation stood still for an hour.`,
    );
  }
}

function taken(name: string): LoredexError {
  return storageKit.misuse(`There is a store "${name}" already.`);
}
