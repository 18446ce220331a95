import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LogEvent, RunningServer, ServeOptions } from "../../src/index.ts";
import { serve } from "../../src/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A page in place of the console's own. */
const FILES = new Map([
  [
    "index.html",
    { bytes: Buffer.from("<!doctype html><title>Console</title>"), type: "text/html; charset=utf-8", immutable: false },
  ],
  ["assets/app-0a1b2c3d.js", { bytes: Buffer.from("export {};"), type: "text/javascript", immutable: true }],
]);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  readonly body: any;
}

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function started(options: Partial<ServeOptions> = {}): Promise<{ server: RunningServer; events: LogEvent[] }> {
  const events: LogEvent[] = [];
  const directory = await temporaryDirectory();
  const logger = (event: LogEvent): void => void events.push(event);
  const server = await serve({ directory, port: 0, embedders: {}, console: { files: FILES }, logger, ...options });
  running.push(server);
  return { server, events };
}

/** Asks as a browser that is signed in, or by a key. */
class Asker {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  static async signedIn(url: string, key: string): Promise<Asker> {
    const { status, headers, body } = await new Asker(url, { origin: url }).ask("POST", "/session", { key });
    expect(status).toBe(200);
    const cookie = headers.get("set-cookie") ?? "";
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Strict");
    const [pair = ""] = cookie.split(";");
    return new Asker(url, { cookie: pair, "x-csrf-token": body.data.csrfToken, origin: url });
  }

