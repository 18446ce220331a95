import type { Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHastily, postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a server that has no connection left"), () => {
  const server = serverOfFile();
  let role: string;
  let schema: string;
  let url: URL;
  const stores: Store[] = [];
  const storages: Storage[] = [];

  beforeEach(async () => {
    schema = server.newSchema();
    role = `role_${schema}`;
    await sql(server.url(), `create role ${role} login password 'rows'; create schema ${schema} authorization ${role}`);
    url = new URL(server.url());
    url.username = role;
    url.password = "rows";
  });

  afterEach(async () => {
    for (const one of [...stores.splice(0), ...storages.splice(0)]) await one.close();
    await sql(server.url(), `drop owned by ${role}; drop role ${role}`);
  });

  const limit = (connections: number) => sql(server.url(), `alter role ${role} connection limit ${connections}`);

  async function opened(connections: number, timeoutMs = 2_000): Promise<{ storage: Storage; store: Store }> {
    const storage = await openHastily(url.href, { schema, connections, timeoutMs });
    storages.push(storage);
    await storage.create("bot");
    const store = await storage.open("bot");
    stores.push(store);
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    return { storage, store };
  }

  it("keeps the connections that a node has: all of its statements are answered on them", async () => {
    const { storage, store } = await opened(8);
    await limit(2);
    let failed = 0;
    storage.shared?.observe((event) => (failed += Number(event.failed)));
    const counted = Array.from({ length: 40 }, (_, index) => storage.shared?.admit(`key ${index}`, 1));
    await expect(Promise.all(counted)).resolves.toEqual(counted.map(() => 0));
    await expect(store.append(Buffer.from("one"))).resolves.toBe(1);
    expect(storage.shared?.silentMs()).toBe(0);
    expect(failed).toBe(0);
  });

  it("counts as unreachable to a node that has none, which says what to do", async () => {
    const { storage } = await opened(8);
    await limit(0);
    await sql(server.url(), `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    // So that the pool has heard of it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    let retries = 0;
    storage.shared?.observe((event) => (retries += event.retries));
    // Connections that are only being made are none: no statement waits for one of them.
    const refused = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => storage.shared?.admit(`key ${n}`, 1)));
    expect(refused).toMatchObject(refused.map(() => ({ status: "rejected", reason: { code: "UNREACHABLE" } })));
    expect(retries).toBe(0);
    expect(storage.shared?.silentMs()).toBeGreaterThan(0);
    const open = openPostgres(url.href, { schema, connections: 1, timeoutMs: 300 });
    await expect(open).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringMatching(/too many connections.*--store-connections/),
    });
  });

  it("refuses a call that waits too long for one of them, and only that call", async () => {
    const { storage, store } = await opened(4, 300);
    await limit(1);
    const holder = new pg.Client({ connectionString: server.url() });
    await holder.connect();
    let following: Promise<void> | undefined;
    try {
      // The only connection of the node reads records, which takes longer than a statement may wait for a connection.
      const other = await openPostgres(server.url(), { schema });
      storages.push(other);
      const theirs = await other.open("bot");
      stores.push(theirs);
      await theirs.recover({ snapshot: () => undefined, record: () => undefined });
      await theirs.append(Buffer.from("one"));
      await holder.query(`begin; lock table "${schema}".records in access exclusive mode`);
      following = store.shared?.follow(() => undefined);
      await expect.poll(async () => (await holder.query(WAITING)).rowCount).toBe(1);
      await expect(storage.shared?.admit("key", 1)).rejects.toMatchObject({ code: "UNREACHABLE" });
      expect(storage.shared?.silentMs()).toBe(0);
    } finally {
      await holder.end();
    }
    await expect(following).resolves.toBeUndefined();
    await expect(storage.shared?.admit("key", 1)).resolves.toBe(0);
  });
});

/** The statements that wait for a lock. */
const WAITING = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
