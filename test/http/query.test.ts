import type { SearchResult } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { type Broken, expectInvalid, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();
const QUERY = `${KNOWLEDGE}/query`;

interface Answer {
  readonly success: true;
  readonly data: readonly SearchResult[];
  readonly total?: number;
  readonly facets?: Readonly<Record<string, readonly { readonly value: unknown; readonly count: number }[]>>;
  readonly groups?: readonly { readonly value: unknown; readonly results: readonly SearchResult[] }[];
}

const ask = (bot: BotClient, body: object) => bot.send<Answer>("POST", QUERY, { json: body });

/** Five articles on refunds, and one on parcels. */
async function filled(): Promise<BotClient> {
  const bot = await service().bot();
  const teams = ["billing", "sales", "billing", 7, "billing"];
  for (const [n, team] of teams.entries())
    await bot.publish({
      title: `Refund ${n}`,
      body: `A refund takes ${n} days.`,
      metadata: { team, even: n % 2 === 0 },
    });
  await bot.publish({ title: "Parcels", body: "Up to ten kilos.", metadata: { team: "billing" } });
  return bot;
}

describe("a query", () => {
  it("answers what a search does, and with the number of all that is found", async () => {
    const bot = await filled();
    for (const body of [{ query: "refund" }, { query: "refund", options: { topK: 2, includeContent: true } }]) {
      const { json, status } = await ask(bot, body);
      const searched = (await bot.search(body)).json;
      expect([status, json]).toEqual([200, { success: true, data: searched, total: 5 }]);
      expect(searched.length).toBeGreaterThan(1);
    }
    const none = await ask(bot, { query: "zzz", options: { facets: ["type"], groupBy: "type" } });
    expect(none.json).toEqual({ success: true, data: [], total: 0, facets: { type: [] }, groups: [] });
  });

  it("counts values over all that filters and the question leave", async () => {
    const bot = await filled();
    const facets = ["metaData.team", "metaData.even", "metaData.team", "url"];
    const { json } = await ask(bot, { query: "refund", options: { topK: 1, facets } });
    const even = [
      { value: true, count: 3 },
      { value: false, count: 2 },
    ];
    const team = [
      { value: "billing", count: 3 },
      { value: 7, count: 1 },
      { value: "sales", count: 1 },
    ];
    expect(json).toMatchObject({ total: 5, facets: { "metaData.team": team, "metaData.even": even, url: [] } });
    expect(Object.keys(json.facets ?? {})).toEqual(["metaData.team", "metaData.even", "url"]);
    const filters = { "metaData.team": "billing", "metaData.even": { ne: false } };
    const narrowed = await ask(bot, { query: "refund", filters, options: { facets: ["metaData.even"] } });
    expect(narrowed.json).toMatchObject({ total: 3, facets: { "metaData.even": [{ value: true, count: 3 }] } });
  });

  it("groups the best documents, more of them than it lists", async () => {
    const bot = await filled();
    const options = { topK: 2, groupBy: "metaData.team", groupSize: 2 };
    const { json } = await ask(bot, { query: "refund", options });
    const ranking = (await bot.search({ query: "refund" })).json;
    const teamOf = ({ metaData }: SearchResult) => metaData.team;
    expect(json.data).toEqual(ranking.slice(0, 2));
    const teams = [...new Set(ranking.map(teamOf))].slice(0, 2);
    expect(json.groups).toEqual(
      teams.map((value) => ({ value, results: ranking.filter((each) => teamOf(each) === value).slice(0, 2) })),
    );
  });

  it.each<[object, ...Broken[]]>([
    [{}, ["query", "required"]],
    [{ query: "x", options: { facets: "type" } }, ["options.facets", "array"]],
    [{ query: "x", options: { facets: Array(11).fill("type") } }, ["options.facets", "maxItems"]],
    [
      { query: "x", options: { facets: ["type", "team", 7, ""] } },
      ["options.facets.1", "unknownField"],
      ["options.facets.2", "string"],
      ["options.facets.3", "minLength"],
    ],
    [{ query: "x", options: { facets: [`metaData.${"x".repeat(504)}`] } }, ["options.facets.0", "maxLength"]],
    [{ query: "x", options: { facets: [`metaData.${"x.".repeat(32)}x`] } }, ["options.facets.0", "maxItems"]],
    [{ query: "x", options: { groupBy: "and" } }, ["options.groupBy", "unknownField"]],
    [
      { query: "x", options: { groupBy: ["type"], groupSize: 0 } },
      ["options.groupBy", "string"],
      ["options.groupSize", "range"],
    ],
    [{ query: "x", options: { groupBy: "type", groupSize: 101 } }, ["options.groupSize", "range"]],
    [{ query: "x", options: { groupBy: "type", groupSize: "3" } }, ["options.groupSize", "integer"]],
    [{ query: "x", options: { groupSize: 3 } }, ["options.groupBy", "required"]],
    [
      { query: "x", filters: { team: 1 }, options: { topK: 0, facet: [] } },
      ["filters.team", "unknownField"],
      ["options.facet", "unknownField"],
      ["options.topK", "range"],
    ],
  ])("%j is refused", async (body, ...broken) => {
    const bot = await service().bot();
    expectInvalid(await ask(bot, body), ...broken);
  });

  it("is the place of what a search refuses", async () => {
    const bot = await service().bot();
    const reply = await bot.search({ query: "x", options: { facets: ["type"], groupBy: "type", groupSize: 2 } });
    const fields = ["facets", "groupBy", "groupSize"].map((name): Broken => [`options.${name}`, "unknownField"]);
    expectInvalid(reply, ...fields);
    expect(reply.text).toContain("/api/v1/knowledge/query");
  });

  it("is open to a key that may only search", async () => {
    const bot = await filled();
    const site = bot.with(await service().engine.addKey(bot.id, "site", { scope: "search" }));
    expect((await ask(site, { query: "refund" })).json.total).toBe(5);
    expectRefused(await site.list(), 403, 10002);
  });
});
