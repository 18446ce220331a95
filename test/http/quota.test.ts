import { describe, expect, it } from "vitest";
import { expectRefused } from "./answers.ts";
import type { BotClient, RefusedReply, Reply } from "./client.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

/** An article of exactly so many characters. */
const article = (characters: number, mark = "b") => ({ title: "abc", body: mark.repeat(characters - 3) });

async function used(bot: BotClient): Promise<number> {
  return (await bot.list()).json.data.reduce((sum, { characterCount }) => sum + characterCount, 0);
}

function refusalText(reply: Reply<unknown>): string {
  expectRefused(reply, 422, 30001);
  // Its shape was checked the line before.
  return (reply.json as RefusedReply).error.message;
}

describe("the character quota", () => {
  it("can be filled to the last character, and not one further", async () => {
    const bot = await service().bot({ quotaCharacters: 100 });
    expect((await bot.create(article(60))).json.characterUsed).toBe(60);
    expectRefused(await bot.create(article(41)), 422, 30001);
    expect((await bot.create(article(40))).json.characterUsed).toBe(100);
    expectRefused(await bot.create(article(4)), 422, 30001);
  });

  it("when exceeded says by how much, how much is used and what the limit is", async () => {
    const bot = await service().bot({ quotaCharacters: 500 });
    await bot.add(article(320));
    const text = refusalText(await bot.create(article(257)));
    expect(text.match(/\d+/g)?.map(Number).sort()).toEqual([320, 500, 77]);
    const { id } = (await bot.list()).json.data[0] ?? { id: "" };
    const update = refusalText(await bot.update(id, article(611)));
    expect(update.match(/\d+/g)?.map(Number).sort()).toEqual([111, 320, 500]);
  });

  it("counts code points", async () => {
    const bot = await service().bot({ quotaCharacters: 10 });
    expectRefused(await bot.create({ title: "😀😀😀", body: "😀".repeat(8) }), 422, 30001);
    expect((await bot.create({ title: "😀😀😀", body: "😀".repeat(7) })).json.characterUsed).toBe(10);
  });

  it("is each bot's own", async () => {
    const [a, b] = [await service().bot({ quotaCharacters: 50 }), await service().bot({ quotaCharacters: 70 })];
    await a.add(article(50));
    expectRefused(await a.create(article(4)), 422, 30001);
    expect((await b.create(article(70))).json.characterUsed).toBe(70);
  });

  it("counts an update by what the article has afterwards", async () => {
    const bot = await service().bot({ quotaCharacters: 100 });
    const { id } = await bot.add(article(60));
    expect((await bot.update(id, article(100))).json.characterUsed).toBe(100);
    expectRefused(await bot.update(id, article(101)), 422, 30001);
    expect((await bot.update(id, article(10))).json.characterUsed).toBe(10);
    expect((await bot.update(id, { title: "abcdef" })).json.characterUsed).toBe(13);
  });

  it("lets an article shrink, stay and change its metadata when it was lowered below what is used", async () => {
    const bot = await service().bot({ quotaCharacters: 100 });
    const { id } = await bot.add(article(90));
    await service().engine.updateBot(bot.id, { quotaCharacters: 20 });
    expect((await bot.update(id, article(90, "c"))).json.characterUsed).toBe(90);
    expect((await bot.update(id, { metadata: { k: 1 } })).json.characterUsed).toBe(90);
    expect((await bot.update(id, article(50))).json.characterUsed).toBe(50);
    const text = refusalText(await bot.update(id, article(51)));
    expect(text.match(/\d+/g)?.map(Number).sort()).toEqual([20, 31, 50]);
    expectRefused(await bot.create(article(4)), 422, 30001);
  });

  it("has room again at once when the operator raises it", async () => {
    const bot = await service().bot({ quotaCharacters: 10 });
    expectRefused(await bot.create(article(11)), 422, 30001);
    await service().engine.updateBot(bot.id, { quotaCharacters: 11 });
    expect((await bot.create(article(11))).status).toBe(200);
  });

  it("is freed by a delete", async () => {
    const bot = await service().bot({ quotaCharacters: 100 });
    const { id } = await bot.add(article(100));
    expectRefused(await bot.create(article(4)), 422, 30001);
    await bot.remove(id);
    expect((await bot.create(article(100))).json.characterUsed).toBe(100);
  });

  it("is not touched by a write that was refused", async () => {
    const bot = await service().bot({ quotaCharacters: 100, rateCharactersPerMinute: 150 });
    const { id } = await bot.add(article(50));
    await bot.create({ title: "x", body: "b".repeat(40) });
    await bot.update("0123456789abcdef01234567", article(40));
    await bot.create(article(51));
    await bot.update(id, article(101));
    await bot.with("wrong").create(article(40));
    expect((await bot.create(article(50))).json.characterUsed).toBe(100);
  });

  it("is not touched by imported knowledge", async () => {
    const bot = await service().bot({ quotaCharacters: 10, rateCharactersPerMinute: 10 });
    await bot.import({ resourceDocId: "long", type: "DOCUMENT", content: [{ md: "words ".repeat(100) }] });
    expect((await bot.create(article(10))).json.characterUsed).toBe(10);
  });

  it("is never overshot by writes at the same time, and every answer tells its own total", async () => {
    for (const onDisk of [false, true]) {
      const home = onDisk ? await ownService({ onDisk }) : service();
      const bot = await home.bot({ quotaCharacters: 1_050 });
      const replies = await Promise.all(Array.from({ length: 40 }, () => bot.create(article(100))));
      const accepted = replies.filter(({ status }) => status === 200);
      expect(accepted.map(({ json }) => json.characterUsed).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, i) => (i + 1) * 100),
      );
      for (const reply of replies.filter(({ status }) => status !== 200)) expectRefused(reply, 422, 30001);
      expect(await used(bot)).toBe(1_000);
    }
  });

  it("is never overshot by updates at the same time", async () => {
    const bot = await service().bot({ quotaCharacters: 500 });
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await bot.add(article(10))).id));
    const replies = await Promise.all(ids.map((id) => bot.update(id, article(100))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(6);
    expect(await used(bot)).toBe(4 * 100 + 6 * 10);
  });

  it("stays true when creates, updates and deletes run at once", async () => {
    const bot = await service().bot({ quotaCharacters: 2_000 });
    const one = async (lane: number) => {
      for (let round = 0; round < 6; round += 1) {
        const created = await bot.create(article(100 + lane));
        if (created.status !== 200) continue;
        expect(created.json.characterUsed).toBeLessThanOrEqual(2_000);
        const grown = await bot.update(created.json.data.id, article(200 + lane));
        if (grown.status === 200) expect(grown.json.characterUsed).toBeLessThanOrEqual(2_000);
        if (round % 2 === 0) expect((await bot.remove(created.json.data.id)).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, lane) => one(lane)));
    const sum = await used(bot);
    expect(sum).toBeLessThanOrEqual(2_000);
    const { id, characterCount } = (await bot.list()).json.data[0] ?? { id: "", characterCount: 0 };
    expect((await bot.update(id, { metadata: { last: true } })).json.characterUsed).toBe(sum);
    expect((await bot.update(id, article(4))).json.characterUsed).toBe(sum - characterCount + 4);
  });
});
