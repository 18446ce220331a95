import type { Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TcpProxy } from "./support/proxy.ts";
import { postgresPart, serverOfFile } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("what is sent to the server"), () => {
  const server = serverOfFile();
  let proxy: TcpProxy;
  let storage: Storage;
  let url: URL;
  const schema = "round_trips";

  beforeEach(async () => {
    proxy = new TcpProxy(Number(new URL(server.url()).port));
    url = new URL(server.url());
    url.host = `127.0.0.1:${await proxy.listen()}`;
    storage = await openPostgres(url.href, { schema, connections: 3 });
  });

  afterEach(async () => {
    for (const name of await storage.list()) await storage.remove(name);
    await storage.close();
    await proxy.close();
  });

  async function opened(name: string): Promise<Store> {
    await storage.create(name);
    const store = await storage.open(name);
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    proxy.statements.length = 0;
    return store;
  }

  it("is one statement for an append, and one for all that wait behind it", async () => {
    const store = await opened("bot");
    await store.append(Buffer.from("alone"));
    expect(proxy.statements).toHaveLength(1);
    const first = store.append(Buffer.from("first"));
    await Promise.resolve();
    const behind = Array.from({ length: 50 }, (_, n) => store.append(Buffer.from(`behind ${n}`)));
    await Promise.all([first, ...behind]);
    expect(proxy.statements.length).toBeLessThanOrEqual(3);
    await store.close();
  });

  it("is one question for the heads of all stores that wait", async () => {
    const stores = await Promise.all(Array.from({ length: 20 }, (_, n) => opened(`bot-${n}`)));
    proxy.statements.length = 0;
    await Promise.all(
      stores.flatMap(({ shared }) => [shared, shared]).map((shared) => shared?.follow(() => undefined)),
    );
    expect(proxy.statements).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("answers no question by a query that was sent before it", async () => {
    const store = await opened("bot");
    const other = await openPostgres(server.url(), { schema, connections: 1 });
    const theirs = await other.open("bot");
    await theirs.recover({ snapshot: () => undefined, record: () => undefined });
    const told: number[] = [];
    const record = (sequence: number) => void told.push(sequence);
    // The question is on its way when the other node appends; the second one is asked after that.
    const first = store.shared?.follow(record);
    await expect.poll(() => proxy.statements.length).toBe(1);
    await theirs.append(Buffer.from("theirs"));
    await store.shared?.follow(record);
    await first;
    expect(told).toEqual([1]);
    await theirs.close();
    await other.close();
    await store.close();
  });

  it("leaves nothing in a session: a pooler may give each statement another connection", async () => {
    const store = await opened("bot");
    await store.append(Buffer.from("1"));
    await store.writeSnapshot(1, [{ name: "all", version: 1, chunks: [Buffer.from("1")] }]);
    await store.writeCache("graph", Buffer.from("x"));
    const blocks = store.blocks?.("signs");
    await blocks?.open("label");
    await blocks?.append({ id: "a", version: 1, first: 0 }, [Buffer.from("x")]);
    const lease = await store.shared?.lease("job", 1_000);
    await lease?.renew(1_000);
    await storage.shared?.admit("key", 10);
    await store.purge(async (through) => ({ sequence: through, sections: [] }));
    await store.close();
    expect([...proxy.names]).toEqual([""]);
    const state =
      /\b(listen|notify|prepare|declare|begin|advisory|temp(orary)?|search_path|set (session|local|statement))\b/i;
    expect(proxy.statements.filter((statement) => state.test(statement) || /^\s*set\b/i.test(statement))).toEqual([]);
  });

  it("does without settings of a connection where a pooler refuses them", async () => {
    const pooler = new TcpProxy(Number(new URL(server.url()).port));
    pooler.refusedSetting = "statement_timeout";
    const behind = new URL(server.url());
    behind.host = `127.0.0.1:${await pooler.listen()}`;
    const pooled = await openPostgres(behind.href, { schema: server.newSchema(), connections: 2 });
    await pooled.create("bot");
    expect(await pooled.list()).toEqual(["bot"]);
    await pooled.close();
    await pooler.close();
  });
});
