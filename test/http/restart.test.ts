import { describe, expect, it } from "vitest";
import { expectRateRefused, expectRefused } from "./answers.ts";
import { ownService } from "./service.ts";

const article = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });

describe("a restart", () => {
  it("keeps every article as it was, in its order, with its key", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    for (let i = 0; i < 20; i += 1) {
      if (i % 4 === 0) service.clock.advance(1_000);
      const more = {
        source: "https://example.org/",
        metadata: { i, "a.b": true },
        activeOn: [{ agent: "A", channel: "c" }],
      };
      await bot.add({ title: `Title 😀 ${i}`, body: `Line\r\n${"x".repeat(i)}\r\u0000`, ...(i % 2 === 0 ? more : {}) });
    }
    const all = await bot.allActive();
    const [first, second, third] = all;
    service.clock.advance(1_000);
    await bot.update(first?.id ?? "", { body: "changed" });
    await bot.update(second?.id ?? "", { metadata: { changed: true } });
    await bot.remove(third?.id ?? "");
    const before = await bot.allActive();
    await service.restart();
    expect(await bot.allActive()).toEqual(before);
    await service.restart();
    expect(await bot.allActive()).toEqual(before);
  });

  it("keeps the quota and what is used", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot({ quotaCharacters: 100 });
    const { id } = await bot.add(article(40));
    await bot.add(article(50));
    await bot.update(id, article(45));
    await service.restart();
    expectRefused(await bot.create(article(6)), 422, 30001);
    expect((await bot.create(article(5))).json.characterUsed).toBe(100);
    await bot.remove(id);
    await service.restart();
    expect((await bot.create(article(4))).json.characterUsed).toBe(59);
  });

  it("keeps the window: what was admitted before counts until its 60 seconds are over", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot({ rateCharactersPerMinute: 1_000 });
    await bot.add(article(600));
    service.clock.advance(10_000);
    await bot.add(article(400));
    service.clock.advance(5_000);
    await service.restart(() => service.clock.advance(15_000));
    expectRateRefused(await bot.create(article(600)), "30");
    expectRateRefused(await bot.create(article(601)), "40");
    service.clock.advance(29_999);
    expectRateRefused(await bot.create(article(600)), "1");
    service.clock.advance(1);
    expect((await bot.create(article(600))).status).toBe(200);
    await service.restart();
    expectRateRefused(await bot.create(article(4)), "10");
  });

  it("keeps the window through deletes, shrinking and a snapshot", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot({ rateCharactersPerMinute: 1_000 });
    const { id } = await bot.add(article(700));
    const kept = await bot.add(article(300));
    await bot.remove(id);
    await bot.update(kept.id, article(10));
    await (await bot.core()).snapshot();
    await service.restart(() => service.clock.advance(59_999));
    expectRateRefused(await bot.create(article(4)), "1");
    service.clock.advance(1);
    expect((await bot.create(article(1_000))).status).toBe(200);
  });

  it("with the wall clock set back meanwhile never admits too much, and waits no longer than a minute", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot({ rateCharactersPerMinute: 1_000 });
    await bot.add(article(1_000));
    await service.restart(() => service.clock.jumpWall(-3_600_000));
    const refused = await bot.create(article(4));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    service.clock.advance(60_000);
    expect((await bot.create(article(4))).status).toBe(200);
  });

  it("keeps agents and channels, imported knowledge and its status", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    const core = await bot.core();
    await core.putAgent("Ada", true);
    await core.putChannel("web", true);
    await core.putChannel("app", false);
    const content = [{ md: "A page about harbours." }, { md: "Second block." }];
    await bot.import({
      resourceDocId: "page",
      type: "WEBPAGE",
      metaData: { a: { b: [1] } },
      url: "https://example.org/",
      content,
    });
    await core.setDocumentStatus("page", "pending");
    const before = await bot.find("harbours", { options: { includeContent: true } });
    expect(before).toMatchObject([{ resourceDocId: "page", status: "pending", content }]);
    await service.restart();
    expect(await bot.find("harbours", { options: { includeContent: true } })).toEqual(before);
    const strict = (channel: string) =>
      bot.create({ title: "Strict", body: "b", strict: true, activeOn: [{ agent: "Ada", channel }] });
    expect((await strict("web")).status).toBe(200);
    expect((await strict("app")).status).toBe(400);
  });

  it("keeps a rotated key in force and the old one dead", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    const fresh = bot.with(await service.engine.rotateKey(bot.id));
    await service.restart();
    expectRefused(await bot.list(), 401, 10001);
    expect((await fresh.list()).status).toBe(200);
    await service.engine.revokeKey(bot.id);
    await service.restart();
    expectRefused(await fresh.list(), 401, 10001);
  });

  it("gives the same answers to the same questions, byte for byte", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    for (let i = 0; i < 40; i += 1) {
      await bot.add({
        title: `Guide ${i % 7}`,
        body: `# Part ${i % 5}\n\nThe printer in room ${i % 9} jams.\n\n- Open it\n- Close it ${i}`,
      });
    }
    await bot.import(
      { resourceDocId: "q", type: "QNA", question: "Why does the printer jam?", answer: "Old paper." },
      { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "Printers like dry rooms." }] },
    );
    const all = await bot.allActive();
    for (const { id } of all.slice(0, 10)) await bot.update(id, { body: "Now about scanners in a room." });
    for (const { id } of all.slice(10, 15)) await bot.remove(id);
    await bot.allActive();
    const questions = ["printer", "why does the printer jam?", "room 3", "Guide 2", "open it", "part 4 scanners"];
    const ask = () =>
      Promise.all(
        questions.map(async (query) => (await bot.search({ query, options: { topK: 50, includeContent: true } })).text),
      );
    const before = await ask();
    expect(before.every((answer) => answer.length > 2)).toBe(true);
    await service.restart();
    await bot.allActive();
    expect(await ask()).toEqual(before);
    await (await bot.core()).snapshot();
    await service.restart();
    await bot.allActive();
    expect(await ask()).toEqual(before);
  });

  it("never uses an id again", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let i = 0; i < 5; i += 1) {
        const { id } = await bot.add({ title: "abc", body: "b" });
        ids.push(id);
        await bot.remove(id);
      }
      await service.restart(() => service.clock.jumpWall(-7_200_000));
    }
    expect(new Set(ids).size).toBe(20);
  });

  it("takes up what was still uploading", async () => {
    const service = await ownService({ onDisk: true });
    const bot = await service.bot();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        bot.add({ title: `Unready ${i}`, body: "A walrus sleeps.\n\n".repeat(200) }),
      ),
    );
    await service.restart();
    expect(await bot.allActive()).toHaveLength(50);
    expect(await bot.ids("walrus", { options: { topK: 100 } })).toHaveLength(50);
  });
});
