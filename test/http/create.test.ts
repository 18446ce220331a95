import { describe, expect, it } from "vitest";
import { sharedService } from "./service.ts";

const service = sharedService();

describe("creating an article", () => {
  it("with title and body alone answers with the whole article and nothing more", async () => {
    const bot = await service().bot();
    const reply = await bot.create({ title: "Opening hours", body: "# Hours\n\nWe open at 9." });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      success: true,
      message: expect.stringMatching(/content.*initiated|initiated.*content/i),
      data: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        status: "uploading",
        title: "Opening hours",
        body: "# Hours\n\nWe open at 9.",
        metadata: {},
        activeOn: [],
        createdAt: service().clock.iso(),
        updatedAt: service().clock.iso(),
        characterCount: 13 + 22,
      },
      characterUsed: 13 + 22,
    });
    expect(reply.json.data).not.toHaveProperty("source");
  });

  it("with every field answers with every field as it was given", async () => {
    const bot = await service().bot();
    const given = {
      title: "Règles & 规则 😀",
      body: "a\r\nb\rc\u0000d\n\n| x | y |\n|---|---|\n| 1 | 2 |\n",
      metadata: { text: "x", number: -1.5e-7, yes: true, no: false, empty: "", "dotted.key": 0, __proto: "p" },
      source: "HTTPS://Example.COM:443/a%20b?q=ä#f",
      activeOn: [{ channel: "web" }, { agent: "Ada", channel: "web" }, { channel: "web" }],
    };
    const reply = await bot.create({ ...given, strict: false });
    expect(reply.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: "uploading",
      ...given,
      createdAt: service().clock.iso(),
      updatedAt: service().clock.iso(),
      characterCount: [...given.title].length + [...given.body].length,
    });
  });

  it("keeps a metadata key that is called __proto__ like any other", async () => {
    const bot = await service().bot();
    const body = '{"title":"Proto","body":"b","metadata":{"__proto__":"x","constructor":1}}';
    const reply = await bot.send("POST", "/api/v1/knowledge", {
      body,
      headers: { "content-type": "application/json" },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toContain('"__proto__":"x"');
    expect((await bot.list()).text).toContain('"__proto__":"x"');
    expect((await bot.list()).text).toContain('"constructor":1');
  });

  it("takes null for an optional field as absent", async () => {
    const bot = await service().bot();
    const nulls = { metadata: null, source: null, activeOn: null, strict: null };
    const reply = await bot.create({ title: "Nulls", body: "b", ...nulls });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toEqual(expect.objectContaining({ metadata: {}, activeOn: [] }));
    expect(reply.json.data).not.toHaveProperty("source");
    expect(reply.json.data).not.toHaveProperty("strict");
    const entry = await bot.create({ title: "Nulls", body: "b", activeOn: [{ agent: null, channel: "web" }] });
    expect(entry.status, entry.text).toBe(200);
    expect(entry.json.data.activeOn).toEqual([{ channel: "web" }]);
  });

  it("counts code points, not UTF-16 units or bytes or what a reader sees", async () => {
    const bot = await service().bot();
    const title = "😀😀😀";
    const body = "👩‍👩‍👧 e\u0301 𝒳 ß漢";
    const reply = await bot.create({ title, body });
    expect(reply.json.data.characterCount).toBe(3 + 13);
    expect(reply.json.characterUsed).toBe(3 + 13);
  });

  it("counts neither metadata nor source nor activeOn", async () => {
    const bot = await service().bot();
    const more = { metadata: { k: "long value" }, source: "https://example.org/", activeOn: [{ channel: "web" }] };
    expect((await bot.create({ title: "abc", body: "d", ...more })).json.characterUsed).toBe(4);
  });

  it("adds its characters to all that are used", async () => {
    const bot = await service().bot();
    expect((await bot.create({ title: "abc", body: "1234567" })).json.characterUsed).toBe(10);
    expect((await bot.create({ title: "abc", body: "12" })).json.characterUsed).toBe(15);
  });

  it("allows equal titles, under ids of their own", async () => {
    const bot = await service().bot();
    const ids = await Promise.all([1, 2, 3].map(async () => (await bot.add({ title: "Same", body: "same" })).id));
    expect(new Set(ids).size).toBe(3);
  });

  it("gives ids that rise with time and are never used again", async () => {
    const bot = await service().bot();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { id } = await bot.add({ title: "Same", body: "same" });
      await bot.remove(id);
      ids.push(id);
      service().clock.advance(3_600_000);
    }
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual([...ids].sort());
  });

  it("turns it active by itself; then a search finds it", async () => {
    const bot = await service().bot();
    const created = await bot.add({ title: "Parking", body: "Visitors park behind the bakery." });
    const active = await bot.active(created.id);
    expect(active).toEqual({ ...created, status: "active" });
    expect(await bot.ids("where do visitors park?")).toEqual([created.id]);
  });
});
