import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { postgresPart, serverOfFile } from "../../packages/postgres/test/support/server.ts";
import { KNOWLEDGE, send, type WriteReply } from "../http/client.ts";
import { expectAtRest } from "./at-rest.ts";
import { Fleet, type FleetBot, PLENTY } from "./fleet.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const ROUNDS = SHORT ? 2 : 50;
const LAST = 10_000;
const USED = 5_000;
/** Characters of an article of the race: a hundred of them fit. */
const EACH = 100;

describe.skipIf(postgresPart.isMissing)(postgresPart.named("two nodes that race"), () => {
  const server = serverOfFile();

  /** Creates an article with this number of characters in all. Resolves with the status, and the id. */
  async function create(url: string, { key }: FleetBot, word: string, characters: number) {
    const headers = { "x-api-key": key, "idempotency-key": word };
    const body = `${word} `.padEnd(characters - "An article".length, "x");
    for (;;) {
      const reply = await send<WriteReply>(url, "POST", KNOWLEDGE, { json: { title: "An article", body }, headers });
      if (reply.status !== 503) return { status: reply.status, body, id: reply.json?.data?.id };
      await sleep(50);
    }
  }

  it.each([
    { limit: "a quota", status: 422, ofLimit: (most: number) => ({ quotaCharacters: most }) },
    { limit: "a minute", status: 429, ofLimit: (most: number) => ({ rateCharactersPerMinute: most }) },
  ])(
    `for the last ${LAST} characters of $limit admit exactly what fits, ${ROUNDS} times`,
    async ({ status, ofLimit }) => {
      const fleet = await Fleet.open({ url: server.url(), schema: server.newSchema(), nodes: 2 });
      for (let round = 0; round < ROUNDS; round++) {
        const bot = await fleet.newBot({ quotaCharacters: PLENTY, ...ofLimit(USED + LAST) });
        const [a, b] = fleet.nodes.map(({ url }) => url);
        if (a === undefined || b === undefined) throw new Error("there are two");
        const first = await create(a, bot, "first", USED);
        const racing = Array.from({ length: 240 }, (_, i) => create(i % 2 === 0 ? a : b, bot, `w${i}`, EACH));
        const replies = [first, ...(await Promise.all(racing))];
        const admitted = replies.filter((reply) => reply.status === 200);

        expect(admitted).toHaveLength(1 + LAST / EACH);
        expect(replies.filter((reply) => reply.status !== 200 && reply.status !== status)).toEqual([]);
        const articles = new Map(admitted.map(({ id, body }) => [id ?? "", body]));
        const { usedMost, chargedMost } = await expectAtRest(fleet, bot, { articles });
        expect([usedMost, chargedMost]).toEqual([USED + LAST, USED + LAST]);
      }
    },
  );
});
