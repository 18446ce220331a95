import { ValidationError } from "@loredex/core";
import { expect, it } from "vitest";
import { call, rulesOf } from "../support/client.ts";
import { BOT_NAME, FakeEngine, searchResult } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";

const SEARCH = "/api/v1/knowledge/search";

it("hands the body to the bot as it came and answers an array", async () => {
  const engine = new FakeEngine();
  engine.bot1.results = [
    searchResult(),
    searchResult({ resourceDocId: "page", type: "WEBPAGE", url: "https://a.example" }),
  ];
  const { url } = await serve(engine);
  const body = { query: "a key", filters: { "metaData.title": "x" }, options: { topK: 2 }, unknown: [null] };
  const answer = await call(url, "POST", SEARCH, { body });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual(engine.bot1.results);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.text)));
  expect(engine.bot1.calls).toEqual([{ method: "answerRequest", values: [body] }]);
});

it("answers an empty array where nothing matches", async () => {
  const engine = new FakeEngine();
  engine.bot1.results = [];
  const { url } = await serve(engine);
  const answer = await call(url, "POST", SEARCH, { body: { query: "?" } });
  expect(answer.text).toBe("[]");
});

it("answers 400 with what the bot found wrong", async () => {
  const engine = new FakeEngine();
  engine.bot1.failure = new ValidationError([
    { message: "query is required", field: "query", type: "required" },
    { message: "options.topK must be an integer", field: "options.topK", type: "integer" },
  ]);
  const { url } = await serve(engine);
  const answer = await call(url, "POST", SEARCH, { body: {} });
  expect(answer.status).toBe(400);
  expect(rulesOf(answer)).toEqual(["query required", "options.topK integer"]);
});

it("streams results that are long", async () => {
  const engine = new FakeEngine();
  const content = [{ md: "é\u2028\ud800".repeat(20_000) }];
  engine.bot1.results = Array.from({ length: 20 }, (_, index) => searchResult({ resourceDocId: `d${index}`, content }));
  const { url } = await serve(engine);
  const answer = await call(url, "POST", SEARCH, { body: { query: "long" } });
  expect(answer.headers.get("content-length")).toBeNull();
  expect(answer.json).toEqual(engine.bot1.results);
});

it.each([SEARCH, "/api/v1/retrieval"])("says by how much an answer of %s may be behind", async (path) => {
  const engine = new FakeEngine();
  const { url } = await serve(engine);
  const body = path === SEARCH ? { query: "key" } : { knowledge_id: BOT_NAME, query: "key" };
  const told = async () => (await call(url, "POST", path, { body })).headers.get("x-loredex-stale");
  expect(await told()).toBeNull();
  engine.bot1.behindSeconds = 3;
  expect(await told()).toBe("3");
});
