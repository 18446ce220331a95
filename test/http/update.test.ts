import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefused } from "./answers.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

const FULL = {
  title: "Lost luggage",
  body: "Report lost luggage at the desk.",
  metadata: { team: "ground", level: 2 },
  source: "https://example.org/luggage",
  activeOn: [{ agent: "Ada", channel: "web" }],
};

describe("updating an article", () => {
  it("answers as create does, with the new version", async () => {
    const bot = await service().bot();
    const before = await bot.publish(FULL);
    service().clock.advance(5_000);
    const reply = await bot.update(before.id, { body: "Report it within 😀 7 days." });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      success: true,
      message: expect.stringMatching(/\S/),
      data: {
        ...before,
        status: "uploading",
        body: "Report it within 😀 7 days.",
        updatedAt: service().clock.iso(),
        characterCount: 12 + 26,
      },
      characterUsed: 12 + 26,
    });
    const { status: _, ...rest } = reply.json.data;
    expect(await bot.active(before.id)).toEqual({ ...rest, status: "active" });
  });

  it("replaces the given fields and keeps the others", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    const fields = async (patch: object) => {
      const { title, body, metadata, source, activeOn } = (await bot.update(id, patch)).json.data;
      return { title, body, metadata, source, activeOn };
    };
    expect(await fields({ title: "Found luggage" })).toEqual({ ...FULL, title: "Found luggage" });
    expect(await fields({ title: FULL.title, source: "http://example.com" })).toEqual({
      ...FULL,
      source: "http://example.com",
    });
    expect(await fields({ source: FULL.source, activeOn: [{ channel: "app" }] })).toEqual({
      ...FULL,
      activeOn: [{ channel: "app" }],
    });
  });

  it("replaces metadata whole", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    expect((await bot.update(id, { metadata: { level: 3 } })).json.data.metadata).toEqual({ level: 3 });
    expect((await bot.update(id, { metadata: {} })).json.data.metadata).toEqual({});
  });

  it("takes null to remove the source and to empty metadata and activeOn", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    const { data } = (await bot.update(id, { source: null, metadata: null, activeOn: null })).json;
    expect(data).not.toHaveProperty("source");
    expect(data.metadata).toEqual({});
    expect(data.activeOn).toEqual([]);
    expect((await bot.list({ id })).json.data).toEqual([data]);
  });

  it("refuses null for title and for body", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    const reply = await bot.update(id, { title: null, body: null });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('"field":"title"');
    expect(reply.text).toContain('"field":"body"');
    expect((await bot.list({ id })).json.data[0]).toMatchObject(FULL);
  });

  it("ignores the fields that only the service sets, whatever they hold", async () => {
    const bot = await service().bot();
    const before = await bot.publish(FULL);
    const readOnly = { id: "f".repeat(24), status: "uploading", createdAt: 7, updatedAt: null, characterCount: -1 };
    const reply = await bot.update(before.id, readOnly);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toEqual(before);
  });

  it("takes an article back as it was listed", async () => {
    const bot = await service().bot();
    const before = await bot.publish(FULL);
    service().clock.advance(1_000);
    const reply = await bot.update(before.id, before);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toEqual(before);
    expect(reply.json.characterUsed).toBe(before.characterCount);
  });

  it("checks the type of strict and otherwise ignores it", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    expectInvalid(await bot.update(id, { strict: "yes" }), ["strict", "boolean"]);
    const unknown = [{ agent: "nobody", channel: "nowhere" }];
    const reply = await bot.update(id, { strict: true, activeOn: unknown });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data.activeOn).toEqual(unknown);
  });

  it.each([{}, { title: FULL.title }, { metadata: { level: 2, team: "ground" } }, FULL])(
    "that changes nothing (%j) keeps updatedAt and status",
    async (patch) => {
      const bot = await service().bot();
      const before = await bot.publish(FULL);
      service().clock.advance(60_000);
      const reply = await bot.update(before.id, patch);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json).toEqual({
        success: true,
        message: expect.stringMatching(/\S/),
        data: before,
        characterUsed: before.characterCount,
      });
      expect((await bot.list()).json.data).toEqual([before]);
    },
  );

  it.each([
    [{ metadata: { team: "air" } }, { "metaData.team": "air" }],
    [{ metadata: null }, { "metaData.title": FULL.title }],
    [{ source: "https://example.org/other" }, { url: "https://example.org/other" }],
    [{ activeOn: [] }, {}],
  ])("of %j alone stays active and is seen by the next search", async (patch, filters) => {
    const bot = await service().bot();
    const before = await bot.publish(FULL);
    service().clock.advance(1_000);
    const { data } = (await bot.update(before.id, patch)).json;
    const [found] = await bot.find("lost luggage", { filters });
    expect(found?.resourceDocId).toBe(before.id);
    expect(found?.metaData).toEqual({ ...data.metadata, title: FULL.title });
    expect(found?.url).toBe(data.source);
    expect(data.status).toBe("active");
    expect(data.updatedAt).toBe(service().clock.iso());
    expect((await bot.list()).json.data).toEqual([data]);
  });

  it("no longer matches the old metadata in the very next search", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    await bot.update(id, { metadata: null, source: null });
    expect(await bot.ids("lost luggage", { filters: { "metaData.team": "ground" } })).toEqual([]);
    expect(await bot.ids("lost luggage", { filters: { url: FULL.source } })).toEqual([]);
    expect((await bot.find("lost luggage"))[0]).not.toHaveProperty("url");
  });

  it.each([{ title: "Lost baggage" }, { body: "Something else." }])(
    "of %j is uploading until it is found",
    async (patch) => {
      const bot = await service().bot();
      const { id } = await bot.publish(FULL);
      expect((await bot.update(id, patch)).json.data.status).toBe("uploading");
      await bot.active(id);
      const [found] = await bot.find("lost luggage baggage something else", { options: { includeContent: true } });
      expect(found?.metaData.title).toBe(patch.title ?? FULL.title);
      expect(found?.content).toEqual([{ md: patch.body ?? FULL.body }]);
    },
  );

  it("shows its newest accepted version in the list at once", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    for (const body of ["one", "two", "three"]) {
      await bot.update(id, { body });
      expect((await bot.list({ id })).json.data[0]?.body).toBe(body);
    }
  });

  it("of one that does not exist is a 404 with code 20001", async () => {
    const bot = await service().bot();
    for (const id of ["0123456789abcdef01234567", "short", "0123456789ABCDEF01234567", "%F0%9F%98%80"]) {
      expectRefused(await bot.update(id, { title: "Title" }), 404, 20001);
    }
  });
});

