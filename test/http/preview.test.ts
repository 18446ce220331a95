import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

interface Preview {
  readonly success: true;
  readonly data: {
    readonly characterCount: number;
    readonly charge: number;
    readonly characterLeft: number;
    readonly waitSeconds: number | null;
    readonly passages: readonly { readonly start: number; readonly stop: number; readonly text: string }[];
  };
}

const preview = (bot: BotClient, json: unknown) => bot.send<Preview>("POST", `${KNOWLEDGE}/preview`, { json });
const figures = async (bot: BotClient, json: unknown) => {
  const { characterCount, charge, characterLeft, waitSeconds } = (await preview(bot, json)).json.data;
  return [characterCount, charge, characterLeft, waitSeconds];
};
const article = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });

describe("a preview", () => {
  it("of a create says what it would come to, and writes and charges nothing", async () => {
    const bot = await service().bot({ quotaCharacters: 100, rateCharactersPerMinute: 80 });
    expect(await figures(bot, article(30))).toEqual([30, 30, 70, 0]);
    expect(await figures(bot, article(30))).toEqual([30, 30, 70, 0]);
    expect((await bot.list()).json.data).toEqual([]);
    expect((await bot.create(article(60))).json.characterUsed).toBe(60);
    expect(await figures(bot, article(20))).toEqual([20, 20, 20, 0]);
    expect(await figures(bot, article(41))).toEqual([41, 41, -1, 60]);
    expect(await figures(bot, article(81))).toEqual([81, 81, -41, null]);
    service().clock.advance(30_001);
    expect(await figures(bot, article(21))).toEqual([21, 21, 19, 30]);
    // What it says is what the write then gets.
    expectRefused(await bot.create(article(41)), 422, 30001);
    expect((await bot.create(article(21))).headers.get("retry-after")).toBe("30");
    expect((await bot.create(article(20))).json.characterUsed).toBe(80);
  });

  it("of an update is about the article of that id", async () => {
    const bot = await service().bot({ quotaCharacters: 100, rateCharactersPerMinute: 80 });
    const { id } = await bot.publish(article(50));
    const before = (await bot.list()).json;
    expect(await figures(bot, { id })).toEqual([50, 0, 50, 0]);
    expect(await figures(bot, { id, metadata: { k: 1 } })).toEqual([50, 0, 50, 0]);
    expect(await figures(bot, { id, ...article(70) })).toEqual([70, 20, 30, 0]);
    expect(await figures(bot, { id, ...article(40), strict: null })).toEqual([40, 0, 60, 0]);
    expect(await figures(bot, { ...before.data[0], ...article(120) })).toEqual([120, 70, -20, 60]);
    expect((await bot.list()).json).toEqual(before);
    const core = await bot.core();
    await service().engine.updateBot(core.id, { quotaCharacters: 10 });
    expect(await figures(bot, { id, ...article(40) })).toEqual([40, 0, -30, 0]);
    expect((await bot.update(id, article(40))).status).toBe(200);
  });

  it("has the passages as they would be found, with lines of the body", async () => {
    const bot = await service().bot();
    const body = `# Hours\r\n\r\nFrom nine 😀 to six.\r\n\r\n## Weekends\n\n${"On Saturdays we open late. ".repeat(60)}\n\n- never\n- ever`;
    const { passages } = (await preview(bot, { title: "Opening hours", body })).json.data;
    const lines = body.split("\n").map((line) => line.replace(/\r$/, ""));
    expect(passages.length).toBeGreaterThan(2);
    let last = 1;
    for (const { start, stop, text } of passages) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(stop).toBeGreaterThanOrEqual(start);
      expect(lines.slice(start - 1, stop).join("\n")).toContain(text.replaceAll("\r\n", "\n"));
      last = stop;
    }
    await bot.publish({ title: "Opening hours", body });
    expect((await (await bot.core()).stats()).passages.EXTERNAL).toBe(passages.length);
    expect((await preview(bot, { title: "abc", body: " " })).json.data.passages).toEqual([]);
  });

  it("refuses what the write would: 400, and 404 for an unknown id", async () => {
    const bot = await service().bot();
    const { id } = await bot.add(article(10));
    expectInvalid(
      await preview(bot, { title: "ab", extra: 1 }),
      ["title", "minLength"],
      ["body", "required"],
      ["extra", "unknownField"],
    );
    expectInvalid(await preview(bot, { id: null }), ["title", "required"], ["body", "required"]);
    expectInvalid(await preview(bot, { ...article(10), strict: true, activeOn: [{ channel: "web" }] }), [
      "activeOn.0.channel",
      "registered",
    ]);
    expectInvalid(await preview(bot, { id, title: null, extra: 1 }), ["title", "string"], ["extra", "unknownField"]);
    expectInvalid(await preview(bot, { id: 7, title: "ab" }), ["id", "string"], ["title", "minLength"]);
    expectRefused(await preview(bot, { id: "0".repeat(24), title: "ab" }), 404, 20001);
    const other = await service().bot();
    expectRefused(await preview(other, { id }), 404, 20001);
    expectInvalid(await bot.send("POST", `${KNOWLEDGE}/preview`, { json: [] }), ["body", "json"]);
  });
});
