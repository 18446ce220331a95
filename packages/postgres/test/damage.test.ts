import type { LoadedSnapshot, RecoveryReport, Storage, Store } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const section = (name: string, text: string, isDerived = false) => ({
  name,
  version: 1,
  isDerived,
  chunks: [Buffer.from(text)],
});

describe.skipIf(postgresPart.isMissing)(postgresPart.named("damaged and abandoned rows"), () => {
  const server = serverOfFile();
  let storage: Storage;
  let schema: string;

  /** A store with records 1 to 6, and snapshots of 2 and 4. */
  beforeEach(async () => {
    schema = server.newSchema();
    storage = await openPostgres(server.url(), { schema, connections: 2 });
    await storage.create("bot");
    const { store } = await recovered();
    for (let n = 1; n <= 6; n += 1) {
      await store.append(Buffer.from(`${n}`));
      if (n === 2 || n === 4)
        await store.writeSnapshot(n, [section("all", `to ${n}`), section("graph", `of ${n}`, true)]);
    }
    await store.close();
  });

  afterEach(() => storage.close());

  const change = (text: string) => sql(server.url(), text.replaceAll("S.", `${schema}.`));

  async function recovered(): Promise<{
    store: Store;
    snapshot: LoadedSnapshot | undefined;
    texts: string[];
    report: RecoveryReport;
  }> {
    const store = await storage.open("bot");
    const texts: string[] = [];
    let snapshot: LoadedSnapshot | undefined;
    const report = await store.recover({
      snapshot: (loaded) => {
        snapshot = loaded;
      },
      record: (_, payload) => void texts.push(Buffer.from(payload).toString()),
    });
    return { store, snapshot, texts, report };
  }

  it("passes over a damaged snapshot, and replays what came after the one before", async () => {
    await change("update S.chunks set bytes = 'to 5' where bytes = 'to 4'");
    const { store, snapshot, texts, report } = await recovered();
    expect([snapshot?.sequence, texts, report.damagedSnapshots]).toEqual([2, ["3", "4", "5", "6"], 1]);
    await store.close();
    expect((await storage.verify("bot")).problems).toMatchObject([{ sequence: 4, reason: "its checksum differs" }]);
  });

  it("drops a damaged or missing section that can be rebuilt", async () => {
    await change("delete from S.chunks where bytes = 'of 4'");
    const { store, snapshot, texts } = await recovered();
    expect([snapshot?.sequence, [...(snapshot?.sections.keys() ?? [])], texts]).toEqual([4, ["all"], ["5", "6"]]);
    expect(snapshot?.dropped).toMatchObject([{ name: "graph" }]);
    await store.close();
    expect((await storage.verify("bot")).problems).toMatchObject([{ sequence: 4, isDerived: true }]);
  });

  it.each([
    ["changed", "update S.records set payload = 'x' where sequence = 5", "its digest differs"],
    ["missing", "delete from S.records where sequence = 5", "it is missing"],
  ])("opens no store with a record that is %s, tells of it, and salvages the others", async (_, damage, reason) => {
    await change(damage);
    await expect(recovered()).rejects.toMatchObject({ code: "CORRUPT", place: { sequence: 5 } });
    expect((await storage.verify("bot")).problems).toMatchObject([{ sequence: 5, reason }]);
    const texts: string[] = [];
    const { missing } = await storage.salvage("bot", {
      section: ({ name, bytes }) => void texts.push(`${name} ${Buffer.from(bytes).toString()}`),
      record: (sequence) => void texts.push(`${sequence}`),
    });
    expect(texts).toEqual(["all to 4", "graph of 4", "3", "4", "6"]);
    expect(missing).toEqual([
      { firstSequence: 1, lastSequence: 2 },
      { firstSequence: 5, lastSequence: 5 },
    ]);
  });

  it("refuses blocks of which a byte changed", async () => {
    const { store } = await recovered();
    const blocks = store.blocks?.("signs");
    await blocks?.open("label");
    const block = await blocks?.append({ id: "a", version: 1, first: 0 }, [Buffer.from("one"), Buffer.from("two")]);
    await change("update S.blocks set bytes = set_byte(bytes, 12, 0)");
    if (block === undefined) throw new Error("There are no blocks.");
    expect((await blocks?.read(block, 0, 1))?.map(String)).toEqual(["one"]);
    expect(await blocks?.read(block, 1, 2)).toBeUndefined();
    await store.close();
  });

  it("keeps two snapshots, and deletes the records before them and what a stopped writer left", async () => {
    await change(`insert into S.objects (store, object, name, generation, sequence, digest, ends, since)
      select store, gen_random_uuid(), '', generation, 5, '', 5, now() - interval '2 hours' from S.heads`);
    const { store } = await recovered();
    await store.writeSnapshot(6, [section("all", "to 6")]);
    await store.close();
    const left = await change("select name, sequence, complete from S.objects order by sequence");
    expect(left.map(({ sequence, complete }) => [Number(sequence), complete])).toEqual([
      [4, true],
      [6, true],
    ]);
    expect(await change("select min(sequence)::int as first from S.records")).toEqual([{ first: 5 }]);
    expect(await change("select count(*)::int as count from S.chunks")).toEqual([{ count: 3 }]);
  });

  it("leaves nothing of removed, replaced or broken-off stores", async () => {
    const broken = { sequence: 3, sections: [{ name: "all", version: 1, chunks: brokenOff() }] };
    await expect(storage.create("broken", broken)).rejects.toThrow("broke off");
    await storage.create("bot", { sequence: 3, sections: [section("all", "new")] }, { replaces: true });
    expect(await change("select count(*)::int as count from S.heads")).toEqual([{ count: 1 }]);
    await storage.remove("bot");
    // What an interrupted creation left is deleted by a later call.
    await change("insert into S.unnamed (store, since) values (gen_random_uuid(), now() - interval '2 hours')");
    await change(
      "insert into S.heads (store, generation, head, digest, ends) select store, store, 0, '', 0 from S.unnamed",
    );
    await storage.create("other");
    await storage.remove("other");
    for (const table of ["names", "unnamed", "heads", "records", "objects", "chunks", "blocks", "leases"]) {
      expect([table, await change(`select count(*)::int as count from S.${table}`)]).toEqual([table, [{ count: 0 }]]);
    }
  });
});

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("begun");
  throw new Error("the source broke off");
}
