import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Bot } from "../../src/bot.ts";
import { codeOf, openNodes, withoutStatus } from "./nodes.ts";

/** A call on a node. An article is named by its place among those that were made. */
type Call =
  | { readonly is: "create"; readonly node: number; readonly characters: number; readonly key: number | undefined }
  | { readonly is: "update" | "delete"; readonly node: number; readonly article: number; readonly characters: number }
  | { readonly is: "snapshot"; readonly node: number }
  | { readonly is: "cut" | "mend" | "loseAnswer" };

const node = fc.nat(2);
const characters = fc.integer({ min: 20, max: 200 });
const key = fc.option(fc.nat(2), { nil: undefined, freq: 4 });
const call = fc.oneof(
  { weight: 8, arbitrary: fc.record({ is: fc.constant("create"), node, characters, key }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constantFrom("update", "delete"), node, article: fc.nat(9), characters }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("snapshot"), node }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("cut", "mend", "loseAnswer") }) },
) as fc.Arbitrary<Call>;

const QUOTA = 1_500;
/** The errors that a caller may get. */
const REFUSED = new Set<unknown>([
  undefined,
  "QUOTA_EXCEEDED",
  "RATE_EXCEEDED",
  "ARTICLE_NOT_FOUND",
  "IDEMPOTENCY_KEY_REUSED",
  "UNREACHABLE",
]);

it("however calls on three nodes meet, nothing acknowledged is lost, no limit is exceeded, and all nodes agree at rest", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(call, { maxLength: 8 }), { maxLength: 6 }), async (rounds) => {
      const { database, nodes, open } = await openNodes({ staleMaxMs: 0 });
      const { bot } = await nodes[0].createBot({
        name: "help",
        quotaCharacters: QUOTA,
        rateCharactersPerMinute: 2_500,
      });
      const bots = await Promise.all(nodes.map((engine) => engine.bot(bot.id)));
      const made: string[] = [];
      const alive = new Map<string, number>();
      const doubtful = new Set<string>();
      let acknowledged = 0;
      const run = async (one: Call): Promise<unknown> => {
        if (!("node" in one)) return database[one.is]();
        const on = bots[one.node] as Bot;
        if (!("characters" in one)) return on.snapshot();
        const input = { title: "title", body: "b".repeat(one.characters) };
        if (one.is === "create") {
          const key = one.key === undefined ? {} : { idempotencyKey: `key-${one.key}` };
          const { article } = await on.createArticle(input, key);
          acknowledged += 1;
          if (!made.includes(article.id)) made.push(article.id);
          if (!alive.has(article.id)) alive.set(article.id, one.characters);
          return undefined;
        }
        const id = made[one.article];
        if (id === undefined) return undefined;
        doubtful.add(id);
        if (one.is === "update") await on.updateArticle(id, input);
        else await on.deleteArticle(id);
        return undefined;
      };
      for (const calls of rounds) {
        const codes = await Promise.all(calls.map((one) => codeOf(run(one))));
        expect(codes.filter((code) => !REFUSED.has(code))).toEqual([]);
      }
      database.mend();
      const late = await (await open()).bot(bot.id);
      const lists = await Promise.all([...bots, late].map((one) => one.listArticles()));
      // Each node indexes by itself.
      for (const list of lists) expect(list.map(withoutStatus)).toEqual(lists[0]?.map(withoutStatus));
      const held = new Map((lists[0] ?? []).map((article) => [article.id, article.body.length]));
      for (const [id, length] of alive) if (!doubtful.has(id)) expect(held.get(id)).toBe(length);
      const used = await Promise.all([...bots, late].map(async (one) => (await one.stats()).characterUsed));
      const sum = [...held.values()].reduce((total, length) => total + length + "title".length, 0);
      expect(new Set(used)).toEqual(new Set([sum]));
      expect(sum).toBeLessThanOrEqual(QUOTA);
      expect(acknowledged).toBeGreaterThanOrEqual(alive.size);
    }),
    { numRuns: lawRuns(400) },
  );
}, 120_000);
