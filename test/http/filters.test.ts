import type { DocumentInput, JsonObject } from "@loredex/core";
import { describe, expect, it } from "vitest";
import type { BotClient } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

/** Documents that all match the query "falcon", one for each metadata. */
async function botWith(metaData: Readonly<Record<string, JsonObject>>): Promise<BotClient> {
  const bot = await service().bot();
  const documents = Object.entries(metaData).map(
    ([resourceDocId, data]): DocumentInput => ({
      resourceDocId,
      type: "DOCUMENT",
      metaData: data,
      content: [{ md: "A falcon circles." }],
    }),
  );
  await bot.import(...documents);
  return bot;
}

const filtered = async (bot: BotClient, filters: object) =>
  (await bot.ids("falcon", { filters, options: { topK: 100 } })).sort();

describe("filters", () => {
  it("compare strictly: neither kind, nor case, nor white space, nor normal form is overlooked", async () => {
    const bot = await botWith({
      number: { k: 1 },
      text: { k: "1" },
      yes: { k: true },
      word: { k: "true" },
      upper: { k: "Café" },
      lower: { k: "café" },
      decomposed: { k: "Cafe\u0301" },
      zero: { k: 0 },
      empty: { k: "" },
      no: { k: false },
      nothing: { k: null },
      absent: {},
    });
    const cases: readonly (readonly [string | number | boolean, string[]])[] = [
      [1, ["number"]],
      ["1", ["text"]],
      [true, ["yes"]],
      ["true", ["word"]],
      ["Café", ["upper"]],
      ["café", ["lower"]],
      ["Cafe\u0301", ["decomposed"]],
      [0, ["zero"]],
      ["", ["empty"]],
      [false, ["no"]],
      ["null", []],
      ["Café ", []],
      [2, []],
    ];
    for (const [value, ids] of cases)
      expect(await filtered(bot, { "metaData.k": value }), JSON.stringify(value)).toEqual(ids);
  });

  it("on several fields must all hold", async () => {
    const bot = await botWith({ a: { x: 1, y: 1 }, b: { x: 1, y: 2 }, c: { x: 2, y: 1 } });
    expect(await filtered(bot, { "metaData.x": 1 })).toEqual(["a", "b"]);
    expect(await filtered(bot, { "metaData.x": 1, "metaData.y": 1 })).toEqual(["a"]);
    expect(await filtered(bot, { "metaData.x": 2, "metaData.y": 2 })).toEqual([]);
    expect(await filtered(bot, { "metaData.x": 1, resourceDocId: "b", type: "DOCUMENT" })).toEqual(["b"]);
    expect(await filtered(bot, {})).toEqual(["a", "b", "c"]);
  });

  it("reach nested fields by dots; a key that holds the dots itself wins", async () => {
    const bot = await botWith({
      nested: { a: { b: { c: 1 } } },
      literal: { "a.b.c": 1 },
      half: { "a.b": { c: 1 } },
      both: { "a.b.c": 2, a: { b: { c: 1 } } },
      other: { a: { b: { c: 3 } } },
    });
    expect(await filtered(bot, { "metaData.a.b.c": 1 })).toEqual(expect.arrayContaining(["literal", "nested"]));
    expect(await filtered(bot, { "metaData.a.b.c": 1 })).not.toContain("both");
    expect(await filtered(bot, { "metaData.a.b.c": 2 })).toEqual(["both"]);
    expect(await filtered(bot, { "metaData.a.b.c": 3 })).toEqual(["other"]);
    expect(await filtered(bot, { "metaData.a.b": 1 })).toEqual([]);
  });

  it("match an array by any one of its elements", async () => {
    const bot = await botWith({
      tags: { k: ["red", 1, true] },
      one: { k: ["blue"] },
      deep: { k: [["red"]] },
      inner: { n: { k: ["red"] } },
      none: { k: [] },
      plain: { k: "red" },
    });
    expect(await filtered(bot, { "metaData.k": "red" })).toEqual(["plain", "tags"]);
    expect(await filtered(bot, { "metaData.k": 1 })).toEqual(["tags"]);
    expect(await filtered(bot, { "metaData.k": "1" })).toEqual([]);
    expect(await filtered(bot, { "metaData.n.k": "red" })).toEqual(["inner"]);
  });

  it("see only what is in the document, not what the language adds", async () => {
    const bot = await botWith({ a: { list: ["x", "y"], word: "four", n: {} }, b: {} });
    expect(await filtered(bot, { "metaData.list.length": 2 })).toEqual([]);
    expect(await filtered(bot, { "metaData.word.length": 4 })).toEqual([]);
    expect(await filtered(bot, { "metaData.n.constructor.name": "Object" })).toEqual([]);
    expect(await filtered(bot, { "metaData.constructor.name": "Object" })).toEqual([]);
    expect(await filtered(bot, { "metaData.__proto__": "x" })).toEqual([]);
  });

  it("find an article by its id, type, status, title, source and metadata, dots in the key or not", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish({
      title: "Birds",
      body: "A falcon circles.",
      source: "https://example.org/birds",
      metadata: { team: "blue", "a.b": 5, title: "hidden" },
    });
    await bot.publish({ title: "Other birds", body: "A falcon circles." });
    const found: readonly object[] = [
      { resourceDocId: id },
      { "metaData.title": "Birds" },
      { url: "https://example.org/birds" },
      { "metaData.team": "blue" },
      { "metaData.a.b": 5 },
      { type: "EXTERNAL", status: "active", "metaData.team": "blue" },
    ];
    for (const filters of found) expect(await filtered(bot, filters), JSON.stringify(filters)).toEqual([id]);
    const empty: readonly object[] = [
      { "metaData.title": "birds" },
      { "metaData.title": "hidden" },
      { type: "WEBPAGE" },
      { status: "inactive" },
      { url: "https://example.org" },
      { "metaData.missing": "blue" },
    ];
    for (const filters of empty) expect(await filtered(bot, filters), JSON.stringify(filters)).toEqual([]);
  });

  it("find imported knowledge by type, status and url, and a question by its title", async () => {
    const bot = await service().bot();
    const content = [{ md: "A falcon circles." }];
    await bot.import(
      { resourceDocId: "page", type: "WEBPAGE", status: "pending", url: "https://example.org/", content },
      { resourceDocId: "pdf", type: "PDF", content },
      { resourceDocId: "faq", type: "QNA", question: "Does a falcon circle?", answer: "It does." },
    );
    expect(await filtered(bot, { type: "WEBPAGE" })).toEqual(["page"]);
    expect(await filtered(bot, { type: "QNA" })).toEqual(["faq"]);
    expect(await filtered(bot, { status: "pending" })).toEqual(["page"]);
    expect(await filtered(bot, { status: "active" })).toEqual(["faq", "pdf"]);
    expect(await filtered(bot, { url: "https://example.org/" })).toEqual(["page"]);
    expect(await filtered(bot, { "metaData.title": "Does a falcon circle?" })).toEqual(["faq"]);
  });

  it("are applied before the best are taken", async () => {
    const bot = await service().bot();
    const document = (resourceDocId: string, rare: boolean, md: string): DocumentInput => ({
      resourceDocId,
      type: "DOCUMENT",
      metaData: { rare },
      content: [{ md }],
    });
    await bot.import(
      ...Array.from({ length: 150 }, (_, i) => document(`common ${i}`, false, "The falcon circles: a falcon.")),
      ...Array.from({ length: 4 }, (_, i) =>
        document(
          `rare ${i}`,
          true,
          "In a long text about towns, trains and weather, one falcon is named once in passing.",
        ),
      ),
    );
    for (const topK of [1, 3, 4, 10]) {
      const found = await bot.find("falcon", { filters: { "metaData.rare": true }, options: { topK } });
      expect(found).toHaveLength(Math.min(topK, 4));
      expect(found.every(({ metaData }) => metaData.rare === true)).toBe(true);
    }
  });

  it("do not change the scores of what is left", async () => {
    const bot = await botWith({ a: { k: 1 }, b: { k: 2 }, c: { k: 3 } });
    const scores = new Map((await bot.find("falcon")).map((found) => [found.resourceDocId, found.bestMatchScore]));
    const [only] = await bot.find("falcon", { filters: { "metaData.k": 2 } });
    expect(only?.bestMatchScore).toBe(scores.get("b"));
  });

  it("have operators and groups", async () => {
    const bot = await botWith({
      old: { year: 1999, since: "1999-12-31", tags: ["draft", "a"], team: "sales" },
      new: { year: 2024, since: "2024-05-01T09:30:00+02:00", tags: ["b"], team: "billing" },
      none: { year: null, note: "No year, 100 % sure." },
    });
    const cases: readonly (readonly [object, string[]])[] = [
      [{ "metaData.year": { gte: 1999 } }, ["new", "old"]],
      [{ "metaData.year": { gt: 1999, lte: 2024 } }, ["new"]],
      [{ "metaData.year": { exists: false } }, ["none"]],
      [{ "metaData.year": { ne: 1999 } }, ["new", "none"]],
      [{ "metaData.year": { nin: [1999, 2024] } }, ["none"]],
      [{ "metaData.since": { lt: "2000-01-01" } }, ["old"]],
      [{ "metaData.since": { gte: "2024-05-01T07:30:00Z" } }, ["new"]],
      [{ "metaData.since": { gt: "2024-05-01T07:30:00Z" } }, []],
      [{ "metaData.tags": { contains: "draft" } }, ["old"]],
      [{ "metaData.tags": { contains: "dra" } }, []],
      [{ "metaData.note": { contains: "100 %" } }, ["none"]],
      [{ "metaData.team": { startsWith: "b" } }, ["new"]],
      [{ "metaData.team": { in: ["sales", "front"] }, type: { eq: "DOCUMENT" } }, ["old"]],
      [{ or: [{ "metaData.team": "sales" }, { "metaData.team": { exists: false } }] }, ["none", "old"]],
      [{ not: { or: [{ resourceDocId: "old" }, { resourceDocId: "new" }] } }, ["none"]],
      [{ and: [{ not: { "metaData.tags": "a" } }, { "metaData.year": { exists: true } }] }, ["new"]],
      [{ and: [{}], not: { type: "PDF" } }, ["new", "none", "old"]],
    ];
    for (const [filters, ids] of cases) expect(await filtered(bot, filters), JSON.stringify(filters)).toEqual(ids);
  });
});
