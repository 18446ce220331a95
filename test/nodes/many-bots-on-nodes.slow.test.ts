import { describe, expect, it } from "vitest";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { KNOWLEDGE, type Reply, SEARCH, send, type WriteReply } from "../http/client.ts";
import { countStored, expectAtRest } from "./at-rest.ts";
import { Fleet, type FleetBot } from "./fleet.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const BOTS = SHORT ? 100 : 1_000;
const ARTICLES = 5;
const MEMORY_BYTES = 1_048_576;
/** Bots that are worked on at the same time. */
const LANES = 12;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("many bots on three nodes"), () => {
  const server = serverOfFile();

  it(`${BOTS} bots take writes and answer on every node with ${MEMORY_BYTES} bytes of memory for open bots`, async () => {
    const settings = { url: server.url(), schema: server.newSchema(), memoryBytes: MEMORY_BYTES };
    const fleet = await Fleet.open(settings);
    const bots = await fleet.newBots(BOTS);
    const written = new Map<string, Map<string, string>>();
    const ask = async <T>(node: number, { key }: FleetBot, path: string, json: unknown): Promise<Reply<T>> => {
      const { url } = fleet.nodes[node % 3] ?? { url: "" };
      const reply = await send<T>(url, "POST", path, { json, headers: { "x-api-key": key } });
      expect(reply.status, reply.text).toBe(200);
      return reply;
    };
    await each(bots, async (bot, number) => {
      const articles = new Map<string, string>();
      for (let i = 0; i < ARTICLES; i++) {
        // Each from another node.
        const body = `w${number}x${i} ${"Returns are free for thirty days. ".repeat(20)}`.trim();
        const { json } = await ask<WriteReply>(number + i, bot, KNOWLEDGE, { title: "An article", body });
        articles.set(json.data.id, json.data.body);
      }
      written.set(bot.id, articles);
    });
    await each(bots, async (bot, number) => {
      const answers = [0, 1, 2].map((node) => ask(node, bot, SEARCH, { query: `w${number}x${ARTICLES - 1}` }));
      const texts = (await Promise.all(answers)).map(({ text }) => text);
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]).toContain(`w${number}x${ARTICLES - 1}`);
      const { bodies } = countStored(bot, await fleet.stored(bot));
      expect(bodies).toEqual(written.get(bot.id));
    });
    for (const bot of bots.filter((_, i) => i % 50 === 0)) {
      await expectAtRest(fleet, bot, { articles: written.get(bot.id) ?? new Map() });
    }
    const openBots = await Promise.all(fleet.nodes.map(async (node) => (await node.call("figures")).openBots));
    console.log(
      `${BOTS} bots, ${BOTS * ARTICLES} writes, ${BOTS * 3} searches; at most ${openBots.join(", ")} bots open.`,
    );
    // Others were evicted.
    expect(Math.max(...openBots)).toBeLessThan(BOTS);
  });
});

/** Works on all bots, some at the same time. */
async function each(bots: readonly FleetBot[], work: (bot: FleetBot, number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let number = next++; number < bots.length; number = next++) {
      const bot = bots[number];
      if (bot !== undefined) await work(bot, number);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
