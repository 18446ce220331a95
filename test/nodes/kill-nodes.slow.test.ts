import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { expectAtRest } from "./at-rest.ts";
import { Fleet } from "./fleet.ts";
import { Load } from "./load.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const SECONDS = Number(process.env.TESTS_NODE_SECONDS ?? (SHORT ? 20 : 600));
const EVERY_MS = SHORT ? 1_500 : 10_000;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("three nodes on PostgreSQL"), () => {
  const server = serverOfFile();

  it(`lose nothing in ${SECONDS} seconds in which one is killed every ${EVERY_MS} ms, exceed no limit, and agree at rest`, async () => {
    const fleet = await Fleet.open({ url: server.url(), schema: server.newSchema() });
    const bots = [
      await fleet.newBot(),
      await fleet.newBot({ quotaCharacters: 4_000 }),
      await fleet.newBot({ quotaCharacters: 20_000, rateCharactersPerMinute: 10_000 }),
    ];
    const loads = bots.map((bot, i) => new Load(fleet, bot, i + 1));
    const running = Promise.all(loads.map((load) => load.run(4)));
    let [kills, snapshots] = [0, 0];
    const endMs = Date.now() + SECONDS * 1_000;
    const snapshotting = (async () => {
      while (Date.now() < endMs) {
        await sleep(100);
        for (const [i, { id }] of bots.entries())
          if ((await fleet.nodes[(i + snapshots) % 3]?.call("snapshot", id))?.error === undefined) snapshots += 1;
      }
    })();
    while (Date.now() < endMs) {
      const node = fleet.nodes[kills % 3];
      await sleep(EVERY_MS);
      await node?.kill();
      kills += 1;
      await node?.start();
    }
    for (const load of loads) load.end();
    await Promise.all([running, snapshotting]);
    let writes = 0;
    for (const [i, load] of loads.entries()) {
      const bot = bots[i];
      if (bot === undefined) continue;
      const { records, usedMost, chargedMost } = await expectAtRest(fleet, bot, load);
      console.log(
        `${JSON.stringify(load.done)}; ${records} records, at most ${usedMost} characters used and ${chargedMost} a minute.`,
      );
      writes += load.done.writes;
      expect(load.done.seen).toBeGreaterThan(0);
    }
    console.log(`${kills} kills, ${writes} acknowledged writes, ${snapshots} snapshots.`);
    expect(snapshots).toBeGreaterThan(0);
    expect(loads[1]?.done.overQuota).toBeGreaterThan(0);
    expect(loads[2]?.done.overRate).toBeGreaterThan(0);
  });
});
