import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Engine, serve } from "../src/index.ts";
import { loredex } from "./support/cli.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("is a server for programs: its engine is at hand, and it lets the directory go when it is closed", async () => {
  const directory = join(await temporaryDirectory(), "data");
  const server = await serve({ directory, port: 0 });
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  const { key } = await server.engine.createBot({ name: "one" });
  const list = () => fetchOnce(`${server.url}/api/v1/knowledge`, { headers: { "x-api-key": key } });
  expect(await (await list()).json()).toEqual({ success: true, data: [] });
  expect((await fetchOnce(`${server.url}/docs/swagger-ui.css`)).status).toBe(200);
  await expect(serve({ directory, port: 0 })).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
  await Promise.all([server.close(), server.close()]);
  await expect(list()).rejects.toThrow();
  const engine = await Engine.open({ directory });
  expect(engine.listBots()).toHaveLength(1);
  await engine.close();
});

it("makes no directory where its address cannot be had", async () => {
  const folder = await temporaryDirectory();
  const server = await serve({ directory: join(folder, "one"), port: 0 });
  await expect(serve({ directory: join(folder, "other"), port: server.port })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
  await server.close();
  expect(await readdir(folder)).toEqual(["one"]);
});

it("lets the directory go when its address cannot be had", async () => {
  const [one, other] = [await temporaryDirectory(), await temporaryDirectory()];
  const server = await serve({ directory: one, port: 0 });
  await expect(serve({ directory: other, port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await (await Engine.open({ directory: other })).close();
  await server.close();
});

it("hands limits and embedders on", async () => {
  const directory = await temporaryDirectory();
  const options = { bodyBytesMax: 1_024, openBotsMax: 5, embedders: {}, timeouts: { searchMs: 5_000 }, docs: false };
  const server = await serve({ directory, port: 0, ...options });
  const { bot, key } = await server.engine.createBot({ name: "one" });
  expect(bot.embedder).toBe("none");
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ query: "x".repeat(1_024) });
  const answer = await fetchOnce(`${server.url}/api/v1/knowledge/search`, { method: "POST", headers, body });
  expect(answer.status).toBe(413);
  expect((await fetchOnce(`${server.url}/docs`)).status).toBe(401);
  await server.close();
});

it.each([
  [{ requestsMax: 0 }, "serve: requestsMax must be"],
  [{ connectionsMax: 1.5 }, "serve: connectionsMax must be"],
  [{ timeouts: { searchMs: -1 } }, "serve: timeouts.searchMs must be"],
  [{ timeouts: { headersMs: 40_000 } }, "headersMs must be less than requestMs"],
])("refuses %o, and lets the directory go", async (limit, message) => {
  const directory = await temporaryDirectory();
  await expect(serve({ directory, port: 0, ...limit })).rejects.toThrow(message);
  await (await Engine.open({ directory })).close();
});

it.each([
  ["in the data directory", ""],
  ["elsewhere, where the path is too long for one", "d".repeat(110)],
])("holds the directory by its socket %s, also where the lock file was deleted", async (_name, below) => {
  const directory = join(await temporaryDirectory(), below);
  const server = await serve({ directory, port: 0 });
  await rm(join(directory, "lock"));
  // A process of its own: this one knows what it holds without asking.
  const second = await loredex(["serve", "--data", directory, "--port", "0"]);
  expect([second.code, second.err]).toEqual([1, expect.stringContaining("in use by a running server")]);
  expect(await readdir(directory)).not.toContain("lock");
  await server.close();
});

it("is told as not ready in a few seconds where its lock file was deleted, and takes no writes", async () => {
  const directory = await temporaryDirectory();
  const server = await serve({ directory, port: 0, embedders: {} });
  const { key } = await server.engine.createBot({ name: "one" });
  const create = () =>
    fetchOnce(`${server.url}/api/v1/knowledge`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ title: "A title", body: "A body of an article" }),
    });
  expect((await create()).status).toBeLessThan(300);
  await rm(join(directory, "lock"));
  const ready = () => fetchOnce(`${server.url}/ready`);
  await expect.poll(async () => (await ready()).status, { timeout: 15_000 }).toBe(503);
  expect(await (await ready()).json()).toMatchObject({ error: { code: 50002 } });
  const refused = await create();
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 50002 } }]);
  const list = await fetchOnce(`${server.url}/api/v1/knowledge`, { headers: { "x-api-key": key } });
  expect(await list.json()).toMatchObject({ data: [{ title: "A title" }] });
  await server.close();
}, 30_000);
