import { LoredexError, QUERY_CHARACTERS_MAX, type SearchResult } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/dify/knowledge-id.ts";
import { recordsOf } from "../../src/dify/records.ts";
import { call } from "../support/client.ts";
import { BOT_ID, BOT_NAME, FakeEngine, KEY, searchResult } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";

const RETRIEVAL = "/api/v1/retrieval";
const BEARER = { key: null, headers: { authorization: `Bearer ${KEY}` } };

/** What Dify sends: json.dumps of this, with every field there. */
const asked = (changes: object = {}) => ({
  retrieval_setting: { top_k: 2, score_threshold: 0.0 },
  query: "how do refunds work?",
  knowledge_id: BOT_NAME,
  metadata_condition: null,
  ...changes,
});

const ask = async (body: unknown, engine = new FakeEngine()) => {
  const { url } = await serve(engine);
  return call(url, "POST", RETRIEVAL, { ...BEARER, body });
};

/** The search that a request came to. */
const searched = async (body: unknown) => {
  const engine = new FakeEngine();
  const answer = await ask(body, engine);
  expect(answer.status, answer.text).toBe(200);
  return engine.bot1.calls[0]?.values[0];
};

const refusal = async (body: unknown) => {
  const { status, json } = await ask(body);
  return [status, json];
};

const where = (...conditions: readonly object[]) =>
  asked({ metadata_condition: { logical_operator: "and", conditions } });
const condition = (name: unknown, comparison_operator: string, value: unknown = null) => ({
  name,
  comparison_operator,
  value,
});

describe("what Dify is answered", () => {
  it("is the section around each match if the knowledge id asks for it, and each section once", async () => {
    const engine = new FakeEngine();
    const context = { text: "# Keys\n\none", start: 1, stop: 3, headings: ["Keys"] };
    const part = { text: "one", similarity: 0.9, start: 3, stop: 3, context };
    engine.bot1.results = [
      searchResult({
        similarTextParts: [part, { text: "same", similarity: 0.2, start: 2, stop: 2 }],
        bestMatchScore: 0.9,
      }),
    ];
    const { json } = await ask(asked({ knowledge_id: `${BOT_NAME}#section` }), engine);
    expect(json).toMatchObject({
      records: [{ content: "# Keys\n\none", score: 0.9, metadata: { start_line: 1, stop_line: 3 } }],
    });
    expect(json).toHaveProperty("records.length", 1);
    expect(engine.bot1.calls[0]?.values[0]).toMatchObject({ options: { topK: 2, context: "section" } });
    expect(await searched(asked({ knowledge_id: `${BOT_ID}#page` }))).toMatchObject({ options: { context: "page" } });
    for (const knowledge_id of [`${BOT_NAME}#chapter`, `${BOT_NAME}#`, "another#section"]) {
      expect((await refusal(asked({ knowledge_id })))[0], knowledge_id).toBe(404);
    }
    expect(contextOf("a#section", ["id", "a#section"])).toBe("none");
    expect(contextOf("a#section#page", ["id", "a#section"])).toBe("page");
  });

  it("is the texts that match, each with its title, its lines and its document", async () => {
    const engine = new FakeEngine();
    const part = (text: string, similarity: number, start: number) => ({ text, similarity, start, stop: start + 1 });
    engine.bot1.results = [
      searchResult({ similarTextParts: [part("one", 0.9, 3), part("far", 0.2, 8)], bestMatchScore: 0.9 }),
      searchResult({
        resourceDocId: "https://a.example/refunds",
        type: "WEBPAGE",
        url: "https://a.example/refunds",
        metaData: { team: "billing", document_id: "theirs" },
        similarTextParts: [part("two", 0.5, 1)],
        bestMatchScore: 0.5,
      }),
    ];
    expect((await ask(asked(), engine)).json).toEqual({
      records: [
        {
          content: "one",
          score: 0.9,
          title: "Reset a key",
          metadata: {
            title: "Reset a key",
            document_id: "65a000000000000000000001",
            document_type: "EXTERNAL",
            document_status: "active",
            start_line: 3,
            stop_line: 4,
          },
        },
        {
          content: "two",
          score: 0.5,
          title: "https://a.example/refunds",
          metadata: {
            team: "billing",
            document_id: "https://a.example/refunds",
            document_type: "WEBPAGE",
            document_status: "active",
            document_url: "https://a.example/refunds",
            start_line: 1,
            stop_line: 2,
          },
        },
      ],
    });
  });

  it("is an empty list where nothing matches", async () => {
    const engine = new FakeEngine();
    engine.bot1.results = [];
    expect((await ask(asked(), engine)).text).toBe('{"records":[]}');
  });

  it("are the best texts of all that there are, though only as many documents are looked at", () => {
    const similarity = fc.integer({ min: 0, max: 20 }).map((each) => each / 20);
    const documents = fc.array(fc.array(similarity, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 8 }), similarity, (all, topK, scoreThreshold) => {
        const results: SearchResult[] = all
          .map((each) => each.toSorted((one, other) => other - one))
          .map((each, index) =>
            searchResult({
              resourceDocId: String(index),
              bestMatchScore: each[0] ?? 0,
              similarTextParts: each.map((one, at) => ({ text: `${at}`, similarity: one, start: 1, stop: 1 })),
            }),
          )
          .sort((one, other) => other.bestMatchScore - one.bestMatchScore);
        const best = all.flat().filter((each) => each >= scoreThreshold);
        const records = recordsOf(results.slice(0, topK), { topK, scoreThreshold });
        expect(records.map(({ score }) => score)).toEqual(best.sort((one, other) => other - one).slice(0, topK));
      }),
    );
  });
});

