import { describe, expect, it } from "vitest";
import { expectInvalid } from "./answers.ts";
import { type BotClient, KNOWLEDGE, SEARCH } from "./client.ts";
import { type Service, sharedService } from "./service.ts";

const service = sharedService();
const FEEDBACK = `${KNOWLEDGE}/feedback`;

const give = (bot: BotClient, json: unknown) => bot.send("POST", FEEDBACK, { json });

/** A bot with a question log. */
async function asked(on: Service): Promise<BotClient> {
  const bot = await on.bot();
  await on.engine.updateBot(bot.id, { questionLog: true });
  await bot.publish({ title: "Refunds", body: "Refunds take 14 days." });
  return bot;
}

describe("feedback", () => {
  it("names a search by the x-request-id of its answer, and feeds the gaps", async () => {
    const bot = await asked(service());
    const answer = await bot.send("POST", SEARCH, { json: { query: "how long do refunds take" } });
    const requestId = answer.headers.get("x-request-id") ?? "";
    const reply = await give(bot, { requestId, helpful: false, comment: "call me: jo@example.com" });
    expect([reply.status, reply.json]).toEqual([200, { success: true }]);
    const insights = await service().engine.insights(bot.id);
    expect(await insights.gaps()).toMatchObject([{ question: "how long do refunds take", unhelpful: 1 }]);
    expect((await insights.questions())[0]?.feedback?.comment).toBe("call me: [e-mail]");
    // Later feedback replaces the first.
    expect((await give(bot, { requestId, helpful: true })).status).toBe(200);
    expect((await insights.weeks()).map(({ helpful, unhelpful }) => [helpful, unhelpful])).toEqual([[1, 0]]);
  });

  it("takes ids of queries, of Dify and of the sender's own", async () => {
    const bot = await asked(service());
    const headers = { "x-request-id": "mine-1" };
    await bot.send("POST", `${KNOWLEDGE}/query`, { json: { query: "refunds" }, headers });
    expect((await give(bot, { requestId: "mine-1", helpful: true })).status).toBe(200);
    const body = { knowledge_id: bot.id, query: "refund", retrieval_setting: { top_k: 1, score_threshold: 0 } };
    await bot.send("POST", "/api/v1/retrieval", { json: body, headers: { "x-request-id": "dify" } });
    expect((await give(bot, { requestId: "dify", helpful: true })).status).toBe(200);
    const insights = await service().engine.insights(bot.id);
    expect((await insights.questions()).map(({ question }) => question)).toEqual(["refund", "refunds"]);
  });

  it("is a 404 for a search that the log does not have", async () => {
    const bot = await asked(service());
    const reply = await give(bot, { requestId: "unknown", helpful: true });
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ success: false, error: { code: 20008, status: 404 } });
  });

  it("is taken and not kept by a bot without a question log", async () => {
    const bot = await service().bot();
    const reply = await give(bot, { requestId: "unknown", helpful: true });
    expect([reply.status, reply.json]).toEqual([200, { success: true }]);
  });

  it("is open to keys for searches alone", async () => {
    const bot = await asked(service());
    const site = bot.with(await service().engine.addKey(bot.id, "site", { scope: "search" }));
    const answer = await site.send("POST", SEARCH, { json: { query: "refunds" } });
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect((await give(site, { requestId, helpful: true })).status).toBe(200);
  });

  it.each([
    [{ helpful: true }, "requestId", "required"],
    [{ requestId: "", helpful: true }, "requestId", "minLength"],
    [{ requestId: "x".repeat(129), helpful: true }, "requestId", "maxLength"],
    [{ requestId: null, helpful: true }, "requestId", "string"],
    [{ requestId: "a" }, "helpful", "required"],
    [{ requestId: "a", helpful: "yes" }, "helpful", "boolean"],
    [{ requestId: "a", helpful: null }, "helpful", "boolean"],
    [{ requestId: "a", helpful: true, comment: "x".repeat(1_001) }, "comment", "maxLength"],
    [{ requestId: "a", helpful: true, comment: "\ud800" }, "comment", "string"],
    [{ requestId: "a", helpful: true, resourceDocId: 7 }, "resourceDocId", "string"],
    [{ requestId: "a", helpful: true, coment: "x" }, "coment", "unknownField"],
  ])("is refused for %j", async (body, field, type) => {
    expectInvalid(await give(await service().bot(), body), [field, type]);
  });
});