describe("deleting an article", () => {
  it("answers that the article with that id was deleted", async () => {
    const bot = await service().bot();
    const { id } = await bot.add(FULL);
    const reply = await bot.remove(id);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ success: true, message: expect.stringMatching(/deleted/i) });
    expect(reply.json.message).toContain(id);
    expect((await bot.list()).json.data).toEqual([]);
  });

  it("is a 404 with code 20001 when it does not exist, or no longer", async () => {
    const bot = await service().bot();
    const { id } = await bot.add(FULL);
    await bot.remove(id);
    expectRefused(await bot.remove(id), 404, 20001);
    expectRefused(await bot.remove("0123456789abcdef01234567"), 404, 20001);
    expectRefused(await bot.remove("anything"), 404, 20001);
    expectRefused(await bot.update(id, { title: "Again" }), 404, 20001);
  });

  it("succeeds once when it is asked for many times at once", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish(FULL);
    const replies = await Promise.all(Array.from({ length: 8 }, () => bot.remove(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  });

  it("is seen by the very next search, also while the article is still uploading", async () => {
    const bot = await service().bot();
    const keep = await bot.publish({ title: "Kept", body: "Luggage stays." });
    for (let i = 0; i < 20; i += 1) {
      const { id } = i % 2 === 0 ? await bot.publish(FULL) : await bot.add(FULL);
      await bot.remove(id);
      expect(await bot.ids("lost luggage")).toEqual([keep.id]);
    }
    const core = await bot.core();
    await core.whenSearchable();
    expect(await bot.ids("lost luggage")).toEqual([keep.id]);
  });

  it("leaves imported knowledge alone: its ids are no articles", async () => {
    const bot = await service().bot();
    const document = { type: "DOCUMENT" as const, content: [{ md: "Imported words about luggage." }] };
    await bot.import(
      { ...document, resourceDocId: "imported" },
      { ...document, resourceDocId: "0123456789abcdef01234567" },
    );
    for (const id of ["imported", "0123456789abcdef01234567"]) {
      expectRefused(await bot.remove(id), 404, 20001);
      expectRefused(await bot.update(id, { title: "Taken over" }), 404, 20001);
    }
    expect((await bot.list()).json.data).toEqual([]);
    expect((await bot.list({ id: "imported" })).json.data).toEqual([]);
    expect(await bot.ids("luggage")).toEqual(["0123456789abcdef01234567", "imported"]);
  });
});
