import { describe, expect, it } from "vitest";
import { type Broken, brokenRules, expectInvalid } from "./answers.ts";
import { SEARCH } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();
/** An object nested in as many others as there are levels. */
const nested = (count: number): object => (count === 0 ? {} : { not: nested(count - 1) });
const filters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`metaData.key${i}`, i]));

describe("a search request", () => {
  it.each<[object]>([
    [{ query: "x" }],
    [{ query: "x", filters: {}, options: {} }],
    [{ query: "q".repeat(4_096) }],
    [{ query: "😀".repeat(4_096) }],
    [{ query: " " }],
    [{ query: "x", filters: filters(50) }],
    [{ query: "x", filters: { resourceDocId: "a", type: "b", status: "c", url: "d", "metaData.title": "e" } }],
    [{ query: "x", filters: { "metaData.a": 1, "metaData.a.b.c": true } }],
    [
      {
        query: "x",
        filters: { [`metaData.${"a".repeat(503)}`]: "x".repeat(10_000), [`metaData${".".repeat(32)}`]: 1 },
      },
    ],
    [{ query: "x", options: { topK: 1 } }],
    [{ query: "x", options: { topK: 100 } }],
    [{ query: "x", options: { topK: 101 } }],
    [{ query: "x", options: { topK: 1_000_000_000 } }],
    [{ query: "x", options: { includeFaqs: false, includeContent: true, onlyActiveIntents: true, topK: 3 } }],
  ])("%j is answered with a list", async (body) => {
    const reply = await (await service().bot()).search(body);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toEqual([]);
  });

  it.each<[object, Broken]>([
    [{}, ["query", "required"]],
    [{ options: {} }, ["query", "required"]],
    [{ query: 5 }, ["query", "string"]],
    [{ query: ["x"] }, ["query", "string"]],
    [{ query: "" }, ["query", "minLength"]],
    [{ query: "q".repeat(4_097) }, ["query", "maxLength"]],
    [{ query: "😀".repeat(4_097) }, ["query", "maxLength"]],
    [{ query: "x\ud800" }, ["query", "string"]],
    [{ query: "x", topK: 3 }, ["topK", "unknownField"]],
    [{ query: "x", Options: {} }, ["Options", "unknownField"]],
    [{ query: "x", options: [] }, ["options", "object"]],
    [{ query: "x", options: "topK" }, ["options", "object"]],
    [{ query: "x", options: { topk: 3 } }, ["options.topk", "unknownField"]],
    [{ query: "x", options: { topK: "3" } }, ["options.topK", "integer"]],
    [{ query: "x", options: { topK: 1.5 } }, ["options.topK", "integer"]],
    [{ query: "x", options: { topK: true } }, ["options.topK", "integer"]],
    [{ query: "x", options: { topK: 0 } }, ["options.topK", "range"]],
    [{ query: "x", options: { topK: -1 } }, ["options.topK", "range"]],
    [{ query: "x", options: { includeFaqs: "false" } }, ["options.includeFaqs", "boolean"]],
    [{ query: "x", options: { includeContent: 1 } }, ["options.includeContent", "boolean"]],
    [{ query: "x", options: { onlyActiveIntents: "yes" } }, ["options.onlyActiveIntents", "boolean"]],
    [{ query: "x", filters: [] }, ["filters", "object"]],
    [{ query: "x", filters: "type" }, ["filters", "object"]],
    [{ query: "x", filters: filters(51) }, ["filters", "maxItems"]],
    [{ query: "x", filters: { [`metaData.${"a".repeat(504)}`]: 1 } }, ["filters", "maxLength"]],
    [{ query: "x", filters: { [`metaData${".a".repeat(8_192)}`]: 1 } }, ["filters", "maxLength"]],
    [{ query: "x", filters: { [`metaData${".".repeat(33)}`]: 1 } }, [`filters.metaData${".".repeat(33)}`, "maxItems"]],
    [{ query: "x", filters: { "metaData.a": "x".repeat(10_001) } }, ["filters.metaData.a", "maxLength"]],
    [{ query: "x", filters: { title: "x" } }, ["filters.title", "unknownField"]],
    [{ query: "x", filters: { "metaData.y": {} } }, ["filters.metaData.y", "minItems"]],
    [{ query: "x", filters: { "metaData.y": { gte: "x" } } }, ["filters.metaData.y.gte", "date"]],
    [{ query: "x", filters: { "metaData.y": { $gt: 1 } } }, ["filters.metaData.y.$gt", "unknownField"]],
    [
      { query: "x", filters: { or: [{}, { "metaData.year": { gte: true } }] } },
      ["filters.or.1.metaData.year.gte", "filterValue"],
    ],
    [{ query: "x", filters: { and: [] } }, ["filters.and", "minItems"]],
    [{ query: "x", filters: { not: nested(7) } }, ["filters.not.not.not.not.not.not.not.not", "maxDepth"]],
    [{ query: "x", filters: { Type: "PDF" } }, ["filters.Type", "unknownField"]],
    [{ query: "x", filters: { content: "x" } }, ["filters.content", "unknownField"]],
    [{ query: "x", filters: { bestMatchScore: 1 } }, ["filters.bestMatchScore", "unknownField"]],
    [{ query: "x", filters: { "metadata.k": "x" } }, ["filters.metadata.k", "unknownField"]],
    [{ query: "x", filters: { "type.x": "x" } }, ["filters.type.x", "unknownField"]],
  ])("%j is a 400", async (body, broken) => {
    expectInvalid(await (await service().bot()).search(body), broken);
  });

  it.each([[null], [["PDF"]], [{}]])("with the filter value %j is a 400 on that filter", async (value) => {
    const reply = await (await service().bot()).search({ query: "x", filters: { type: value } });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ data: { result: [{ field: "filters.type" }] } });
  });

  it("with a lone surrogate in a filter's value is a 400 of type string", async () => {
    const reply = await (await service().bot()).search({ query: "x", filters: { "metaData.k": "text\ud800" } });
    expectInvalid(reply, ["filters.metaData.k", "string"]);
  });

  it("with a lone surrogate in a filter's name is a 400 of type string", async () => {
    const reply = await (await service().bot()).search({ query: "x", filters: { "metaData.\udc00": "value" } });
    expect(brokenRules(reply).map(([, type]) => type)).toEqual(["string"]);
  });

  it("reports all that is wrong at once", async () => {
    const body = {
      query: 7,
      filters: { colour: "red", type: "PDF" },
      options: { topK: 0, includeFaqs: "no", unknown: 1 },
      extra: true,
    };
    expectInvalid(
      await (await service().bot()).search(body),
      ["query", "string"],
      ["filters.colour", "unknownField"],
      ["options.topK", "range"],
      ["options.includeFaqs", "boolean"],
      ["options.unknown", "unknownField"],
      ["extra", "unknownField"],
    );
  });

  it("with a number that JSON cannot hold is no 5xx", async () => {
    const bot = await service().bot();
    const headers = { "content-type": "application/json" };
    const reply = await bot.send("POST", SEARCH, { body: '{"query":"x","options":{"topK":1e400}}', headers });
    expect(reply.status).toBe(400);
  });
});