  async ask(method: string, path: string, given?: unknown, more: Record<string, string> = {}): Promise<Answer> {
    const isBytes = given instanceof Uint8Array;
    const type = isBytes ? "application/octet-stream" : "application/json";
    const answer = await fetch(`${this.#url}/api/v1/admin${path}`, {
      method,
      headers: { ...this.#headers, ...(given === undefined ? {} : { "content-type": type }), ...more },
      ...(given === undefined ? {} : { body: isBytes ? given : JSON.stringify(given) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(bytes.toString()) : bytes };
  }

  /** The data of a request that succeeds. */
  async data(method: string, path: string, given?: unknown, more?: Record<string, string>): Promise<Answer["body"]> {
    const { status, body } = await this.ask(method, path, given, more);
    expect([status < 300, body], `${method} ${path}`).toEqual([true, body]);
    return body.data;
  }

  /** The job when it has ended. */
  async job(bot: string, { id }: { id: string }): Promise<Answer["body"]> {
    for (;;) {
      const job = await this.data("GET", `/bots/${bot}/jobs/${id}`);
      if (job.state !== "running") return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The first events of the stream, as their names with data. */
  async events(count: number): Promise<[string, Answer["body"]][]> {
    const answer = await fetch(`${this.#url}/api/v1/admin/events`, { headers: this.#headers });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const found: [string, Answer["body"]][] = [];
    let text = "";
    for await (const piece of answer.body ?? []) {
      text += Buffer.from(piece).toString();
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const [, event] = /^event: (.*)$/m.exec(part) ?? [];
        const [, data] = /^data: (.*)$/m.exec(part) ?? [];
        if (event !== undefined && data !== undefined) found.push([event, JSON.parse(data)]);
      }
      if (found.length >= count) break;
    }
    return found;
  }
}

describe("a console on a real engine", () => {
  let server: RunningServer;
  let events: LogEvent[];
  let admin: Asker;
  beforeEach(async () => {
    ({ server, events } = await started());
    admin = await Asker.signedIn(server.url, await server.engine.administration.addKey("anna"));
  });

  it("shows the page at its address, which the server tells", async () => {
    expect(server.consoleUrl).toBe(`${server.url}/console`);
    for (const path of ["", "/", "/knowledge/acme"]) {
      const page = await fetch(`${server.consoleUrl}${path}`);
      expect([path, page.status, (await page.text()).includes("<title>Console")]).toEqual([path, 200, true]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const script = await fetch(`${server.consoleUrl}/assets/app-0a1b2c3d.js`);
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect((await fetch(`${server.consoleUrl}/assets/none-0.js`)).status).toBe(404);
  });

  it("goes from a new bot over an upload and an article to answers, explanations and golden questions", async () => {
    const { bot, key } = await admin.data("POST", "/bots", { name: "acme" });
    expect(key).toMatch(/^lore_/);
    const file = Buffer.from("# Shipping\n\nParcels to Norway take five days.\n");
    const begun = await admin.ask("POST", "/bots/acme/uploads?name=shipping.md&source=handbook", file);
    expect(begun.status).toBe(202);
    expect(await admin.job("acme", begun.body.data)).toMatchObject({
      kind: "upload",
      state: "done",
      report: [{ file: "shipping.md", imported: 1, problems: [] }],
    });
    const article = await admin.data("POST", "/bots/acme/articles", { title: "Refunds", body: "Within 14 days." });
    await (await server.engine.bot("acme")).whenSearchable();

    const page = await admin.ask("GET", "/bots/acme/documents?limit=10");
    expect(page.body.total).toBe(2);
    expect(page.body.data).toMatchObject([
      { id: article.id, type: "EXTERNAL", status: "active", title: "Refunds", isArticle: true },
      { id: "file:handbook/shipping.md", type: "DOCUMENT", source: "handbook", isArticle: false },
    ]);
    const searched = await admin.ask("GET", "/bots/acme/documents?search=REFUND&sort=title:asc");
    expect(searched.body).toMatchObject({ total: 1, data: [{ title: "Refunds" }] });

    const [answer] = await admin.data("POST", "/bots/acme/search", { query: "parcels to Norway" });
    expect(answer).toMatchObject({ resourceDocId: "file:handbook/shipping.md", similarTextParts: [{ start: 3 }] });
    const why = await admin.data("POST", "/bots/acme/explain", { query: "parcels to Norway", id: article.id });
    expect(why.outcome).not.toBe("returned");

    const golden = [{ question: "How long do parcels to Norway take?", expected: "file:handbook/shipping.md" }];
    await admin.data("PUT", "/bots/acme/golden", { questions: golden });
    const run = await admin.job("acme", await admin.data("POST", "/bots/acme/runs", {}));
    expect(run).toMatchObject({ kind: "run", state: "done", done: 1, total: 1 });
    expect(await admin.data("GET", `/bots/acme/runs/${run.report}`)).toMatchObject({ questions: 1, misses: [] });
    const tried = { vocabulary: { synonyms: ["parcel, package"] } };
    const trial = await admin.job("acme", await admin.data("POST", "/bots/acme/runs", tried));
    expect(await admin.data("GET", "/bots/acme/runs")).toMatchObject([
      { id: trial.report, vocabulary: true },
      { id: run.report },
    ]);
    expect((await admin.ask("POST", "/bots/acme/runs", { vocabulary: { synonyms: 7 } })).status).toBe(400);
    expect(await admin.data("GET", `/bots/${bot.id}/jobs`)).toHaveLength(3);
  });

  it("undoes a delete without the rate, and shows a conflict to the second of two editors", async () => {
    await admin.data("POST", "/bots", { name: "acme", rateCharactersPerMinute: 1_000 });
    const text = { title: "Refunds", body: "x".repeat(980) };
    const made = await admin.data("POST", "/bots/acme/articles", text);
    expect((await admin.ask("DELETE", `/bots/acme/articles/${made.id}`)).status).toBe(200);
    expect((await admin.ask("POST", "/bots/acme/articles?undo=true", { ...text, body: `${text.body}!` })).status).toBe(
      429,
    );
    const again = await admin.data("POST", "/bots/acme/articles?undo=true", text);
    expect(again.id).not.toBe(made.id);
    expect((await admin.ask("POST", "/bots/acme/articles?undo=true", text)).status).toBe(429);

    const path = `/bots/acme/articles/${again.id}`;
    const tag = (await admin.ask("GET", path)).headers.get("etag") ?? "";
    expect((await admin.ask("PUT", path, { title: "First" }, { "if-match": tag })).status).toBe(200);
    const late = await admin.ask("PUT", path, { title: "Second" }, { "if-match": tag });
    expect(late).toMatchObject({ status: 412, body: { error: { code: 20004 } } });
  });

  it("carries a backup down, and up again under another name", async () => {
    await admin.data("POST", "/bots", { name: "acme" });
    await admin.data("POST", "/bots/acme/articles", { title: "Refunds", body: "Within 14 days." });
    const { body: backup } = await admin.ask("GET", "/bots/acme/backup");
    const { bot } = await admin.data("POST", "/restore?as=copy", new Uint8Array(backup));
    expect(bot.name).toBe("copy");
    expect(await admin.data("GET", "/bots/copy/articles")).toMatchObject([{ title: "Refunds" }]);
  });

  it("tells traffic and alerts live, and ends in time while a stream is open", async () => {
    const { bot } = await admin.data("POST", "/bots", { name: "acme", quotaCharacters: 20 });
    await admin.data("POST", "/bots/acme/articles", { title: "Refunds", body: "123456789012" });
    await admin.data("POST", "/bots/acme/search", { query: "refunds" });
    const [first] = (await admin.events(2)).filter(([event]) => event === "fleet");
    expect(first?.[1].bots).toMatchObject([{ id: bot.id, name: "acme", questions: 1, writes: 1 }]);
    expect(first?.[1].bots[0].p95Ms).toBeGreaterThan(0);
    const { version, alerts } = await admin.data("GET", "/status");
    expect(version).toMatch(/^\d/);
    expect(alerts).toEqual([expect.objectContaining({ name: "LoredexQuotaNearlyUsed", bots: [bot.id] })]);

    const seen: string[] = [];
    const open = admin.events(1_000).then((all) => seen.push(...all.map(([event]) => event)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    await open;
    expect(seen.at(-1)).toBe("restart");
  });

  it("keeps the rights of keys, and an audit log without content", async () => {
    const { bot } = await admin.data("POST", "/bots", { name: "acme" });
    await admin.data("POST", "/bots", { name: "other" });
    const secret = "The secret recipe is never shown.";
    await admin.data("POST", "/bots/acme/articles", { title: "Recipe", body: secret });

    const reader = await Asker.signedIn(
      server.url,
      await server.engine.administration.addKey("rita", { scope: "read" }),
    );
    expect(await reader.data("GET", "/bots")).toHaveLength(2);
    const refused = await reader.ask("POST", "/bots/acme/articles", { title: "No", body: "No." });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 10003 } } });
    expect((await reader.ask("POST", "/bots/acme/search", { query: "recipe" })).status).toBe(200);

    const only = await server.engine.administration.addKey("otto", { bots: ["other"] });
    const some = new Asker(server.url, { "x-api-key": only });
    expect(await some.data("GET", "/bots")).toMatchObject([{ name: "other" }]);
    for (const [method, path] of [
      ["GET", "/bots/acme"],
      ["GET", "/bots/acme/jobs"],
      ["POST", "/bots/acme/uploads?name=a.md"],
    ] as const) {
      expect(await some.ask(method, path)).toMatchObject({ status: 404, body: { error: { code: 20007 } } });
    }
    expect((await some.ask("POST", "/bots", { name: "third" })).status).toBe(403);

    const changes = await admin.data("GET", "/changes");
    expect(changes.map(({ by, action, bot: id }: Record<string, string>) => [by, action, id === bot.id])).toEqual([
      ["rita", "sign in", false],
      ["anna", "article create", true],
      ["anna", "bot create", false],
      ["anna", "bot create", true],
      ["anna", "sign in", false],
    ]);
    expect(JSON.stringify([changes, events])).not.toContain("secret");
  });

  it("needs a key or a session, and a token for changes by session", async () => {
    const nobody = new Asker(server.url, {});
    expect((await nobody.ask("GET", "/bots")).status).toBe(401);
    const { key } = await server.engine.createBot({ name: "acme" });
    expect((await new Asker(server.url, { "x-api-key": key }).ask("GET", "/bots")).status).toBe(401);
    const wrong = await nobody.ask("POST", "/session", { key: "lore_wrong" });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 10001 } } });

    const code = await server.signInCode("start");
    const byCode = await Asker.signedIn(server.url, code ?? "");
    expect(await byCode.data("GET", "/session")).toMatchObject({ name: "start", scope: "write" });
    expect((await nobody.ask("POST", "/session", { key: code })).status).toBe(401);
    // The session lives on: only the code is used up. It dies with its key.
    expect((await byCode.ask("GET", "/bots")).status).toBe(200);
    const { administration } = server.engine;
    const late = await server.signInCode("start");
    await administration.rotateKey("start");
    expect((await nobody.ask("POST", "/session", { key: late })).status).toBe(401);
    const again = await Asker.signedIn(server.url, (await server.signInCode("start")) ?? "");
    expect((await again.ask("GET", "/bots")).status).toBe(200);
    expect((await byCode.ask("GET", "/bots")).status).toBe(401);
    const last = await server.signInCode("start");
    await administration.revokeKey("start");
    expect((await again.ask("GET", "/bots")).status).toBe(401);
    // A new key of the same name is another key.
    await administration.addKey("start");
    expect((await nobody.ask("POST", "/session", { key: last })).status).toBe(401);
  });
});

describe("the console's address", () => {
  it("is nowhere without the option: its paths are unknown", async () => {
    const { server } = await started({ console: undefined } as never);
    expect(server.consoleUrl).toBeUndefined();
    expect(await server.signInCode("start")).toBeUndefined();
    for (const path of ["/console", "/console/", "/api/v1/admin/bots", "/api/v1/admin/session"]) {
      const key = await server.engine.ensureBot({ name: "acme" });
      expect([
        path,
        (await fetch(`${server.url}${path}`, key.key ? { headers: { "x-api-key": key.key } } : {})).status < 500,
      ]).toEqual([path, true]);
      expect((await fetch(`${server.url}${path}`)).status).not.toBe(200);
    }
  });

  it("may be one of its own, where bot keys open nothing", async () => {
    const { server } = await started({ console: { files: FILES, port: 0 } });
    const { key } = await server.engine.createBot({ name: "acme" });
    const own = (server.consoleUrl ?? "").replace("/console", "");
    expect(own).not.toBe(server.url);
    expect((await fetch(`${own}/console`)).status).toBe(200);
    expect((await fetch(`${server.url}/console`, { headers: { "x-api-key": key } })).status).toBe(404);
    const asked = (url: string) => fetch(`${url}/api/v1/knowledge`, { headers: { "x-api-key": key } });
    expect([(await asked(server.url)).status, (await asked(own)).status]).toEqual([200, 401]);
    const admin = await Asker.signedIn(own, await server.engine.administration.addKey("anna"));
    expect(await admin.data("GET", "/bots")).toMatchObject([{ name: "acme" }]);
    expect((await fetch(`${own}/ready`)).status).toBe(200);
    await server.close();
    await expect(fetch(`${own}/console`)).rejects.toThrow();
  });

  it("is warned of where keys would cross a network in plain text", async () => {
    const warnings = async (options: Partial<ServeOptions>): Promise<string[]> => {
      const { events } = await started(options);
      return events.filter(({ event }) => event === "consoleExposed").map(({ message }) => message);
    };
    expect(await warnings({})).toEqual([]);
    expect(await warnings({ host: "0.0.0.0", console: { files: FILES, port: 0 } })).toEqual([]);
    expect(await warnings({ host: "0.0.0.0" })).toEqual([expect.stringContaining("listens on 0.0.0.0 without TLS")]);
    expect(await warnings({ console: { files: FILES, port: 0, host: "0.0.0.0" } })).toHaveLength(1);
  });

  it("does not keep other requests: a half-sent upload does not hold the end of the server up", async () => {
    const { server } = await started();
    const key = await server.engine.administration.addKey("anna");
    await server.engine.createBot({ name: "acme" });
    const headers = { "x-api-key": key, "content-length": "1000" };
    const sending = request(`${server.url}/api/v1/admin/bots/acme/uploads?name=a.md`, { method: "POST", headers });
    const gone = new Promise((resolve) => sending.on("error", resolve).on("close", resolve));
    sending.write("# A");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    await gone;
    expect(server.url).toContain("http");
  });
});
