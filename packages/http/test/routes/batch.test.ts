import { expect, it } from "vitest";
import type { ApiKey } from "../../src/engine.ts";
import { failureOf } from "../../src/errors.ts";
import { runBatch } from "../../src/routes/batch.ts";
import { FakeBot } from "../support/fake-engine.ts";

const OPENED: ApiKey = { id: "bot", name: "bot", key: { name: "default", scope: "all", origins: [] } };

it("begins no write of a batch any more once its client has left", async () => {
  const client = new AbortController();
  const bot = new FakeBot();
  const operations = ["a", "b", "c"].map((id) => ({ op: "delete", id }));
  let deleted = (): void => undefined;
  bot.gate = new Promise((resolve) => {
    deleted = resolve;
  });
  const batch = runBatch({
    bot,
    feedback: async () => undefined,
    requestId: "request",
    opened: OPENED,
    parameters: new Map<string, string>(),
    query: "",
    header: () => undefined,
    json: async () => ({ operations }),
    searchMs: 60_000,
    waitedMs: () => 0,
    signal: client.signal,
    refusalOf: (error: unknown) => failureOf(error).reply,
  });
  const left = expect(batch).rejects.toThrow("left");
  await new Promise(setImmediate);
  client.abort(new Error("left"));
  deleted();
  await left;
  // The one that had been begun is made.
  expect(bot.calls.map(({ method, values }) => [method, values[0]])).toEqual([["deleteArticle", "a"]]);
});
