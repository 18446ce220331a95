import { randomUUID } from "node:crypto";
import type { StoredBlock } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { BlockRows } from "../src/blocks.ts";
import { settingsOf } from "../src/options.ts";
import { migrate } from "../src/schema.ts";
import { LateDatabase } from "./support/late-database.ts";
import { postgresPart, serverOfFile, sql } from "./support/server.ts";

const DELETION = /^delete from .*blocks/;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("removed blocks whose deletion"), () => {
  const server = serverOfFile();

  /** Blocks of a new store, with these ids. */
  async function blocksNamed(...ids: string[]) {
    const schema = server.newSchema();
    const database = new LateDatabase(settingsOf("test", server.url(), { schema }));
    onTestFinished(() => database.close());
    await migrate(database);
    const blocks = new BlockRows(database, randomUUID(), "codes");
    await blocks.open("label");
    const stored = await Promise.all(ids.map((id) => blocks.append({ id, version: 1, first: 0 }, [Buffer.from(id)])));
    const left = async () =>
      (await sql(server.url(), `select convert_from(id, 'UTF8') as id from ${schema}.blocks order by id`)).map(
        ({ id }) => id,
      );
    return { database, blocks, left, [Symbol.iterator]: () => stored[Symbol.iterator]() };
  }

  /** The same, where the deletion of the first has failed. */
  async function failedOnce(...ids: string[]) {
    const made = await blocksNamed(...ids);
    const { database, blocks } = made;
    const [first] = made as Iterable<StoredBlock>;
    if (first === undefined) throw new Error("There is a first one.");
    const failed = new Promise<void>((resolve) => {
      database.late = { fits: DELETION, before: () => Promise.reject(new Error("refused")).finally(resolve) };
    });
    blocks.remove(first);
    await failed;
    return made;
  }

  it("failed are deleted with the next removal", async () => {
    const made = await failedOnce("first", "second");
    const [, second] = made;
    if (second === undefined) throw new Error("There is a second one.");
    expect(await made.left()).toEqual(["first", "second"]);
    made.blocks.remove(second);
    await expect.poll(made.left).toEqual([]);
    await made.blocks.close();
  });

  it("failed are not handed out as those of other nodes", async () => {
    const { blocks } = await failedOnce("first", "second");
    expect(await blocks.refresh()).toEqual([]);
    await blocks.close();
  });

  it("failed are deleted when the handle closes", async () => {
    const { blocks, left } = await failedOnce("first", "second");
    await blocks.close();
    expect(await left()).toEqual(["second"]);
  });

  it("runs while a purge begins are all deleted, with those that are removed meanwhile", async () => {
    const made = await blocksNamed("one", "two", "three");
    const { database, blocks, left } = made;
    const [one, two, three] = made;
    if (one === undefined || two === undefined || three === undefined) throw new Error("There are three.");
    let settled: Promise<void> | undefined;
    const isLate = new Promise<void>((resolve) => {
      const before = async (): Promise<void> => {
        settled = blocks.settleRemovals();
        // Time enough for a deletion that does not wait for its turn.
        for (let asked = 0; asked < 10; asked += 1) await left();
        blocks.remove(two);
        blocks.remove(three);
        resolve();
      };
      database.late = { fits: DELETION, before };
    });
    blocks.remove(one);
    await isLate;
    await settled;
    await blocks.close();
    expect(await left()).toEqual([]);
  });
});
