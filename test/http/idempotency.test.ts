import { describe, expect, it } from "vitest";
import { expectInvalid, expectRateRefused, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE, type WriteReply } from "./client.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

const create = (bot: BotClient, key: string, json: unknown) =>
  bot.send<WriteReply>("POST", KNOWLEDGE, { json, headers: { "idempotency-key": key } });
const replayed = (reply: { readonly headers: Headers }) => reply.headers.get("idempotent-replayed");
const article = {
  title: "Opening hours",
  body: "From nine to six. 😀",
  metadata: { b: 1, a: "x" },
  activeOn: [{ channel: "web" }],
};
const DAY_MS = 24 * 3_600_000;

describe("a create with an idempotency key", () => {
  it("is done once: whoever asks again gets the first answer, to the last byte", async () => {
    const bot = await service().bot();
    const first = await create(bot, "key-1", article);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const { id } = first.json.data;
    service().clock.advance(5_000);
    for (const meanwhile of [
      async () => undefined,
      async () => void (await bot.active(id)),
      async () => void (await bot.update(id, { body: "Something else, and longer than before." })),
      async () => void (await bot.add({ title: "abc", body: "another" })),
      async () => void (await bot.remove(id)),
    ]) {
      await meanwhile();
      const again = await create(bot, "key-1", article);
      expect([again.status, replayed(again), again.text]).toEqual([200, "true", first.text]);
      expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    }
    expect((await bot.list()).json.data.map(({ title }) => title)).toEqual(["abc"]);
  });

  it("takes the same for the same whatever the order of its fields, and anything else for another body", async () => {
    const bot = await service().bot();
    const first = await create(bot, "k", article);
    const { title, body, metadata, activeOn } = article;
    const turned = await create(bot, "k", { source: null, activeOn, metadata: { a: metadata.a, b: 1 }, body, title });
    expect([turned.status, turned.json.data.id]).toEqual([200, first.json.data.id]);
    for (const change of [
      { body: "x" },
      { title: "Opening" },
      { metadata: { b: "1", a: "x" } },
      { strict: true, activeOn: [] },
      { activeOn: [] },
      { source: "https://a.example/" },
    ]) {
      expectRefused(await create(bot, "k", { ...article, ...change }), 409, 20005);
    }
    expect((await bot.list()).json.data.length).toBe(1);
    expect((await create(bot, "K", article)).json.data.id).not.toBe(first.json.data.id);
    const other = await service().bot();
    expect(replayed(await create(other, "k", article))).toBeNull();
  });

  it("is charged once, and a refused one is not remembered", async () => {
    const bot = await service().bot({ quotaCharacters: 60, rateCharactersPerMinute: 50 });
    const sized = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });
    expectInvalid(await create(bot, "k", { title: "ab", body: "x" }), ["title", "minLength"]);
    expectRefused(await create(bot, "k", sized(61)), 422, 30001);
    expectRateRefused(await create(bot, "k", sized(51)), null);
    expect((await create(bot, "k", sized(40))).json.characterUsed).toBe(40);
    for (let i = 0; i < 3; i++) expect((await create(bot, "k", sized(40))).json.characterUsed).toBe(40);
    expect(await (await bot.core()).stats()).toMatchObject({ characterUsed: 40, rateUsed: 40 });
    // The body is checked first, then the key, then quota and rate.
    expectInvalid(await create(bot, "k", { title: "ab", body: "x" }), ["title", "minLength"]);
    expectRefused(await create(bot, "k", sized(61)), 409, 20005);
    expect((await create(bot, "k2", sized(10))).status).toBe(200);
  });

  it("is remembered for 24 hours, and not longer", async () => {
    const own = await ownService();
    const bot = await own.bot();
    const first = await create(bot, "k", article);
    own.clock.advance(DAY_MS - 1);
    expect((await create(bot, "k", article)).text).toBe(first.text);
    own.clock.advance(1);
    const second = await create(bot, "k", { ...article, body: "x" });
    expect([second.status, replayed(second)]).toEqual([200, null]);
    expectRefused(await create(bot, "k", article), 409, 20005);
  });

  it("is remembered over a restart, from the log and from a snapshot", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    const first = await create(bot, "k", article);
    await bot.add({ title: "abc", body: "between" });
    await own.restart();
    expect((await create(bot, "k", article)).text).toBe(first.text);
    await (await bot.core()).snapshot();
    await own.restart();
    expect((await create(bot, "k", article)).text).toBe(first.text);
    expectRefused(await create(bot, "k", { ...article, body: "x" }), 409, 20005);
    await own.restart(() => own.clock.advance(DAY_MS));
    expect(replayed(await create(bot, "k", article))).toBeNull();
  });

  it("still gets its answer when an agent has gone on which it was strict", async () => {
    const bot = await service().bot();
    const core = await bot.core();
    await core.putChannel("web", true);
    const first = await create(bot, "k", { ...article, strict: true });
    expect(first.status).toBe(200);
    await core.removeChannel("web");
    expect((await create(bot, "k", { ...article, strict: true })).text).toBe(first.text);
    expectInvalid(await create(bot, "k2", { ...article, strict: true }), ["activeOn.0.channel", "registered"]);
  });

  it("is done once however many ask at the same time", async () => {
    const bot = await service().bot();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => create(bot, "k", i % 4 === 3 ? { ...article, body: "x" } : article)),
    );
    const [winner] = replies.filter((reply) => reply.status === 200 && replayed(reply) === null);
    for (const reply of replies) {
      if (reply.status === 200) expect(reply.text).toBe(winner?.text);
      else expectRefused(reply, 409, 20005);
    }
    expect(replies.filter((reply) => reply.status === 200 && replayed(reply) === null).length).toBe(1);
    expect((await bot.list()).json.data.length).toBe(1);
  });

  it.each(["a b", "", "é", "x".repeat(256), "a\tb"])("is refused with a key that is none: %j", async (key) => {
    const bot = await service().bot();
    expectInvalid(
      await create(bot, key, { title: "ab", body: "x" }),
      ["idempotency-key", "header"],
      ["title", "minLength"],
    );
    expectInvalid(await create(bot, key, article), ["idempotency-key", "header"]);
    expect((await create(bot, `!~"${"x".repeat(252)}`, article)).status).toBe(200);
  });
});
