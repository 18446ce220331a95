import { Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, EVERY_OPERATION } from "../../../http/test/admin/ask.ts";
import { call } from "../../../http/test/support/client.ts";
import { BOT_NAME } from "../../../http/test/support/fake-engine.ts";
import { serve } from "../../../http/test/support/server.ts";
import { adminBackend } from "../../src/admin/admin-backend.ts";
import { Traffic } from "../../src/admin/traffic.ts";
import { engineOperator } from "../../src/operator/engine-operator.ts";

/** A server with the real backend of the admin API. */
async function start() {
  const engine = await Engine.open({ embedders: {} });
  const backend = adminBackend({
    engine,
    operator: engineOperator(engine),
    traffic: new Traffic(() => Date.now()),
    logger: () => undefined,
    privateAddresses: false,
    nowMs: () => Date.now(),
  });
  onTestFinished(async () => {
    await backend.close();
    await engine.close();
  });
  const { url } = await serve(engine, { admin: backend.admin });
  return { engine, backend, url, key: await engine.administration.addKey("ann") };
}

const named = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

describe("the admin API of an engine", () => {
  it("answers every operation as its description says", async () => {
    const { engine, url, key } = await start();
    await engine.createBot({ name: BOT_NAME });
    const bot = await engine.bot(BOT_NAME);
    const { article } = await bot.createArticle({ title: "Refunds", body: "A refund takes three days." });
    await bot.putAgent("one", true);
    await bot.putChannel("one", true);
    await bot.importDocument(
      { resourceDocId: "1", type: "DOCUMENT", content: [{ md: "Parcels." }] },
      { source: "docs" },
    );
    await engine.addKey(BOT_NAME, "one", {});
    // What removes something comes last.
    const order = ({ method }: { readonly method: string }) => ["GET", "POST", "PUT", "DELETE"].indexOf(method);
    const all = EVERY_OPERATION.filter(({ path }) => !/\/(session|events)$/.test(path));
    const last = (each: { readonly path: string; readonly method: string }) =>
      each.method === "DELETE" && each.path.endsWith("/:bot") ? 1 : 0;
    const asked = all.toSorted((a, b) => last(a) - last(b) || order(a) - order(b));
    const refused = new Map<string, number>();
    for (const each of asked) {
      const target = each.target.replace("65a000000000000000000001", article.id);
      // `call` holds each answer against the description.
      const answer = await ask(url, { ...each, target }, { key });
      if (answer.status >= 400) refused.set(named(each), answer.status);
    }
    expect(Object.fromEntries(refused)).toEqual({
      // An article is no imported document, and neither is what was removed with its source.
      "DELETE /api/v1/admin/bots/:bot/documents/:id": 404,
      "GET /api/v1/admin/bots/:bot/jobs/:id": 404,
      "GET /api/v1/admin/bots/:bot/runs/:id": 404,
      // Its bytes are no backup.
      "POST /api/v1/admin/restore": 400,
      // Without golden questions.
      "POST /api/v1/admin/bots/:bot/runs": 400,
    });
  });

  it("reads the figures of all bots once for the events and the alerts of one moment", async () => {
    const { engine, backend } = await start();
    let count = 0;
    const figures = engine.figures.bind(engine);
    engine.figures = () => {
      count += 1;
      return figures();
    };
    await Promise.all([backend.admin.liveBots(), backend.admin.status(), backend.admin.liveBots()]);
    expect(count).toBe(1);
  });

  it("signs in, changes by cookie, and keeps who did what", async () => {
    const { url, key } = await start();
    const signedIn = await call(url, "POST", "/api/v1/admin/session", { key: null, body: { key } });
    const { csrfToken } = (signedIn.json as { data: { csrfToken: string } }).data;
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { cookie, "x-csrf-token": csrfToken, origin: url };
    const body = { name: "new" };
    expect((await call(url, "POST", "/api/v1/admin/bots", { key: null, body, headers: { cookie } })).status).toBe(403);
    expect((await call(url, "POST", "/api/v1/admin/bots", { key: null, body, headers })).status).toBe(200);
    expect((await call(url, "POST", "/api/v1/admin/bots", { key: null, body, headers })).status).toBe(409);
    const { json } = await call(url, "GET", "/api/v1/admin/changes", { key });
    expect(json).toMatchObject({
      data: [
        { by: "ann", action: "bot create" },
        { by: "ann", action: "sign in" },
      ],
    });
    expect((await call(url, "DELETE", "/api/v1/admin/session", { key: null, headers })).status).toBe(200);
    expect((await call(url, "GET", "/api/v1/admin/bots", { key: null, headers: { cookie } })).status).toBe(401);
  });

  it("slows down failed sign-ins of an address, and ends sessions with their key", async () => {
    const { engine, url, key } = await start();
    const signIn = (text: string) => call(url, "POST", "/api/v1/admin/session", { key: null, body: { key: text } });
    const cookie = (await signIn(key)).headers.get("set-cookie")?.split(";")[0] ?? "";
    for (let count = 0; count < 10; count++) expect((await signIn("wrong")).status).toBe(401);
    const refused = await signIn(key);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await call(url, "GET", "/api/v1/admin/bots", { key: null, headers: { cookie } })).status).toBe(200);
    await engine.administration.rotateKey("ann");
    expect((await call(url, "GET", "/api/v1/admin/bots", { key: null, headers: { cookie } })).status).toBe(401);
  });

  it("creates again without the rate what was deleted, and nothing else", async () => {
    const { engine, url, key } = await start();
    const { bot } = await engine.createBot({ name: BOT_NAME, rateCharactersPerMinute: 40 });
    const articles = `/api/v1/admin/bots/${bot.id}/articles`;
    const body = { title: "Refunds", body: "A refund takes three days." };
    const created = await call(url, "POST", articles, { key, body });
    const { id } = (created.json as { data: { id: string } }).data;
    expect((await call(url, "DELETE", `${articles}/${id}`, { key })).status).toBe(200);
    expect((await call(url, "POST", articles, { key, body })).status).toBe(429);
    expect((await call(url, "POST", `${articles}?undo=true`, { key, body: { ...body, title: "Other" } })).status).toBe(
      429,
    );
    expect((await call(url, "POST", `${articles}?undo=true`, { key, body })).status).toBe(200);
    expect((await (await engine.bot(bot.id)).stats()).rateUsed).toBe(33);
  });
});
