import { describe, expect, it } from "vitest";
import { SimulatedDatabase } from "../../packages/core/testing/index.ts";
import { expectInvalid, expectRateRefused, expectRefused } from "./answers.ts";
import { USAGE } from "./client.ts";
import { ownService, sharedService } from "./service.ts";
import { TestClock } from "./test-clock.ts";

const service = sharedService();
const article = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });
const pass = (ms: number) => service().clock.advance(ms);
const NO_DOCUMENTS = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };

describe("the usage of a bot", () => {
  it("is nothing at first, with the limits that the operator has set", async () => {
    const { bot, key } = await service().engine.createBot({ name: "usage by default", embedder: "none" });
    const reply = await service().send("GET", USAGE, { headers: { "x-api-key": key } });
    expect([reply.status, bot.embedder]).toEqual([200, "none"]);
    expect(reply.json).toEqual({
      success: true,
      data: {
        characterUsed: 0,
        characterQuota: 1_000_000,
        characterLeft: 1_000_000,
        bytes: { used: 0, max: 16_000_000 + 32 * 1_048_576 },
        rate: { charactersPerMinute: 15_000, used: 0, resetSeconds: 0 },
        documents: NO_DOCUMENTS,
        embedder: null,
      },
    });
  });

  it("follows each write at once, and the window until it is empty", async () => {
    const bot = await service().bot({ quotaCharacters: 1_000, rateCharactersPerMinute: 500, quotaBytes: 10_000 });
    const usage = async () => (await bot.usage()).json.data;
    const { id } = await bot.add(article(300));
    expect(await usage()).toMatchObject({
      ...{ characterUsed: 300, characterQuota: 1_000, characterLeft: 700 },
      bytes: { used: 300 + "{}[]".length + 100, max: 10_000 },
      rate: { charactersPerMinute: 500, used: 300, resetSeconds: 60 },
      documents: { ...NO_DOCUMENTS, EXTERNAL: 1 },
    });
    pass(20_500);
    expect((await usage()).rate).toEqual({ charactersPerMinute: 500, used: 300, resetSeconds: 40 });
    await bot.update(id, article(350));
    expect((await usage()).rate).toEqual({ charactersPerMinute: 500, used: 350, resetSeconds: 60 });
    // A refused write uses nothing. A delete frees quota, and no rate.
    expectRateRefused(await bot.create(article(151)), "40");
    await bot.remove(id);
    expect(await usage()).toMatchObject({
      ...{ characterUsed: 0, characterLeft: 1_000 },
      rate: { used: 350, resetSeconds: 60 },
      documents: NO_DOCUMENTS,
    });
    pass(39_499);
    expect((await usage()).rate).toMatchObject({ used: 350, resetSeconds: 21 });
    pass(1);
    expect((await usage()).rate).toMatchObject({ used: 50, resetSeconds: 21 });
    pass(20_499);
    expect((await usage()).rate).toMatchObject({ used: 50, resetSeconds: 1 });
    pass(1);
    expect((await usage()).rate).toMatchObject({ used: 0, resetSeconds: 0 });
  });

  it("has less than nothing left after the quota was lowered below what is used", async () => {
    const bot = await service().bot({ quotaCharacters: 100 });
    await bot.add(article(90));
    await service().engine.updateBot(bot.id, { quotaCharacters: 20 });
    expect((await bot.usage()).json.data).toMatchObject({ characterUsed: 90, characterQuota: 20, characterLeft: -70 });
  });

  it("counts imported documents by type, and charges nothing for them", async () => {
    const bot = await service().bot();
    await bot.import(
      { resourceDocId: "a", type: "PDF", content: [{ md: "Of a file." }] },
      { resourceDocId: "b", type: "PDF", content: [{ md: "Of another." }] },
      { resourceDocId: "c", type: "QNA", question: "Why?", answer: "Because." },
    );
    const core = await bot.core();
    // The same id with another type.
    await core.importDocument({ resourceDocId: "b", type: "TABLE", content: [{ md: "|a|\n|-|\n|b|" }] });
    await core.removeDocument("a");
    expect((await bot.usage()).json.data).toMatchObject({
      ...{ characterUsed: 0, bytes: { used: 0 }, rate: { used: 0, resetSeconds: 0 } },
      documents: { ...NO_DOCUMENTS, TABLE: 1, QNA: 1 },
    });
  });

  it("survives a restart, with the window", async () => {
    const home = await ownService({ onDisk: true });
    const bot = await home.bot({ quotaCharacters: 1_000, rateCharactersPerMinute: 500 });
    await bot.add(article(200));
    await bot.import({ resourceDocId: "a", type: "WEBPAGE", content: [{ md: "A page." }] });
    home.clock.advance(10_000);
    const before = (await bot.usage()).json;
    expect(before.data.rate).toEqual({ charactersPerMinute: 500, used: 200, resetSeconds: 50 });
    await home.restart();
    expect((await bot.usage()).json).toEqual(before);
  });

  it("is each bot's own", async () => {
    const [a, b] = [await service().bot(), await service().bot()];
    await a.add(article(50));
    expect((await b.usage()).json.data).toMatchObject({ characterUsed: 0, rate: { used: 0 }, documents: NO_DOCUMENTS });
  });

  it("is not for a key that opens the search alone, and takes no parameters", async () => {
    const bot = await service().bot();
    const search = bot.with(await service().engine.addKey(bot.id, "site", { scope: "search" }));
    expectRefused(await search.usage(), 403, 10002);
    expectInvalid(await bot.send("GET", `${USAGE}?verbose=true&x`), ["verbose", "unknownField"], ["x", "unknownField"]);
    expectRefused(await bot.send("GET", `${USAGE}/`), 404, 20002);
    expect((await bot.send("HEAD", USAGE)).status).toBe(200);
  });

  it("is the sum of what all nodes have written, with the one window that holds for all", async () => {
    const clock = new TestClock();
    const database = new SimulatedDatabase({ clock });
    const a = await ownService({ clock, storage: database.open() });
    const b = await ownService({ clock, storage: database.open() });
    const onA = await a.bot({ quotaCharacters: 1_000, rateCharactersPerMinute: 300 });
    const onB = b.same(onA);
    await onA.add(article(100));
    clock.advance(30_000);
    await onB.add(article(150));
    for (const bot of [onA, onB])
      expect((await bot.usage()).json.data).toMatchObject({
        characterUsed: 250,
        rate: { charactersPerMinute: 300, used: 250, resetSeconds: 60 },
        documents: { EXTERNAL: 2 },
      });
    clock.advance(30_000);
    for (const bot of [onA, onB])
      expect((await bot.usage()).json.data.rate).toMatchObject({ used: 150, resetSeconds: 30 });
    database.cut();
    // Only searches are answered from memory.
    expectRefused(await onA.usage(), 503, 50006);
  });
});
