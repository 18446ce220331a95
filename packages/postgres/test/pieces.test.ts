import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { ChunkRows } from "../src/chunks.ts";
import { settingsOf } from "../src/options.ts";
import { deleteInPieces } from "../src/pieces.ts";
import { PostgresStorage } from "../src/postgres-storage.ts";
import { migrate } from "../src/schema.ts";
import { LateDatabase } from "./support/late-database.ts";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a deletion of many rows"), () => {
  const server = serverOfFile();

  async function newDatabase() {
    const schema = server.newSchema();
    const database = new LateDatabase(settingsOf("test", server.url(), { schema }));
    await migrate(database);
    const asked: string[] = [];
    database.observe(({ kind }) => kind === "bulk" && asked.push(kind));
    const run = (text: string) => sql(server.url(), text.replaceAll("S.", `${schema}.`));
    const count = async (table: string) => (await run(`select count(*)::int as count from S.${table}`))[0]?.count;
    return { database, run, count, asked };
  }

  const addBlocks = (store: string, name: string, count: number, bytes: number) =>
    `insert into S.blocks select '${store}', '${name}', case when n % 2 = 0 then 'even' else 'odd' end, n / 3, gen_random_uuid(), '', 1, 0, '', convert_to(repeat('x', ${bytes}), 'UTF8')
    from generate_series(1, ${count}) as n`;
  const addChunks = (store: string, object: string, count: number) =>
    `insert into S.chunks select '${store}', '${object}', n / 7, n % 7, convert_to(repeat('x', 1048576), 'UTF8') from generate_series(1, ${count}) as n`;

  it("deletes all that is meant, and nothing else, in statements of some rows", async () => {
    const { database, run, count, asked } = await newDatabase();
    onTestFinished(() => database.close());
    const [store, other] = [randomUUID(), randomUUID()];
    await run(addBlocks(store, "b", 2_500, 10));
    await run(addBlocks(store, "a", 2_500, 10));
    await run(addBlocks(other, "a", 10, 10));
    const where = "label = $2";
    expect(await deleteInPieces(database, { table: "blocks", store, where, values: ["odd"] })).toBe(25_000);
    expect(asked).toHaveLength(2);
    expect(await count(`blocks where store = '${store}' and label = 'even'`)).toBe(2_500);
    expect(await count("blocks")).toBe(2_510);
    expect(await deleteInPieces(database, { table: "blocks", store }, () => true)).toBe(0);
    await deleteInPieces(database, { table: "blocks", store });
    expect(await count("blocks")).toBe(10);
  });

  it("keeps what it has deleted if a later statement fails, and begins a piece after some bytes", async () => {
    const { database, run, count, asked } = await newDatabase();
    onTestFinished(() => database.close());
    const [store, object] = [randomUUID(), randomUUID()];
    await run(addChunks(store, object, 70));
    await run(addChunks(store, randomUUID(), 1));
    const chunks = new ChunkRows(database);
    database.late = {
      fits: /piece/,
      before: async () => {
        database.late = { fits: /piece/, before: () => Promise.reject(new Error("refused")) };
      },
    };
    await expect(chunks.remove({ store, object })).rejects.toThrow("refused");
    expect(await count("chunks")).toBe(39);
    asked.length = 0;
    await chunks.remove({ store, object });
    expect([await count("chunks"), asked.length]).toEqual([1, 2]);
    await chunks.removeAll(store);
    expect(await count("chunks")).toBe(0);
  });

  it("of a removed store takes several statements", async () => {
    const { database, run, count, asked } = await newDatabase();
    const storage = new PostgresStorage(database);
    onTestFinished(() => storage.close());
    await storage.create("bot");
    const [head] = await run("select store from S.heads");
    const store = String(head?.store);
    await run(addBlocks(store, "codes", 4_500, 10));
    await run(addChunks(store, randomUUID(), 33));
    await run(
      `insert into S.records select '${store}', n, gen_random_uuid(), '', n, 'x' from generate_series(1, 4500) as n`,
    );
    asked.length = 0;
    await storage.remove("bot");
    for (const table of ["records", "chunks", "blocks", "heads"]) expect(await count(table)).toBe(0);
    // Pieces of records, chunks and blocks, and one statement for each table whose rows may have come meanwhile.
    expect(asked).toHaveLength(3 + 2 + 3 + 6);
  });
});
