import { describe, expect, it } from "vitest";
import { expectRateRefused, expectRefused } from "./answers.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();
const article = (characters: number, mark = "b") => ({ title: "abc", body: mark.repeat(characters - 3) });
const limited = (rateCharactersPerMinute: number) => service().bot({ rateCharactersPerMinute });
const pass = (ms: number) => service().clock.advance(ms);

describe("the rate of characters added", () => {
  it("is 15,000 a minute unless the operator says otherwise", async () => {
    const { bot, key } = await service().engine.createBot({ name: "default limits" });
    expect(bot.rateCharactersPerMinute).toBe(15_000);
    const headers = { "x-api-key": key };
    const full = await service().send("POST", "/api/v1/knowledge", { json: article(15_000), headers });
    expect(full.status).toBe(200);
    const more = await service().send("POST", "/api/v1/knowledge", { json: article(4), headers });
    expectRateRefused(more, "60");
  });

  it("can be used to the last character, and not one further", async () => {
    const bot = await limited(1_000);
    expect((await bot.create(article(600))).status).toBe(200);
    expectRateRefused(await bot.create(article(401)), "60");
    expect((await bot.create(article(400))).status).toBe(200);
    expectRateRefused(await bot.create(article(4)), "60");
  });

  it("when exceeded is said in plain text, with the advice to try again later", async () => {
    const bot = await limited(1_000);
    await bot.add(article(1_000));
    const reply = await bot.create(article(10));
    expectRateRefused(reply, "60");
    expect(reply.text).toMatch(/try again later/i);
    expect(() => JSON.parse(reply.text)).toThrow();
  });

  it("admits a write exactly 60 seconds after the one that was in its way, and not one millisecond before", async () => {
    const bot = await limited(1_000);
    await bot.add(article(1_000));
    pass(59_999);
    expectRateRefused(await bot.create(article(1_000)), "1");
    pass(1);
    expect((await bot.create(article(1_000))).status).toBe(200);
    pass(59_999);
    expectRateRefused(await bot.create(article(4)), "1");
    pass(1);
    expect((await bot.create(article(4))).status).toBe(200);
  });

  it.each([
    [0, "60"],
    [1, "60"],
    [999, "60"],
    [1_000, "59"],
    [10_250, "50"],
    [58_999, "2"],
    [59_000, "1"],
    [59_999, "1"],
  ])("%i ms after a full window says Retry-After %s", async (ms, retryAfter) => {
    const bot = await limited(1_000);
    await bot.add(article(1_000));
    pass(ms);
    expectRateRefused(await bot.create(article(4)), retryAfter);
    pass(Number(retryAfter) * 1_000);
    expect((await bot.create(article(4))).status).toBe(200);
  });

  it("says when this very write would be admitted, by its size", async () => {
    const bot = await limited(1_000);
    await bot.add(article(400));
    pass(10_000);
    await bot.add(article(400));
    pass(10_000);
    await bot.add(article(200));
    pass(10_000);
    expectRateRefused(await bot.create(article(100)), "30");
    expectRateRefused(await bot.create(article(400)), "30");
    expectRateRefused(await bot.create(article(401)), "40");
    expectRateRefused(await bot.create(article(800)), "40");
    expectRateRefused(await bot.create(article(801)), "50");
    expectRateRefused(await bot.create(article(1_000)), "50");
    pass(30_000);
    expectRateRefused(await bot.create(article(401)), "10");
    expect((await bot.create(article(400))).status).toBe(200);
  });

  it("slides: what was used early comes back early", async () => {
    const bot = await limited(300);
    for (let i = 0; i < 3; i += 1) {
      await bot.add(article(100));
      pass(20_000);
    }
    for (let i = 0; i < 6; i += 1) {
      expect((await bot.create(article(100))).status).toBe(200);
      expectRateRefused(await bot.create(article(4)), "20");
      pass(20_000);
    }
  });

  it("refuses for good what is larger than a whole minute's, saying how large it is and what to do", async () => {
    const bot = await limited(500);
    const reply = await bot.create(article(777));
    expectRateRefused(reply, null);
    expect(reply.text.match(/\d+/g)).toEqual(expect.arrayContaining(["777", "500"]));
    expect(reply.text).toMatch(/minute/i);
    expect(reply.text).toMatch(/update/i);
    expect(reply.text).toMatch(/operator/i);
    expect((await bot.create(article(500))).status).toBe(200);
    expectRateRefused(await bot.create(article(501)), null);
  });

  it("counts an update by what it adds", async () => {
    const bot = await limited(1_000);
    const { id } = await bot.add(article(600));
    expect((await bot.update(id, article(1_000))).status).toBe(200);
    expectRateRefused(await bot.update(id, article(1_001)), "60");
    pass(60_000);
    expect((await bot.update(id, article(2_000))).status).toBe(200);
    pass(60_000);
    expectRateRefused(await bot.update(id, article(3_001)), null);
    expect((await bot.update(id, article(3_000))).status).toBe(200);
  });

  it("lets through what adds nothing, also when the window is full", async () => {
    const bot = await limited(1_000);
    const { id } = await bot.add(article(1_000));
    expect((await bot.update(id, article(1_000, "c"))).status).toBe(200);
    expect((await bot.update(id, { metadata: { k: "v".repeat(2_000) } })).status).toBe(200);
    expect((await bot.update(id, article(10))).status).toBe(200);
    expectRateRefused(await bot.update(id, article(11)), "60");
    expect((await bot.remove(id)).status).toBe(200);
  });

  it("is never given back by a delete or by shrinking", async () => {
    const bot = await limited(1_000);
    const { id } = await bot.add(article(990));
    await bot.update(id, article(10));
    expectRateRefused(await bot.create(article(11)), "60");
    await bot.remove(id);
    expectRateRefused(await bot.create(article(11)), "60");
    expect((await bot.create(article(10))).status).toBe(200);
  });

  it("is not touched by a write that was refused", async () => {
    const bot = await service().bot({ quotaCharacters: 150, rateCharactersPerMinute: 100 });
    const { id } = await bot.add(article(50));
    await bot.create({ title: "x", body: "b" });
    await bot.create(article(51));
    await bot.create(article(101));
    await bot.update(id, article(151));
    await bot.update("0123456789abcdef01234567", article(40));
    expectRefused(await bot.create(article(140)), 422, 30001);
    expect((await bot.create(article(50))).status).toBe(200);
    expectRateRefused(await bot.create(article(4)), "60");
  });

  it("is each bot's own", async () => {
    const [a, b] = [await limited(100), await limited(100)];
    await a.add(article(100));
    expectRateRefused(await a.create(article(4)), "60");
    expect((await b.create(article(100))).status).toBe(200);
  });

  it("follows the operator at once", async () => {
    const bot = await limited(100);
    await bot.add(article(100));
    await service().engine.updateBot(bot.id, { rateCharactersPerMinute: 150 });
    expect((await bot.create(article(50))).status).toBe(200);
    await service().engine.updateBot(bot.id, { rateCharactersPerMinute: 60 });
    expectRateRefused(await bot.create(article(61)), null);
    pass(60_000);
    expect((await bot.create(article(60))).status).toBe(200);
  });

  it("is never overshot by writes at the same time", async () => {
    for (const onDisk of [false, true]) {
      const home = onDisk ? await ownService({ onDisk }) : service();
      const bot = await home.bot({ rateCharactersPerMinute: 1_050 });
      const replies = await Promise.all(Array.from({ length: 40 }, () => bot.create(article(100))));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
      for (const reply of replies.filter(({ status }) => status !== 200)) expectRateRefused(reply, "60");
      expect((await bot.create(article(50))).status).toBe(200);
      expectRateRefused(await bot.create(article(4)), "60");
    }
  });

  it("admits two growing updates at the same time when their growth together just fits", async () => {
    for (let round = 0; round < 10; round += 1) {
      const bot = await limited(110);
      const { id } = await bot.add(article(10));
      const replies = await Promise.all([100, 110].map((size) => bot.update(id, article(size))));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expectRateRefused(await bot.update(id, article(111)), "60");
    }
  });
});

describe("the window's clock", () => {
  it("goes on when the wall clock is set back", async () => {
    const bot = await limited(1_000);
    await bot.add(article(1_000));
    service().clock.jumpWall(-3_600_000);
    expectRateRefused(await bot.create(article(4)), "60");
    pass(59_999);
    expectRateRefused(await bot.create(article(4)), "1");
    pass(1);
    expect((await bot.create(article(4))).status).toBe(200);
  });

  it("is not fooled when the wall clock is set forward", async () => {
    const bot = await limited(1_000);
    await bot.add(article(1_000));
    service().clock.jumpWall(3_600_000);
    expectRateRefused(await bot.create(article(4)), "60");
    pass(60_000);
    expect((await bot.create(article(4))).status).toBe(200);
  });
});