describe("what Dify asks", () => {
  it("becomes a search of the key's bot, named or by id", async () => {
    const search = { query: "how do refunds work?", filters: {}, options: { topK: 2, context: "none" } };
    expect(await searched(asked())).toEqual(search);
    expect(await searched(asked({ knowledge_id: BOT_ID }))).toEqual(search);
    expect(await searched(asked({ knowledge_id: ` ${BOT_NAME}\n` }))).toEqual(search);
  });

  it("has its defaults where a knowledge base has no settings of its own", async () => {
    const bare = { query: "x", filters: {}, options: { topK: 10, context: "none" } };
    expect(await searched({ knowledge_id: BOT_NAME, query: "x" })).toEqual(bare);
    const none = { top_k: null, score_threshold: null };
    expect(await searched(asked({ query: "x", retrieval_setting: none, more: { of: "theirs" } }))).toEqual(bare);
  });

  it("may be a whole letter: what is too long for a search is cut at its end, never through a character", async () => {
    const letter = "😀".repeat(QUERY_CHARACTERS_MAX + 5);
    expect(await searched(asked({ query: letter }))).toMatchObject({ query: "😀".repeat(QUERY_CHARACTERS_MAX) });
  });

  it("may have conditions that say what filters say", async () => {
    const both = where(
      condition("team", "is", "billing"),
      condition(["version"], "=", "7"),
      condition("document_type", "in", ["PDF"]),
      condition("document_url", "is", "https://a.example"),
      condition("title", "is", "Refunds"),
    );
    expect(await searched(both)).toMatchObject({
      filters: {
        "metaData.team": "billing",
        "metaData.version": 7,
        type: "PDF",
        url: "https://a.example",
        "metaData.title": "Refunds",
      },
    });
    const one = { logical_operator: "or", conditions: [condition("team", "is", "billing")] };
    expect(await searched(asked({ metadata_condition: one }))).toMatchObject({
      filters: { "metaData.team": "billing" },
    });
    const empty = { logical_operator: null, conditions: null };
    expect(await searched(asked({ metadata_condition: empty }))).toMatchObject({ filters: {} });
  });

  it("may name a key of 503 characters of any plane with 31 dots, and compare it with a text of 10,000", async () => {
    for (const name of ["😀".repeat(503), `x${".x".repeat(31)}`]) {
      const text = "😀".repeat(10_000);
      expect(await searched(where(condition(name, "is", text)))).toMatchObject({
        filters: { [`metaData.${name}`]: text },
      });
    }
  });

  it.each<[string, unknown, object]>([
    ["is not", "x", { "metaData.k": { ne: "x" } }],
    ["contains", "x", { "metaData.k": { contains: "x" } }],
    ["not contains", "x", { not: { "metaData.k": { contains: "x" } } }],
    ["start with", "x", { "metaData.k": { startsWith: "x" } }],
    ["in", ["a", "b"], { "metaData.k": { in: ["a", "b"] } }],
    ["in", "a, b,", { "metaData.k": { in: ["a", "b"] } }],
    ["not in", ["a"], { "metaData.k": { nin: ["a"] } }],
    ["empty", null, { "metaData.k": { exists: false } }],
    ["not empty", "", { "metaData.k": { exists: true } }],
    ["null", null, { "metaData.k": { exists: false } }],
    ["not null", null, { "metaData.k": { exists: true } }],
    ["≠", "7", { "metaData.k": { ne: 7 } }],
    [">", 7, { "metaData.k": { gt: 7 } }],
    ["<", "7.5", { "metaData.k": { lt: 7.5 } }],
    ["≥", "2024-01-01", { "metaData.k": { gte: "2024-01-01" } }],
    ["≤", 0, { "metaData.k": { lte: 0 } }],
    ["before", "2024-01-01", { "metaData.k": { lt: "2024-01-01" } }],
    ["after", 1e15, { "metaData.k": { gt: 1e15 } }],
    [
      "after",
      "1704067200",
      { or: [{ "metaData.k": { gt: 1_704_067_200 } }, { "metaData.k": { gt: "2024-01-01T00:00:00.000Z" } }] },
    ],
  ])("may have the operator %s with %j", async (operator, value, filters) => {
    expect(await searched(where(condition("k", operator, value)))).toMatchObject({ filters });
  });

  it("may have several conditions on one name, all of which must hold, or one of them", async () => {
    const two = [condition("k", "≥", 1), condition("k", "<", 5)];
    const filters = [{ "metaData.k": { gte: 1 } }, { "metaData.k": { lt: 5 } }];
    expect(await searched(where(...two))).toMatchObject({ filters: { and: filters } });
    const either = { logical_operator: "or", conditions: two };
    expect(await searched(asked({ metadata_condition: either }))).toMatchObject({ filters: { or: filters } });
  });

  it("is refused where conditions say more than filters can, and not answered without them", async () => {
    const cases: readonly (readonly [object, string])[] = [
      [where(condition("team", "end with", "x")), "end with cannot be searched by here"],
      [asked({ metadata_condition: { logical_operator: "xor" } }), "logical_operator must be and, or or"],
      [where(condition("team", "in", [])), "value must have at least 1 value"],
      [where(condition("team", "in", 7)), "value must be a list of values"],
      [
        where(
          condition(
            "team",
            "not in",
            Array.from({ length: 1_001 }, () => "x"),
          ),
        ),
        "at most 1000 values",
      ],
      [where(condition("team", "contains", "")), "value must have at least 1 character"],
      [where(condition("team", "start with", 7)), "value must be a string"],
      [where(condition("team", ">", "many")), "value must be a number or a date"],
      [where(condition("start_line", "=", 3)), "start_line, which belongs to a record"],
      [where(condition("team", "=", "many")), "value must be a number"],
      [where(condition("team", "like", "x")), "must be one of Dify's operators"],
      [where(condition(["a", "b"], "is", "x")), "must be the name of one key"],
      [where(condition("team", "is")), "value must be a string, number or boolean"],
      [where(condition("x".repeat(504), "is", "x")), "conditions.0.name must have at most 503 characters"],
      [where(condition(["x".repeat(16_384)], "is", "x")), "conditions.0.name must have at most 503 characters"],
      [where(condition(`x${".x".repeat(32)}`, "is", "x")), "conditions.0.name must have at most 31 dots"],
      [where(condition("team", "is", "x".repeat(10_001))), "conditions.0.value must have at most 10000 characters"],
      [asked({ metadata_condition: [] }), "metadata_condition must be an object"],
    ];
    for (const [body, said] of cases) {
      expect(await refusal(body)).toEqual([400, { error_code: 40000, error_msg: expect.stringContaining(said) }]);
    }
  });
});

