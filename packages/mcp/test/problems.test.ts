import { EventEmitter, once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ownService, sharedService } from "../../../test/http/service.ts";
import { hostOf } from "./support.ts";

const service = sharedService();

/** A host whose server answers so. */
const answeredBy = (response: () => Response) =>
  hostOf({ baseUrl: "http://a.test", key: "k", fetch: async () => response() });

const failure = (status: number, code: number, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error: { message: "So it is", code, status } }, { status, headers });

describe("what goes wrong is told to the model, with what to do", () => {
  it("a server that is not there", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await new Promise((resolve) => closed.close(resolve));
    const { call } = await hostOf({ baseUrl: `http://127.0.0.1:${port}`, key: "k" });
    const { isError, text } = await call("search_knowledge", { query: "refund" });
    expect(isError).toBe(true);
    expect(text).toContain(`No answer came from http://127.0.0.1:${port}/api/v1/knowledge`);
    expect(text).toContain("`loredex serve`");
  });

  it("a wrong key, and one that may only search", async () => {
    const wrong = await hostOf({ baseUrl: service().url, key: "wrong" });
    for (const name of ["search_knowledge", "list_articles"]) {
      const { isError, text } = await wrong.call(name, name === "list_articles" ? {} : { query: "x" });
      expect(isError).toBe(true);
      expect(text).toContain("The key in LOREDEX_KEY is missing, unknown or revoked.");
    }
    const bot = await service().bot();
    const key = await service().engine.addKey(bot.id, "site", { scope: "search" });
    const { call } = await hostOf({ baseUrl: service().url, key });
    expect((await call("search_knowledge", { query: "x" })).isError).toBe(false);
    for (const name of ["list_articles", "create_article"]) {
      const { isError, text } = await call(name, name === "list_articles" ? {} : { title: "Hello", body: "x" });
      expect(isError).toBe(true);
      expect(text).toContain("may only search");
    }
  });

  it("broken rules, all of them", async () => {
    const bot = await service().bot();
    const { call } = await hostOf({ baseUrl: service().url, key: bot.key });
    const { text } = await call("create_article", {
      title: "Hello",
      body: "x",
      source: "no",
      metadata: { ["k".repeat(300)]: 1 },
    });
    expect(text).toMatch(/Nothing was done.*\n- metadata: .*\n- source: /);
  });

  it("a full quota, and a rate with its wait", async () => {
    const own = await ownService();
    const small = await own.bot({ quotaCharacters: 20 });
    const { call } = await hostOf({ baseUrl: own.url, key: small.key });
    const full = await call("create_article", { title: "Hello", body: "x".repeat(30) });
    expect(full).toMatchObject({ isError: true, text: expect.stringContaining("shorten or delete articles") });
    const slow = await own.bot({ rateCharactersPerMinute: 50 });
    const waiting = await hostOf({ baseUrl: own.url, key: slow.key });
    expect((await waiting.call("create_article", { title: "Hello", body: "x".repeat(40) })).isError).toBe(false);
    const late = await waiting.call("create_article", { title: "Hello", body: "x".repeat(40) });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/can succeed in \d+ s: wait/) });
    const never = await waiting.call("create_article", { title: "Hello", body: "x".repeat(60) });
    expect(never).toMatchObject({ isError: true, text: expect.stringContaining("waiting does not help") });
  });

  it.each([
    [409, 20006, {}, "decide again"],
    [413, 40001, {}, "Send a shorter text"],
    [
      500,
      50000,
      { "x-request-id": "r-1" },
      "So it is. Tell the user, with the number of the request for the operator: r-1",
    ],
    [503, 50002, {}, "the operator has to look at the server"],
    [503, 50001, { "retry-after": "60" }, "can succeed in 60 s"],
    [507, 50003, {}, "no room on the server"],
  ])("an answer of %i (%i)", async (status, code, headers, said) => {
    const { call } = await answeredBy(() => failure(status, code, headers));
    expect(await call("list_articles")).toMatchObject({ isError: true, text: expect.stringContaining(said) });
  });

  it("something that is no Loredex server", async () => {
    for (const page of [
      () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } }),
      () => new Response("<h1>No</h1>", { status: 404, headers: { "content-type": "text/html" } }),
    ]) {
      const { call } = await answeredBy(page);
      expect(await call("list_articles")).toMatchObject({
        isError: true,
        text: expect.stringContaining("not as Loredex does"),
      });
    }
    const { call } = await answeredBy(() => Response.json({ data: 3 }));
    expect((await call("list_articles")).isError).toBe(true);
    expect((await call("search_knowledge", { query: "x" })).isError).toBe(true);
  });

  it("a prompt says it too, and stays one", async () => {
    const { client } = await answeredBy(() => failure(401, 10001));
    const { messages } = await client.getPrompt({ name: "answer_from_knowledge", arguments: { question: "x?" } });
    expect(JSON.stringify(messages)).toContain("LOREDEX_KEY is missing");
  });

  it("a call that the host gives up is given up at the server as well", async () => {
    const events = new EventEmitter();
    const [asked, ended] = [once(events, "asked"), once(events, "ended")];
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_, reject) => {
        events.emit("asked");
        init?.signal?.addEventListener("abort", () => {
          events.emit("ended");
          reject(new Error("aborted"));
        });
      });
    const { client } = await hostOf({ baseUrl: "http://a.test", key: "k", fetch });
    const stop = new AbortController();
    const call = client.callTool({ name: "list_articles", arguments: {} }, { signal: stop.signal });
    await asked;
    stop.abort();
    await expect(call).rejects.toThrow();
    await ended;
  });
});
