import { describe, expect, it } from "vitest";
import { expectRefused } from "./answers.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();
/** Of an article "abc" with this body and metadata: see the page on the API. */
const bytesOf = (body: string, metadata: object = {}) =>
  3 + Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(metadata)) + "[]".length + 100;
const article = (body: string, metadata: object = {}) => ({ title: "abc", body, metadata });
const pass = (ms: number) => service().clock.advance(ms);

describe("the bytes of a bot's articles", () => {
  it("are those of texts, metadata, source and activeOn, and 100 for each article", async () => {
    const bot = await service().bot();
    const source = "https://example.com/ü";
    const activeOn = [{ channel: "web" }];
    await bot.add({ ...article("Grüße 😀", { ä: 1e16 }), source, activeOn });
    const { bytesUsed } = await (await service().engine.bot(bot.id)).stats();
    const more = Buffer.byteLength(source) + Buffer.byteLength(JSON.stringify(activeOn)) - "[]".length;
    expect(bytesUsed).toBe(bytesOf("Grüße 😀", { ä: 1e16 }) + more);
  });

  it("can be used to the last byte, and not one further", async () => {
    const bot = await service().bot({ quotaBytes: 1_024 });
    const { id } = await bot.add(article("x", { text: "" }));
    const left = 1_024 - bytesOf("x", { text: "" });
    const over = await bot.update(id, { metadata: { text: "y".repeat(left + 1) } });
    expectRefused(over, 422, 30002);
    expect(over.text.match(/\d+/g)).toEqual(expect.arrayContaining([String(left + 1), "1024", String(1_024 - left)]));
    expect((await bot.update(id, { metadata: { text: "y".repeat(left) } })).status).toBe(200);
    expectRefused(await bot.update(id, { activeOn: [{ channel: "c".repeat(200) }] }), 422, 30002);
    // What does not grow is not refused, also where the limit was lowered.
    await service().engine.updateBot(bot.id, { quotaBytes: 0 });
    expect((await bot.update(id, { metadata: { text: "z".repeat(left) } })).status).toBe(200);
    expectRefused(await bot.create(article("x")), 422, 30002);
    expect((await bot.remove(id)).status).toBe(200);
  });

  it("follow the characters unless the operator says otherwise", async () => {
    const { bot } = await service().engine.createBot({ name: "bytes by default", quotaCharacters: 1_000 });
    const figures = async () => (await service().engine.bot(bot.id)).stats();
    expect([bot.quotaBytes, bot.rateBytesPerMinute]).toEqual(["auto", "auto"]);
    const MIB = 1_048_576;
    expect(await figures()).toMatchObject({
      quotaBytes: 16_000 + 32 * MIB,
      rateBytesPerMinute: 64 * 15_000 + 16 * MIB,
    });
    await service().engine.updateBot(bot.id, { quotaCharacters: 2_000, rateBytesPerMinute: 5_000 });
    expect(await figures()).toMatchObject({ quotaBytes: 32_000 + 32 * MIB, rateBytesPerMinute: 5_000 });
    const wrong = service().engine.updateBot(bot.id, JSON.parse('{"quotaBytes":"all","rateBytesPerMinute":-1}'));
    await expect(wrong).rejects.toMatchObject({
      violations: [{ field: "quotaBytes" }, { field: "rateBytesPerMinute" }],
    });
  });
});

describe("the rate of bytes written", () => {
  it("counts every version whole, also one of which only metadata changes", async () => {
    const bot = await service().bot({ rateBytesPerMinute: 1_024 });
    const { id } = await bot.add(article("x", { v: 0 }));
    const size = bytesOf("x", { v: 0 });
    const most = Math.floor(1_024 / size);
    for (let v = 1; v < most; v++) expect((await bot.update(id, { metadata: { v } })).status).toBe(200);
    const refused = await bot.update(id, { metadata: { v: most } });
    expectRefused(refused, 429, 4291);
    expect(refused.headers.get("retry-after")).toBe("60");
    // What changes nothing is not counted.
    expect((await bot.update(id, { metadata: { v: most - 1 } })).status).toBe(200);
    pass(59_999);
    expectRefused(await bot.update(id, { activeOn: [{ channel: "web" }] }), 429, 4291);
    pass(1);
    expect((await bot.update(id, { metadata: { v: most } })).status).toBe(200);
    expect((await bot.remove(id)).status).toBe(200);
  });

  it("refuses for good what is larger than a whole minute's", async () => {
    const bot = await service().bot({ rateBytesPerMinute: 1_024 });
    const refused = await bot.create(article("x", { text: "y".repeat(1_024) }));
    expectRefused(refused, 429, 4291);
    expect(refused.headers.get("retry-after")).toBeNull();
  });

  it("comes last of all limits, and a refused write consumes nothing", async () => {
    const none = { quotaCharacters: 10, quotaBytes: 1_200, rateCharactersPerMinute: 8, rateBytesPerMinute: 1_150 };
    const bot = await service().bot(none);
    const codes = async (body: string, metadata: object) => {
      const { status, text } = await bot.create(article(body, metadata));
      return [status, text.startsWith("{") ? JSON.parse(text).error?.code : "text"];
    };
    const long = { a: "x".repeat(1_100) };
    expect(await codes("x".repeat(10), long)).toEqual([422, 30001]);
    expect(await codes("x".repeat(7), long)).toEqual([422, 30002]);
    expect(await codes("x".repeat(7), { a: "x".repeat(1_050) })).toEqual([429, "text"]);
    expect(await codes("x".repeat(5), { a: "x".repeat(1_050) })).toEqual([429, 4291]);
    expect(await codes("x".repeat(5), {})).toEqual([200, undefined]);
  });

  it("survives a restart, from the log and from a snapshot", async () => {
    const home = await ownService({ onDisk: true });
    const bot = await home.bot({ rateBytesPerMinute: 1_024 });
    // A minute has room for three versions of it.
    const { id } = await bot.add(article("x".repeat(200)));
    await home.restart();
    expect((await bot.update(id, { metadata: { v: 1 } })).status).toBe(200);
    await (await home.engine.bot(bot.id)).snapshot();
    await home.restart();
    expect((await bot.update(id, { metadata: { v: 2 } })).status).toBe(200);
    expectRefused(await bot.update(id, { metadata: { v: 3 } }), 429, 4291);
    home.clock.advance(60_000);
    expect((await bot.update(id, { metadata: { v: 3 } })).status).toBe(200);
  });
});
