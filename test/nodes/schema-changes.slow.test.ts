import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres, SCHEMA_VERSION } from "@loredex/postgres";
import { describe, expect, it } from "vitest";
import { Database } from "../../packages/postgres/src/database.ts";
import { settingsOf } from "../../packages/postgres/src/options.ts";
import { migrate, VERSIONS } from "../../packages/postgres/src/schema.ts";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { expectAtRest } from "./at-rest.ts";
import { Fleet } from "./fleet.ts";
import { Load } from "./load.ts";

const NEXT_VERSION = SCHEMA_VERSION + 1;
/** As a later version may be: it adds what this one can ignore. The tables are locked in the order in which an append locks them. */
const NEXT = [
  "alter table S.heads add column added bigint",
  "alter table S.records add column added text not null default 'later'",
  "alter table S.leases add column added bigint",
  "alter table S.objects add column added bytea",
  "create table S.added (store uuid primary key)",
];

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a schema that changes while nodes run"), () => {
  const server = serverOfFile();

  it("to the next version is used by running and by new nodes, and one version later refused by name", async () => {
    const schema = server.newSchema();
    // All three find an empty database, and make the tables at the same time.
    const fleet = await Fleet.open({ url: server.url(), schema });
    expect(await fleet.sql("select version from S.versions")).toEqual([{ version: SCHEMA_VERSION }]);
    const bot = await fleet.newBot();
    await expectAtRest(fleet, bot, { articles: new Map() });
    const load = new Load(fleet, bot, 1);
    const running = load.run(4);
    await sleep(1_000);
    // Three nodes of the next version start at once, and each migrates.
    const databases = [1, 2, 3].map(() => new Database(settingsOf("test", server.url(), { schema })));
    const migrated = await Promise.all(databases.map((database) => migrate(database, [...VERSIONS, NEXT])));
    expect(migrated).toEqual([NEXT_VERSION, NEXT_VERSION, NEXT_VERSION]);
    for (const database of databases) await database.close();
    expect(await fleet.sql("select version from S.versions order by version desc limit 1")).toEqual([
      { version: NEXT_VERSION },
    ]);
    for (const node of fleet.nodes) {
      await sleep(300);
      expect((await node.call("snapshot", bot.id)).error).toBeUndefined();
      await node.kill();
      await node.start();
    }
    await sleep(500);
    load.end();
    await running;
    const { records } = await expectAtRest(fleet, bot, load);
    console.log(`${JSON.stringify(load.done)}; ${records} records.`);
    await fleet.sql(`insert into S.versions (version) values (${SCHEMA_VERSION + 2})`);
    for (const migrate of [true, false]) {
      await expect(openPostgres(server.url(), { schema, migrate })).rejects.toMatchObject({
        code: "UNSUPPORTED_FORMAT",
        message: expect.stringContaining(`version ${SCHEMA_VERSION + 2}`),
      });
    }
    await expectAtRest(fleet, bot, load);
  });
});
