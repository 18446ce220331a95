import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { expectAtRest } from "./at-rest.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { Fleet } from "./fleet.ts";
import { Load } from "./load.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const SECONDS = Number(process.env.TESTS_NODE_SECONDS ?? (SHORT ? 12 : 120));

describe.skipIf(postgresPart.isMissing)(postgresPart.named("nodes whose connections to PostgreSQL are cut"), () => {
  const server = serverOfFile();

  it(`store no write twice and lose none in ${SECONDS} seconds, also if it is cut between a commit and its answer`, async () => {
    const proxy = await CuttingProxy.open(Number(new URL(server.url()).port || 5432));
    const schema = server.newSchema();
    const fleet = await Fleet.open({ url: server.url(), schema, store: proxy.before(server.url()) });
    const bots = [await fleet.newBot(), await fleet.newBot({ quotaCharacters: 4_000 })];
    // A node that does not know a key yet cannot ask for it while its connection is cut.
    for (const bot of bots) await expectAtRest(fleet, bot, { articles: new Map() });
    const loads = bots.map((bot, i) => new Load(fleet, bot, i + 1));
    const running = Promise.all(loads.map((load) => load.run(4)));
    proxy.share = 0.1;
    const endMs = Date.now() + SECONDS * 1_000;
    while (Date.now() < endMs) {
      await sleep(Math.random() * 200);
      proxy.cutOne();
    }
    proxy.share = 0;
    for (const load of loads) load.end();
    await running;
    let writes = 0;
    for (const [i, load] of loads.entries()) {
      const bot = bots[i];
      if (bot === undefined) continue;
      const { records } = await expectAtRest(fleet, bot, load);
      console.log(`${JSON.stringify(load.done)}, ${load.doubtful.size} without an answer; ${records} records.`);
      writes += load.done.writes;
    }
    console.log(`${writes} acknowledged writes; faults: ${JSON.stringify(proxy.faults)}.`);
    expect(Math.min(...Object.values(proxy.faults))).toBeGreaterThan(0);
  });
});
