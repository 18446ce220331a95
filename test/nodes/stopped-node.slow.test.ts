import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LEASE_MS } from "../../packages/core/src/nodes/job-turn.ts";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { KNOWLEDGE, type ListReply, type Reply, send, type WriteReply } from "../http/client.ts";
import { expectAtRest } from "./at-rest.ts";
import { Fleet, type FleetBot } from "./fleet.ts";
import { Load } from "./load.ts";
import type { NodeProcess } from "./node-process.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const ROUNDS = SHORT ? 1 : 5;
/** The second is longer than a client waits. */
const STOPS_MS = SHORT ? [1_500, 6_000] : [1_500, 6_000, LEASE_MS + 1_000, LEASE_MS + 1_000];
/** Enough articles that a snapshot is due. */
const ARTICLES = 20;
const BODY = "text ".repeat(2_000);

describe.skipIf(postgresPart.isMissing)(postgresPart.named("a node that was stopped for longer than its lease"), () => {
  const server = serverOfFile();

  /** The first answer that is no 503. */
  async function answered<T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
    for (;;) {
      const reply = await ask();
      if (reply.status !== 503) return reply;
      await sleep(100);
    }
  }

  async function write(
    node: NodeProcess,
    { key }: FleetBot,
    word: string,
    articles: Map<string, string>,
  ): Promise<string> {
    const json = { title: "An article", body: `${word} ${BODY}`.trim() };
    const { json: reply } = await send<WriteReply>(node.url, "POST", KNOWLEDGE, {
      json,
      headers: { "x-api-key": key },
    });
    articles.set(reply.data.id, reply.data.body);
    return reply.data.id;
  }

  it(`writes no late snapshot, deletes none of others, and its next answers are right, ${ROUNDS} times`, async () => {
    const fleet = await Fleet.open({ url: server.url(), schema: server.newSchema() });
    const [a, b, c] = fleet.nodes;
    if (a === undefined || b === undefined || c === undefined) throw new Error("there are three");
    const bot = await fleet.newBot();
    const articles = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      const words = (name: string) => Array.from({ length: ARTICLES }, (_, i) => `${name}x${round}x${i}`);
      const hold = await fleet.hold("objects");
      for (const word of words("a")) await write(a, bot, word, articles);
      // It has taken the job, and begins to write.
      await expect.poll(() => fleet.sql("select 1 from pg_locks where not granted")).not.toEqual([]);
      const [before] = await fleet.sql("select max(token)::int as token from S.leases where until > clock_timestamp()");
      a.pause();
      await hold.release();
      if (SHORT) await fleet.sql("update S.leases set until = clock_timestamp()");
      else await sleep(LEASE_MS + 1_000);
      for (const word of words("b")) await write(b, bot, word, articles);
      // Its own snapshot is due as well, and two more come.
      for (const node of [b, c, b]) {
        await write(node, bot, `more${articles.size}`, articles);
        expect((await node.call("snapshot", bot.id)).error).toBeUndefined();
      }
      const [after] = await fleet.sql("select max(token)::int as token from S.leases");
      expect(Number(after?.token)).toBeGreaterThan(Number(before?.token));
      const snapshots = () =>
        fleet.sql(
          "select o.sequence::int as sequence, o.digest from S.objects o where o.name = '' and o.complete order by 1, 2",
        );
      const written = await snapshots();
      const last = await write(c, bot, `last${round}`, articles);
      a.continue();
      // Its questions of before may have timed out: then it says that it cannot answer yet, and nothing else.
      const { json } = await answered(() =>
        send<ListReply>(a.url, "GET", `${KNOWLEDGE}?id=${last}`, { headers: { "x-api-key": bot.key } }),
      );
      expect(json.data.map(({ id }) => id)).toEqual([last]);
      await write(a, bot, `again${round}`, articles);
      // It is written after the late one.
      expect((await a.call("snapshot", bot.id)).error).toBeUndefined();
      await expectAtRest(fleet, bot, { articles });
      expect(
        (await snapshots())
          .filter((row) => !written.some((old) => old.sequence === row.sequence))
          .every((row) => Number(row.sequence) > Number(written.at(-1)?.sequence)),
      ).toBe(true);
      // What is stored can be read by a new node.
      await c.kill();
      await c.start();
      await expectAtRest(fleet, bot, { articles });
    }
  });

  it("has its late writes refused or decided again, while others write", async () => {
    const fleet = await Fleet.open({ url: server.url(), schema: server.newSchema() });
    const bot = await fleet.newBot({ quotaCharacters: 20_000 });
    await expectAtRest(fleet, bot, { articles: new Map() });
    const load = new Load(fleet, bot, 1);
    const running = load.run(6);
    for (const [stop, stoppedMs] of STOPS_MS.entries()) {
      const node = fleet.nodes[stop % 3];
      await sleep(500);
      node?.pause();
      await sleep(stoppedMs);
      node?.continue();
    }
    await sleep(1_000);
    load.end();
    await running;
    const { records } = await expectAtRest(fleet, bot, load);
    console.log(`${JSON.stringify(load.done)}; ${records} records.`);
  });
});