describe("what Dify is refused", () => {
  it("names every broken rule at once", async () => {
    expect(await refusal({ retrieval_setting: { top_k: 0.5, score_threshold: 2 } })).toEqual([
      400,
      {
        error_code: 40000,
        error_msg:
          "knowledge_id is required; query is required; retrieval_setting.top_k must be an integer; retrieval_setting.score_threshold must be from 0 to 1",
      },
    ]);
  });

  it("is a knowledge that the key does not open", async () => {
    const engine = new FakeEngine();
    const { status, json } = await ask(asked({ knowledge_id: "another" }), engine);
    expect([status, json]).toMatchObject([404, { error_code: 2001 }]);
    expect(engine.bot1.calls).toEqual([]);
  });

  it.each([
    ["no key at all", {}, 1001],
    ["another scheme", { authorization: `Basic ${KEY}` }, 1001],
    ["a key with a space in it", { authorization: "Bearer lx_ key" }, 1001],
    ["no key after the scheme", { authorization: "Bearer " }, 1001],
    ["an unknown key", { authorization: "Bearer lx_unknown" }, 1002],
    ["two keys that differ", { authorization: `Bearer ${KEY}`, "x-api-key": "other" }, 1002],
  ])("is %s, as 403: Dify takes any other status for a good key", async (_what, headers, code) => {
    const { url } = await serve(new FakeEngine());
    const answer = await call(url, "POST", RETRIEVAL, { key: null, headers, body: asked() });
    expect([answer.status, answer.json]).toMatchObject([403, { error_code: code }]);
    expect(answer.headers.get("www-authenticate")).toBeNull();
  });

  it("is told in Dify's form whatever it is, with the time to wait", async () => {
    const failing = async (failure: Error) => {
      const engine = new FakeEngine();
      engine.bot1.failure = failure;
      const { status, json, headers } = await ask(asked(), engine);
      return [status, json, headers.get("retry-after")];
    };
    expect(await failing(new LoredexError("CLOSED", "no"))).toMatchObject([503, { error_code: 50001 }, "1"]);
    expect(await failing(new LoredexError("CORRUPT", "no"))).toMatchObject([503, { error_code: 50004 }, null]);
    expect(await failing(new TypeError("inside"))).toMatchObject([500, { error_code: 50000 }, null]);
    const engine = new FakeEngine();
    engine.waitMs = 3_000;
    const { status, json, headers } = await ask(asked(), engine);
    expect([status, json, headers.get("retry-after")]).toMatchObject([429, { error_code: 4290 }, "3"]);
  });
});

