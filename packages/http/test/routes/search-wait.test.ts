import { expect, it } from "vitest";
import type { ApiKey } from "../../src/engine.ts";
import { failureOf } from "../../src/errors.ts";
import { previewArticle } from "../../src/routes/articles.ts";
import { searchKnowledge } from "../../src/routes/search.ts";
import { FakeBot } from "../support/fake-engine.ts";

const OPENED: ApiKey = { id: "bot", name: "bot", key: { name: "default", scope: "all", origins: [] } };

it("counts the wait for its turn as part of a search's time", async () => {
  const request = {
    feedback: async () => undefined,
    requestId: "request",
    opened: OPENED,
    parameters: new Map<string, string>(),
    query: "",
    header: () => undefined,
    refusalOf: (error: unknown) => failureOf(error).reply,
    json: async () => ({ query: "x" }),
    searchMs: 60_000,
    signal: new AbortController().signal,
  };
  const bot = new FakeBot();
  await searchKnowledge({ ...request, bot, waitedMs: () => 50_000 });
  const late = searchKnowledge({ ...request, bot, waitedMs: () => 60_001 });
  await expect(late).rejects.toMatchObject({ code: "OVERLOADED" });
});

it("ends the work of a search that comes too late, and of one whose client has left", async () => {
  const signals: AbortSignal[] = [];
  const bot = Object.assign(new FakeBot(), {
    answerRequest: (_body: unknown, _quality: unknown, signal?: AbortSignal) => {
      if (signal !== undefined) signals.push(signal);
      return new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    },
  });
  const client = new AbortController();
  const request = {
    bot,
    feedback: async () => undefined,
    requestId: "request",
    opened: OPENED,
    parameters: new Map<string, string>(),
    query: "",
    header: () => undefined,
    refusalOf: (error: unknown) => failureOf(error).reply,
    json: async () => ({ query: "x" }),
    waitedMs: () => 0,
    signal: client.signal,
  };
  await expect(searchKnowledge({ ...request, searchMs: 1 })).rejects.toMatchObject({ code: "OVERLOADED" });
  const left = searchKnowledge({ ...request, searchMs: 60_000 });
  await Promise.resolve();
  client.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(signals.map(({ aborted, reason }) => [aborted, reason.message])).toEqual([
    [true, expect.stringContaining("0.001 seconds")],
    [true, "left"],
  ]);
});

it("ends a preview that comes too late, and one whose client has left, as it does a search", async () => {
  const reasons: unknown[] = [];
  const bot = Object.assign(new FakeBot(), {
    previewArticle: (_input: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          reasons.push(signal.reason.message);
          reject(signal.reason);
        });
      }),
  });
  const client = new AbortController();
  const request = {
    bot,
    feedback: async () => undefined,
    requestId: "request",
    opened: OPENED,
    parameters: new Map<string, string>(),
    query: "",
    header: () => undefined,
    refusalOf: (error: unknown) => failureOf(error).reply,
    json: async () => ({ title: "x" }),
    waitedMs: () => 0,
    signal: client.signal,
  };
  await expect(previewArticle({ ...request, searchMs: 1 })).rejects.toMatchObject({ code: "OVERLOADED" });
  const left = previewArticle({ ...request, searchMs: 60_000 });
  await Promise.resolve();
  client.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(reasons).toEqual([expect.stringContaining("The preview took more than 0.001 seconds"), "left"]);
});
