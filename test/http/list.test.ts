import { describe, expect, it } from "vitest";
import { brokenRules } from "./answers.ts";
import { KNOWLEDGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

describe("listing articles", () => {
  it("of an empty bot is an empty list", async () => {
    const reply = await (await service().bot()).list();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ success: true, data: [] });
  });

  it("shows every article whole, oldest first", async () => {
    const bot = await service().bot();
    const created = [];
    for (const title of ["zebra", "apple", "mango"]) {
      created.push(await bot.add({ title, body: "b", metadata: { k: 1 }, source: "https://example.org/" }));
      service().clock.advance(1_000);
    }
    await bot.allActive();
    const reply = await bot.list();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ success: true, data: created.map((article) => ({ ...article, status: "active" })) });
  });

  it("keeps its order when an older article is updated", async () => {
    const bot = await service().bot();
    const first = await bot.add({ title: "first", body: "b" });
    service().clock.advance(1_000);
    const second = await bot.add({ title: "second", body: "b" });
    service().clock.advance(1_000);
    await bot.update(first.id, { body: "changed" });
    expect((await bot.list()).json.data.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it("orders those of the same instant by id", async () => {
    const bot = await service().bot();
    await Promise.all(Array.from({ length: 30 }, (_, i) => bot.add({ title: `title ${i}`, body: "b" })));
    const { data } = (await bot.list()).json;
    expect(new Set(data.map(({ createdAt }) => createdAt)).size).toBe(1);
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(30);
  });

  it("finds by id, and nothing for an id that is none", async () => {
    const bot = await service().bot();
    const [a] = [await bot.add({ title: "one", body: "b" }), await bot.add({ title: "two", body: "b" })];
    expect((await bot.list({ id: a.id })).json.data.map(({ title }) => title)).toEqual(["one"]);
    for (const id of ["0123456789abcdef01234567", a.id.slice(1), `${a.id} `, "no id at all"]) {
      const reply = await bot.list({ id });
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ success: true, data: [] });
    }
  });

  it("finds by the exact title, with its case and every character", async () => {
    const bot = await service().bot();
    const titles = [
      "Opening hours",
      "opening hours",
      "Opening hours ",
      "Caf\u00e9 & bar?",
      "Cafe\u0301 & bar?",
      "50% + 😀 = a/b#c",
      "Opening hours",
    ];
    for (const title of titles) await bot.add({ title, body: "b" });
    for (const title of titles) {
      const found = (await bot.list({ title })).json.data.map((article) => article.title);
      expect(found).toEqual(titles.filter((other) => other === title));
    }
    expect((await bot.list({ title: "Opening" })).json.data).toEqual([]);
    const escaped = await bot.send("GET", `${KNOWLEDGE}?title=${encodeURIComponent("50% + 😀 = a/b#c")}`);
    expect(escaped.text).toContain("50% + 😀 = a/b#c");
  });

  it("by id and title needs both", async () => {
    const bot = await service().bot();
    const a = await bot.add({ title: "shared", body: "b" });
    const b = await bot.add({ title: "shared", body: "b" });
    const found = async (parameters: Record<string, string>) =>
      (await bot.list(parameters)).json.data.map(({ id }) => id);
    expect(await found({ title: "shared" })).toEqual([a.id, b.id].sort());
    expect(await found({ title: "shared", id: b.id })).toEqual([b.id]);
    expect(await found({ title: "other", id: b.id })).toEqual([]);
  });

  it.each([
    ["?colour=red", ["colour"]],
    ["?Title=x", ["Title"]],
    ["?title=a&title=b", ["title"]],
    ["?id=a&id=a", ["id"]],
    ["?title=a&title=b&id=1&id=2&page=3", ["id", "page", "title"]],
  ])("with %s is a 400", async (query, fields) => {
    const bot = await service().bot();
    const reply = await bot.send("GET", KNOWLEDGE + query);
    expect(
      brokenRules(reply)
        .map(([field]) => field)
        .sort(),
    ).toEqual(fields);
  });

  it("names an unknown parameter by the rule unknownField", async () => {
    const bot = await service().bot();
    expect(brokenRules(await bot.send("GET", `${KNOWLEDGE}?colour=red`))).toEqual([["colour", "unknownField"]]);
  });

  it("never shows imported knowledge", async () => {
    const bot = await service().bot();
    await bot.import({
      resourceDocId: "web",
      type: "WEBPAGE",
      metaData: { title: "Page" },
      content: [{ md: "words" }],
    });
    expect((await bot.list()).json.data).toEqual([]);
    expect((await bot.list({ title: "Page" })).json.data).toEqual([]);
  });

  it("comes in pieces when it is large, and whole", async () => {
    const bot = await service().bot();
    const body = "A line of text.\n".repeat(2_000);
    for (let i = 0; i < 120; i += 1) await bot.add({ title: `Article ${i}`, body });
    const reply = await bot.list();
    expect(reply.headers.get("content-length")).toBeNull();
    expect(reply.json.data.map(({ title }) => title).sort()).toEqual(
      Array.from({ length: 120 }, (_, i) => `Article ${i}`).sort(),
    );
    expect(reply.json.data.every((article) => article.body === body)).toBe(true);
  });
});