describe("the check that Dify makes of an endpoint, a POST without a body", () => {
  /** Dify says that it cannot be used. */
  const BAD = [403, 404, 502];
  const check = async (key: string) => {
    const { url } = await serve(new FakeEngine());
    return (await call(url, "POST", RETRIEVAL, { key: null, headers: { authorization: `Bearer ${key}` } })).status;
  };

  it("passes with a good key and no other", async () => {
    expect(BAD).not.toContain(await check(KEY));
    expect(BAD).toContain(await check("lx_unknown"));
  });
});

describe("a retrieval", () => {
  it("is open to a key for the search alone", async () => {
    const engine = new FakeEngine();
    engine.key = { ...engine.key, scope: "search" };
    expect((await ask(asked(), engine)).status).toBe(200);
  });

  it("is told of as other paths are where it is not asked for", async () => {
    const { url } = await serve(new FakeEngine());
    expect((await call(url, "GET", RETRIEVAL)).json).toMatchObject({ success: false, error: { code: 20003 } });
    expect((await call(url, "OPTIONS", RETRIEVAL)).headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("can be asked by pages of the origins that its key lists", async () => {
    const engine = new FakeEngine();
    const origin = "https://shop.example.com";
    engine.key = { ...engine.key, origins: [origin] };
    const { url } = await serve(engine);
    const headers = { ...BEARER.headers, origin };
    const answer = await call(url, "POST", RETRIEVAL, { key: null, headers, body: asked({ knowledge_id: "other" }) });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  });
});
