import type { BlockStore, Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("blocks of nodes with different labels"), () => {
  const server = serverOfFile();

  async function blocksOf(storage: Storage): Promise<BlockStore> {
    const store: Store = await storage.open("bot");
    onTestFinished(async () => {
      await store.close();
      await storage.close();
    });
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    const blocks = store.blocks?.("codes");
    if (blocks === undefined) throw new Error("The store has blocks.");
    return blocks;
  }

  it("stay while a node uses their label, and are deleted once none has done so for days", async () => {
    const schema = server.newSchema();
    const open = () => openPostgres(server.url(), { schema, connections: 2 });
    const labels = async () =>
      (await sql(server.url(), `select label from ${schema}.blocks order by label`)).map(({ label }) => label);
    const age = () => sql(server.url(), `update ${schema}.leases set until = until - interval '7 days'`);
    const key = { id: "a", version: 1, first: 0 };
    const first = await open();
    await first.create("bot");
    const [a, b, c] = [await blocksOf(first), await blocksOf(await open()), await blocksOf(await open())];
    await a.open("of a");
    await a.append(key, [Buffer.from("x")]);
    await b.open("of b");
    await b.append(key, [Buffer.from("x")]);
    await c.open("of c");
    expect(await labels()).toEqual(["of a", "of b"]);
    await age();
    // A node with the one label is there again, and none with the other.
    await c.open("of b");
    await expect.poll(labels).toEqual(["of b"]);
    await age();
    await c.open("of d");
    await expect.poll(labels).toEqual([]);
  });

  it("stay, whatever a copy reads, and nothing is noted of it", async () => {
    const schema = server.newSchema();
    const open = () => openPostgres(server.url(), { schema, connections: 2 });
    const stored = () =>
      sql(server.url(), `select label, id from ${schema}.blocks union all select job, null from ${schema}.leases`);
    const first = await open();
    await first.create("bot");
    const [written, read, other] = [await blocksOf(first), await blocksOf(await open()), await blocksOf(await open())];
    await written.open("of a");
    await written.append({ id: "a", version: 1, first: 0 }, [Buffer.from("x")]);
    await sql(server.url(), `update ${schema}.leases set until = until - interval '7 days'`);
    const before = await stored();
    expect(await other.openToRead?.("of b")).toEqual([]);
    const [block] = (await read.openToRead?.("of a")) ?? [];
    if (block === undefined) throw new Error("The block is there.");
    expect((await read.read(block, 0, 1))?.map(String)).toEqual(["x"]);
    expect(await stored()).toEqual(before);
  });
});
