import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { ApiError, LoredexClient } from "../../examples/http-client/client.mjs";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

type Answer = readonly [status: number, headers: Record<string, string>, body: string];

/** A client of a server that gives these answers one after the other, and what it was asked and how long it waited. */
async function against(answers: readonly Answer[], options: { attemptsMax?: number } = {}) {
  const requests: { method?: string; url?: string; key?: string | string[]; body: string }[] = [];
  const waits: number[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [status, headers, text] = answers[requests.length] ?? [500, {}, "asked too often"];
    const { method, url } = request;
    const key = request.headers["x-api-key"];
    requests.push({ body, ...(method && { method }), ...(url && { url }), ...(key && { key }) });
    response.writeHead(status, { connection: "close", ...headers }).end(text);
  };
  const listening = createServer((request, response) => void handle(request, response));
  servers.push(listening);
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const client = new LoredexClient({
    baseUrl: `http://127.0.0.1:${address.port}/`,
    key: "secret",
    sleep: async (ms) => waits.push(ms),
    ...options,
  });
  return { client, requests, waits };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const LIMITED = [429, { "content-type": "text/plain", "retry-after": "7" }, "Too many characters"] as const;
const ok = (body: unknown): Answer => [200, JSON_TYPE, JSON.stringify(body)];

describe("the HTTP client", () => {
  test("waits as long as Retry-After says, and sends the same again", async () => {
    const { client, requests, waits } = await against([LIMITED, LIMITED, ok({ success: true, characterUsed: 5 })]);
    expect(await client.createArticle({ title: "abc", body: "de" })).toMatchObject({ characterUsed: 5 });
    expect(waits).toEqual([7_000, 7_000]);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['{"title":"abc","body":"de"}']));
    expect(requests[0]).toMatchObject({ method: "POST", url: "/api/v1/knowledge", key: "secret" });
  });

  test("gives up at once where there is no Retry-After", async () => {
    const { client, waits } = await against([[429, {}, "It has 9 characters and 5 a minute is the limit"]]);
    const error = await client.createArticle({ title: "abc", body: "defghi" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      message: "It has 9 characters and 5 a minute is the limit",
      worthWaiting: false,
    });
    expect(waits).toEqual([]);
  });

  test("gives up after as many attempts as it was told", async () => {
    const { client, requests } = await against([LIMITED, LIMITED, LIMITED], { attemptsMax: 2 });
    await expect(client.createArticle({ title: "abc", body: "de" })).rejects.toMatchObject({ retryAfterSeconds: 7 });
    expect(requests).toHaveLength(2);
  });

  test("waits for a busy server, and not for a broken one", async () => {
    const busy = { error: { message: "busy", code: 50001, status: 503 } };
    const { client, waits } = await against([
      [503, { ...JSON_TYPE, "retry-after": "1" }, JSON.stringify(busy)],
      [503, JSON_TYPE, JSON.stringify({ error: { message: "read-only", code: 50002, status: 503 } })],
    ]);
    await expect(client.deleteArticle("a")).rejects.toMatchObject({ status: 503, code: 50002, message: "read-only" });
    expect(waits).toEqual([1_000]);
  });

  test("shows every broken rule", async () => {
    const result = [
      { message: "title is too short", field: "title", type: "minLength" },
      { message: "body is required", field: "body", type: "required" },
    ];
    const { client } = await against([
      [400, JSON_TYPE, JSON.stringify({ message: "Invalid input", code: 1001, status: 400, data: { result } })],
    ]);
    const error = await client.updateArticle("a/b", { title: "a" }).catch((thrown: unknown) => thrown);
    expect(error instanceof ApiError && error.describe()).toBe(
      "400, code 1001:\n  title (minLength): title is too short\n  body (required): body is required",
    );
  });

  test("escapes ids and parameters", async () => {
    const { client, requests } = await against([ok({}), ok({ data: [] })]);
    await client.updateArticle("a/b?", { title: "abc" });
    await client.listArticles({ title: "a & b" });
    expect(requests.map(({ url }) => url)).toEqual(["/api/v1/knowledge/a%2Fb%3F", "/api/v1/knowledge?title=a+%26+b"]);
  });

  test("waits until an article is active", async () => {
    const { client, waits } = await against([
      ok({ data: [{ status: "uploading" }] }),
      ok({ data: [{ status: "uploading" }] }),
      ok({ data: [{ status: "active", id: "a" }] }),
    ]);
    expect(await client.waitUntilActive("a")).toMatchObject({ id: "a", status: "active" });
    expect(waits).toEqual([50, 100]);
  });

  test("does not wait for ever", async () => {
    const { client } = await against(Array.from({ length: 9 }, () => ok({ data: [{ status: "uploading" }] })));
    await expect(client.waitUntilActive("a", { timeoutMs: 500 })).rejects.toThrow("not active after 0.5 s");
    await expect((await against([ok({ data: [] })])).client.waitUntilActive("a")).rejects.toThrow("no article a");
  });
});
