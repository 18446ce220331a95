import { describe, expect, it } from "vitest";
import { expectInvalid, expectRateRefused, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE } from "./client.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

interface Found {
  readonly success: true;
  readonly data: { readonly id: string };
}

const get = (bot: BotClient, id: string, headers: Record<string, string> = {}) =>
  bot.send<Found>("GET", `${KNOWLEDGE}/${id}`, { headers });
const tagOf = async (bot: BotClient, id: string) => (await get(bot, id)).headers.get("etag") ?? "";
const put = (bot: BotClient, id: string, json: unknown, ifMatch: string) =>
  bot.send<unknown>("PUT", `${KNOWLEDGE}/${id}`, { json, headers: { "if-match": ifMatch } });
const remove = (bot: BotClient, id: string, ifMatch: string) =>
  bot.send<unknown>("DELETE", `${KNOWLEDGE}/${id}`, { headers: { "if-match": ifMatch } });

const article = { title: "Opening hours", body: "From nine to six.", metadata: { externalId: 7 } };

describe("one article", () => {
  it("is got by its id, with the tag of its newest version", async () => {
    const bot = await service().bot();
    const published = await bot.publish(article);
    const reply = await get(bot, published.id);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ success: true, data: published });
    expect(reply.headers.get("etag")).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(reply.headers.get("content-length")).toBe(String(reply.text.length));
    const head = await bot.send("HEAD", `${KNOWLEDGE}/${published.id}`);
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", reply.headers.get("etag")]);
  });

  it("is not there for another bot, or by another id", async () => {
    const [one, other] = [await service().bot(), await service().bot()];
    const { id } = await one.add(article);
    for (const missing of [id, id.toUpperCase(), "0".repeat(24), "x", "__proto__", `${id}%20`]) {
      expectRefused(await get(other, missing), 404, 20001);
    }
    expectRefused(await get(other, id, { "if-none-match": "*" }), 404, 20001);
  });

  it("has another tag with any of its fields, and the one of before with all of them as before", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(article);
    const first = await tagOf(bot, id);
    const seen = new Set([first]);
    const changes = [
      { metadata: { externalId: "7" } },
      { metadata: { externalId: 7, more: true } },
      { source: "https://help.example.com/hours" },
      { activeOn: [{ channel: "web" }] },
      { activeOn: [{ agent: "Ada", channel: "web" }] },
      { title: "Opening times" },
      { body: "From nine to five." },
    ];
    for (const change of changes) {
      const reply = await bot.update(id, change);
      const tag = reply.headers.get("etag") ?? "";
      expect(seen).not.toContain(tag);
      seen.add(tag);
      await bot.active(id);
      seen.add(await tagOf(bot, id));
    }
    const unchanged = await tagOf(bot, id);
    expect((await bot.update(id, { title: "Opening times" })).headers.get("etag")).toBe(unchanged);
    // Within one instant of the clock `updatedAt` stays too: then it is what it was.
    await bot.update(id, { ...article, source: null, activeOn: null });
    await bot.active(id);
    expect(await tagOf(bot, id)).toBe(first);
    service().clock.advance(1_000);
    await bot.update(id, { body: "x" });
    await bot.update(id, { ...article, source: null, activeOn: null });
    await bot.active(id);
    expect(await tagOf(bot, id)).not.toBe(first);
  });

  it("keeps its tag over a restart and a snapshot", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    const published = await bot.publish({
      ...article,
      metadata: { b: -0, "1": 1e21, a: "é\u0000", ["__proto__"]: true },
    });
    const tag = await tagOf(bot, published.id);
    await own.restart();
    expect(await tagOf(bot, published.id)).toBe(tag);
    await (await bot.core()).snapshot();
    await own.restart();
    expect(await tagOf(bot, published.id)).toBe(tag);
  });

  it("is not sent again to whoever has it", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(article);
    const tag = await tagOf(bot, id);
    for (const known of [
      tag,
      `W/${tag}`,
      `"other", ${tag}`,
      `"a,b" ,W/"x",${tag},`,
      `,,${tag}`,
      ` ,\t, "x",, ${tag}`,
      "*",
    ]) {
      const reply = await get(bot, id, { "if-none-match": known });
      expect([reply.status, reply.text, reply.headers.get("etag")], known).toEqual([304, "", tag]);
      expect(reply.headers.get("x-request-id")).toMatch(/\S/);
    }
    expect((await get(bot, id, { "if-none-match": '"other"' })).status).toBe(200);
    await bot.update(id, { body: "Changed." });
    expect((await get(bot, id, { "if-none-match": tag })).status).toBe(200);
    for (const bad of ["", "abc", '"a" "b"', `${tag},x`, '"', ",", "**", 'w/"a"']) {
      expectInvalid(await get(bot, id, { "if-none-match": bad }), ["if-none-match", "header"]);
    }
  });
});

describe("a write under a condition", () => {
  it("is refused when the article has changed, and changes nothing then", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(article);
    const old = await tagOf(bot, id);
    expect((await put(bot, id, { body: "Newer." }, old)).status).toBe(200);
    await bot.active(id);
    const now = await get(bot, id);
    expectRefused(await put(bot, id, { body: "Lost." }, old), 412, 20004);
    expectRefused(await put(bot, id, {}, old), 412, 20004);
    expectRefused(await remove(bot, id, old), 412, 20004);
    expectRefused(await remove(bot, id, `W/${now.headers.get("etag")}`), 412, 20004);
    expect((await get(bot, id)).json).toEqual(now.json);
    expect((await remove(bot, id, `,,${old}, ,${now.headers.get("etag")},`)).status).toBe(200);
  });

  it("holds where nothing but the status did", async () => {
    const bot = await service().bot();
    const created = await bot.create(article);
    const { id } = created.json.data;
    await bot.active(id);
    const uploading = created.headers.get("etag") ?? "";
    expect(await tagOf(bot, id)).not.toBe(uploading);
    const updated = await put(bot, id, { body: "Newer." }, uploading);
    expect(updated.status).toBe(200);
    expect((await put(bot, id, { body: "Newest." }, updated.headers.get("etag") ?? "")).status).toBe(200);
    expect((await put(bot, id, { body: "Newest." }, "*")).status).toBe(200);
    expect((await remove(bot, id, "*")).status).toBe(200);
  });

  it("lets exactly one of many through that know the same version", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(article);
    const tag = await tagOf(bot, id);
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => put(bot, id, { body: `Writer ${i}` }, tag)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
  });

  it("is checked after the article and the body, and before quota and rate", async () => {
    const bot = await service().bot({ quotaCharacters: 40, rateCharactersPerMinute: 35 });
    const { id } = await bot.add(article);
    const tag = await tagOf(bot, id);
    expectRefused(await put(bot, "0".repeat(24), { body: 1 }, "nonsense"), 404, 20001);
    expectInvalid(await put(bot, id, { body: 1 }, "nonsense"), ["if-match", "header"], ["body", "string"]);
    expectInvalid(await put(bot, id, { body: 1 }, '"other"'), ["body", "string"]);
    expectRefused(await put(bot, id, { body: "x".repeat(99) }, '"other"'), 412, 20004);
    expectRefused(await put(bot, id, { body: "x".repeat(99) }, tag), 422, 30001);
    expectRateRefused(await put(bot, id, { body: "x".repeat(24) }, tag), "60");
    expectInvalid(await remove(bot, id, "nonsense"), ["if-match", "header"]);
  });
});
