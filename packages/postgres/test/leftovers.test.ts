import { randomUUID } from "node:crypto";
import type { Storage } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const HOUR_MS = 3_600_000;
const TABLES = ["records", "objects", "chunks", "blocks", "leases", "heads"];

describe.skipIf(postgresPart.isMissing)(postgresPart.named("rows that nobody needs"), () => {
  const server = serverOfFile();
  let schema: string;
  let storage: Storage;
  let other: Storage;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    schema = server.newSchema();
    storage = await openPostgres(server.url(), { schema, connections: 3 });
    other = await openPostgres(server.url(), { schema, connections: 3 });
  });

  afterEach(async () => {
    await Promise.all([storage.close(), other.close()]);
    vi.useRealTimers();
  });

  const ask = (text: string, values: unknown[] = []) => sql(server.url(), text.replaceAll("S.", `${schema}.`), values);
  const counts = async (store: string) =>
    Promise.all(TABLES.map(async (table) => (await ask(`select 1 from S.${table} where store = $1`, [store])).length));
  const age = () => ask("update S.unnamed set since = since - interval '2 hours'");

  it("are the request counts of keys that send nothing any more", async () => {
    await storage.shared?.admit("removed", 10);
    await ask("update S.requests set times = array[times[1] - 121000, times[1] - 120500], counts = array[1, 1]");
    await storage.shared?.admit("busy", 10);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    await expect.poll(() => ask("select name from S.requests")).toEqual([{ name: "busy" }]);
  });

  it("are those that arrive after their store was removed, of every table", async () => {
    await storage.create("bot", { sequence: 1, sections: [{ name: "all", version: 1, chunks: [Buffer.from("x")] }] });
    const [named] = await ask("select store from S.names");
    const before = await counts(String(named?.store));
    const lost = await Promise.all(
      TABLES.map(async (table) => {
        const store = randomUUID();
        await ask(LATE[table] ?? "", [store]);
        return store;
      }),
    );
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    await expect.poll(async () => (await ask("select 1 from S.unnamed")).length).toBe(lost.length);
    await age();
    await ask("update S.leases set until = clock_timestamp() where job = 'sweep'");
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    for (const store of lost) await expect.poll(() => counts(store)).toEqual([0, 0, 0, 0, 0, 0]);
    await expect.poll(() => ask("select 1 from S.unnamed")).toEqual([]);
    expect(await counts(String(named?.store))).toEqual(before);
  });

  it("are no rows of a store that takes hours to be made", async () => {
    await storage.create("bot", undefined, {
      check: async () => {
        await age();
        await vi.advanceTimersByTimeAsync(HOUR_MS / 6);
        const fresh = "select 1 from S.unnamed where since > clock_timestamp() - interval '10 minutes'";
        await expect.poll(async () => (await ask(fresh)).length).toBe(1);
        await other.remove("another");
      },
    });
    const store = await other.open("bot");
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    expect(await store.append(Buffer.from("a record"))).toBe(1);
    await store.close();
  });

  it("are no rows of a store that has a name, whatever else says that it has none", async () => {
    await storage.create("bot", { sequence: 7, sections: [] });
    await ask("insert into S.unnamed (store) select store from S.names");
    await age();
    await other.remove("another");
    expect(await other.verify("bot")).toMatchObject({ lastSequence: 7, problems: [] });
  });

  it("get no name if the store was swept while it was being made, and the old store stays", async () => {
    await storage.create("bot", { sequence: 7, sections: [] });
    const check = async () => {
      await age();
      await other.remove("another");
    };
    await expect(storage.create("bot", undefined, { check, replaces: true })).rejects.toThrow(/was swept/);
    await expect(storage.create("new", undefined, { check })).rejects.toThrow(/was swept/);
    expect(await other.list()).toEqual(["bot"]);
    expect(await other.verify("bot")).toMatchObject({ lastSequence: 7, problems: [] });
    expect((await ask("select 1 from S.heads")).length).toBe(1);
  });
});

/** A row of each table, for the store `$1`. */
const LATE: Readonly<Record<string, string>> = {
  records: "insert into S.records values ($1, 1, gen_random_uuid(), '', 1, 'x')",
  objects: "insert into S.objects values ($1, gen_random_uuid(), '', gen_random_uuid(), 1, '', 1)",
  chunks: "insert into S.chunks values ($1, gen_random_uuid(), 0, 0, 'x')",
  blocks: "insert into S.blocks values ($1, 'codes', 'label', 0, gen_random_uuid(), 'a', 1, 0, '', 'x')",
  leases: "insert into S.leases values ($1, 'job', 1, gen_random_uuid(), now())",
  heads: "insert into S.heads values ($1, gen_random_uuid(), 0, '', 0)",
};
