import type { SearchResult } from "@loredex/core";
import { describe, expect, it } from "vitest";
import type { BotClient, Reply } from "./client.ts";
import { sharedService } from "./service.ts";

/** Dify's external knowledge API, asked as Dify asks. */

const service = sharedService();

interface Records {
  readonly records: readonly {
    readonly content: string;
    readonly score: number;
    readonly title: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  }[];
}

const BODY =
  "# Refunds\n\nA refund takes three days.\n\nA refund by card takes five days.\n\n- Ask for a refund in the shop.";

async function shop(): Promise<BotClient> {
  const bot = await service().bot();
  await bot.add({ title: "Refunds", body: BODY, source: "https://a.example/r", metadata: { team: "billing", v: 7 } });
  await bot.add({ title: "Opening hours", body: "A refund desk opens at nine.", metadata: { team: "front" } });
  await (await bot.core()).whenSearchable();
  return bot;
}

const retrieve = (bot: BotClient, changes: object = {}): Promise<Reply<Records>> =>
  service().send("POST", "/api/v1/retrieval", {
    headers: { authorization: `Bearer ${bot.key}` },
    json: {
      retrieval_setting: { top_k: 4, score_threshold: 0.0 },
      query: "how long does a refund take?",
      knowledge_id: bot.id,
      metadata_condition: null,
      ...changes,
    },
  });

const where = (name: string, comparison_operator: string, value: unknown) => ({
  metadata_condition: { logical_operator: "and", conditions: [{ name, comparison_operator, value }] },
});

const places = ({ json }: Reply<Records>) =>
  json.records.map(({ metadata, score }) => `${metadata.document_id} ${metadata.start_line} ${score}`);

const partsOf = (results: readonly SearchResult[]) =>
  results
    .flatMap((each) => each.similarTextParts.map((part) => ({ id: each.resourceDocId, ...part })))
    .sort((one, other) => other.similarity - one.similarity);

describe("a retrieval", () => {
  it("has the best parts of a search, best first, with lines that hold them", async () => {
    const bot = await shop();
    const { json: results } = await bot.search({ query: "how long does a refund take?" });
    const best = partsOf(results).map(({ id, start, similarity }) => `${id} ${start} ${similarity}`);
    expect(best.length).toBeGreaterThan(2);
    expect(places(await retrieve(bot))).toEqual(best.slice(0, 4));
    expect(places(await retrieve(bot, { retrieval_setting: { top_k: 1, score_threshold: 0 } }))).toEqual(
      best.slice(0, 1),
    );
    const [first] = (await retrieve(bot)).json.records;
    expect(first).toMatchObject({
      title: "Refunds",
      metadata: { team: "billing", v: 7, document_url: "https://a.example/r" },
    });
    expect(BODY.split("\n")[Number(first?.metadata.start_line) - 1]).toContain(first?.content);
  });

  it("has the section around each match if the knowledge id asks for it, and each section once", async () => {
    const bot = await shop();
    const { json } = await retrieve(bot, { knowledge_id: `${bot.id}#section` });
    const sections = json.records.filter(({ title }) => title === "Refunds");
    expect(sections).toMatchObject([{ content: BODY, metadata: { start_line: 1, stop_line: 7 } }]);
    expect((await retrieve(bot, { knowledge_id: `${bot.id}#chapter` })).status).toBe(404);
  });

  it("leaves out what scores below the threshold", async () => {
    const bot = await shop();
    const all = (await retrieve(bot)).json.records.map(({ score }) => score);
    const score_threshold = all[1];
    const kept = (await retrieve(bot, { retrieval_setting: { top_k: 9, score_threshold } })).json.records;
    expect(kept.map(({ score }) => score)).toEqual(all.filter((score) => score >= Number(score_threshold)));
  });

  it("keeps to the documents that its conditions allow", async () => {
    const bot = await shop();
    const titles = async (condition: object) => [
      ...new Set((await retrieve(bot, condition)).json.records.map(({ title }) => title)),
    ];
    expect(await titles(where("team", "is", "front"))).toEqual(["Opening hours"]);
    expect(await titles(where("v", "=", "7"))).toEqual(["Refunds"]);
    expect(await titles(where("document_url", "is", "https://a.example/r"))).toEqual(["Refunds"]);
    expect(await titles(where("document_type", "is", "PDF"))).toEqual([]);
    expect(await titles(where("v", "≥", "7"))).toEqual(["Refunds"]);
    expect(await titles(where("team", "not contains", "bill"))).toEqual(["Opening hours"]);
    expect(await titles(where("v", "empty", null))).toEqual(["Opening hours"]);
    expect(await titles(where("team", "in", "front, sales"))).toEqual(["Opening hours"]);
    const either = {
      logical_operator: "or",
      conditions: [
        { name: "v", comparison_operator: ">", value: 6 },
        { name: "team", comparison_operator: "is", value: "front" },
      ],
    };
    expect((await titles({ metadata_condition: either })).sort()).toEqual(["Opening hours", "Refunds"]);
  });

  it("refuses a condition with a date that does not exist, by the search's own words", async () => {
    const refused = await retrieve(await shop(), where("since", "before", "2023-02-30"));
    expect([refused.status, refused.json]).toMatchObject([400, { error_code: 40000 }]);
    expect(refused.text).toContain("filters.metaData.since.lt must be a number, or a date");
  });

  it("names the bot by its id or its name, and no other bot's", async () => {
    const [bot, other] = [await shop(), await service().bot()];
    const { name } = (await service().engine.listBots()).find(({ id }) => id === bot.id) ?? { name: "" };
    expect((await retrieve(bot, { knowledge_id: name })).json.records.length).toBeGreaterThan(0);
    const refused = await retrieve(bot, { knowledge_id: other.id });
    expect([refused.status, refused.json]).toMatchObject([404, { error_code: 2001 }]);
  });
});
