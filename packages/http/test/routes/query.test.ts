import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { FakeEngine, searchResult } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";

const QUERY = "/api/v1/knowledge/query";

it("hands the body to the bot as it came, and answers with documents, total, facets and groups", async () => {
  const engine = new FakeEngine();
  const { url } = await serve(engine);
  const body = { query: "a key", options: { facets: ["type"], groupBy: "url" }, unknown: [null] };
  const answer = await call(url, "POST", QUERY, { body });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    success: true,
    data: engine.bot1.results,
    total: 7,
    facets: { type: [{ value: "EXTERNAL", count: 7 }] },
    groups: [{ value: null, results: engine.bot1.results }],
  });
  expect(engine.bot1.calls).toEqual([{ method: "queryRequest", values: [body] }]);
  expect(answer.headers.get("x-loredex-stale")).toBeNull();
  engine.bot1.behindSeconds = 3;
  const late = await call(url, "POST", QUERY, { body });
  expect([late.headers.get("x-loredex-stale"), late.text]).toEqual(["3", answer.text]);
});

it("streams results that are long", async () => {
  const engine = new FakeEngine();
  const content = [{ md: "é\u2028".repeat(20_000) }];
  engine.bot1.results = Array.from({ length: 20 }, (_, index) => searchResult({ resourceDocId: `d${index}`, content }));
  const { url } = await serve(engine);
  const answer = await call(url, "POST", QUERY, { body: { query: "long" } });
  expect(answer.headers.get("content-length")).toBeNull();
  expect(answer.json).toMatchObject({ success: true, data: engine.bot1.results });
});
