import { describe, expect, it } from "vitest";
import { expectInvalid } from "./answers.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

const KNOWLEDGE_OF_SHOP = [
  {
    resourceDocId: "d1",
    type: "DOCUMENT",
    metaData: { title: "Delivery" },
    content: [{ md: "# Returns\n\nSend it." }],
  },
  {
    resourceDocId: "q1",
    type: "QNA",
    question: "How do I return a thing?",
    answer: "By post.",
    alternatives: ["Retour"],
  },
  { resourceDocId: "t1", type: "TABLE", metaData: {}, content: [{ md: "| Return | Days |\n|---|---|\n| Post | 3 |" }] },
] as const;

describe("suggestions", () => {
  it("are titles, questions and headings that continue a typed text", async () => {
    const bot = await service().bot();
    await bot.import(...KNOWLEDGE_OF_SHOP);
    const { id } = await bot.publish({ title: "Return policy", body: "Within 30 days.\n\n## Réturns abroad\n\nAlso." });
    const reply = await bot.suggest({ prefix: "RETUR" });
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        success: true,
        data: [
          { text: "Returns", resourceDocId: "d1", kind: "heading" },
          { text: "Return policy", resourceDocId: id, kind: "title" },
          { text: "Réturns abroad", resourceDocId: id, kind: "heading" },
          { text: "How do I return a thing?", resourceDocId: "q1", kind: "question" },
        ],
      },
    ]);
    expect((await bot.suggest({ prefix: "XETOUR" })).json.data).toEqual([
      { text: "Retour", resourceDocId: "q1", kind: "question" },
    ]);
    expect((await bot.suggest({ prefix: "ret", limit: 1 })).json.data).toHaveLength(1);
    expect((await bot.suggest({ prefix: "nothing like it" })).json.data).toEqual([]);
    expect((await bot.suggest({ prefix: "…" })).json.data).toEqual([]);
  });

  it("follow each write, and are the same after a restart", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    await bot.import(...KNOWLEDGE_OF_SHOP);
    const texts = async (prefix = "r"): Promise<string[]> =>
      (await bot.suggest({ prefix })).json.data.map(({ text }) => text);
    const { id } = await bot.publish({ title: "Refunds", body: "## Rates\n\nNone." });
    expect(await texts()).toEqual(["Rates", "Retour", "Refunds", "Returns", "How do I return a thing?"]);
    await bot.update(id, { title: "Rebates" });
    await bot.active(id);
    expect(await texts()).toEqual(["Rates", "Retour", "Rebates", "Returns", "How do I return a thing?"]);
    await (await bot.core()).setDocumentStatus("q1", "inactive");
    const before = await texts();
    expect(before).toContain("Retour");
    await own.restart();
    expect(await texts()).toEqual(before);
    await bot.remove(id);
    await (await bot.core()).removeDocument("q1");
    expect(await texts()).toEqual(["Returns"]);
    await own.restart();
    expect(await texts()).toEqual(["Returns"]);
  });

  it.each([
    [{}, "prefix", "required"],
    [{ prefix: "" }, "prefix", "minLength"],
    [{ prefix: "x".repeat(201) }, "prefix", "maxLength"],
    [{ prefix: 7 }, "prefix", "string"],
    [{ prefix: null }, "prefix", "string"],
    [{ prefix: "\ud800" }, "prefix", "string"],
    [{ prefix: "x", limit: 0 }, "limit", "range"],
    [{ prefix: "x", limit: 21 }, "limit", "range"],
    [{ prefix: "x", limit: 1.5 }, "limit", "integer"],
    [{ prefix: "x", limit: "3" }, "limit", "integer"],
    [{ prefix: "x", query: "y" }, "query", "unknownField"],
    [{ prefix: "x", options: {} }, "options", "unknownField"],
  ])("are refused for %j", async (body, field, type) => {
    expectInvalid(await (await service().bot()).suggest(body), [field, type]);
  });

  it("take a prefix of 200 characters, of which every word counts", async () => {
    const bot = await service().bot();
    await bot.publish({ title: "word ".repeat(20).trim(), body: "Text." });
    expect((await bot.suggest({ prefix: "😀".repeat(200) })).status).toBe(200);
    expect((await bot.suggest({ prefix: "w ".repeat(100), limit: 20 })).json.data).toHaveLength(1);
    expect((await bot.suggest({ prefix: "other ".repeat(33), limit: 20 })).json.data).toEqual([]);
  });
});
