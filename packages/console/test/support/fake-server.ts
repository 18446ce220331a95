import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConsoleFile } from "../../src/console-files.ts";
import { type FakeBot, Refusal } from "./fake-bot.ts";
import { made, pageOf, restoredName } from "./fake-fleet.ts";
import { answerBot } from "./fake-routes.ts";
import type { FakeAnswer, FakeRequest } from "./messages.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The routes of the admin API that the page uses, in memory, with the page itself. It can be stopped and started as a server is. */
export class FakeServer {
  readonly bots: FakeBot[] = [];
  readonly keys = new Map<
    string,
    { readonly name: string; readonly scope: "write" | "read"; readonly bots?: string[] }
  >([
    ["loredex-admin-key", { name: "Ada", scope: "write" }],
    ["loredex-read-key", { name: "Reader", scope: "read" }],
  ]);
  alerts: readonly unknown[] = [];
  /** The audit log, newest first. */
  readonly changes: {
    readonly by: string;
    readonly action: string;
    readonly bot?: string;
    readonly target?: string;
  }[] = [];
  /** Milliseconds that each answer takes longer. */
  delayMs = 0;
  /** Requests, as `METHOD /path`. */
  readonly seen: string[] = [];
  readonly #files: ReadonlyMap<string, ConsoleFile>;
  readonly #sessions = new Map<string, { readonly key: string; readonly csrf: string }>();
  readonly #streams = new Set<ServerResponse>();
  #server: Server | undefined;
  #port = 0;
  #failures = 0;

  constructor(files: ReadonlyMap<string, ConsoleFile>) {
    this.#files = files;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const stream of this.#streams) stream.end("event: restart\ndata: {}\n\n");
    this.#streams.clear();
    server?.closeAllConnections();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  bot(name: string): FakeBot {
    const found = this.bots.find((each) => each.name === name || each.id === name);
    if (found === undefined) throw new Refusal(404, 20007, "There is no such bot.");
    return found;
  }

  /** Sessions die, as when their key is revoked. */
  endSessions(): void {
    this.#sessions.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    if (!url.pathname.startsWith("/api/v1/admin/")) return this.#sendFile(url.pathname, response);
    this.seen.push(`${request.method} ${url.pathname}`);
    const bytes = await bytesOf(request);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
    const asked: FakeRequest = {
      method: request.method ?? "GET",
      path: url.pathname.slice("/api/v1/admin/".length).split("/").map(decodeURIComponent),
      parameters: url.searchParams,
      headers: request.headers,
      bytes,
      body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : {},
    };
    try {
      const answer = this.#route(asked, response);
      if (answer === undefined) return;
      const { data, status = 200, etag, total, next, bytes: sent } = answer;
      if (sent !== undefined) return void response.writeHead(200).end(sent);
      if (etag !== undefined) response.setHeader("etag", etag);
      send(response, status, { success: true, data, ...(total !== undefined && { total }), next });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message, field } = error;
      if (status === 429) response.setHeader("retry-after", "60");
      const result = [{ message, field, type: "invalid" }];
      if (status === 400) send(response, 400, { message: "Invalid input", code, status, data: { result } });
      else send(response, status, { success: false, error: { message, code, status } });
    }
  }

  #route(asked: FakeRequest, response: ServerResponse): FakeAnswer | undefined {
    const { method, path } = asked;
    const [first = "", second = "", ...rest] = path;
    if (first === "session" && method === "POST") return this.#signIn(asked, response);
    const token = /loredex_session=(\w+)/.exec(asked.headers.cookie ?? "")?.[1] ?? "";
    const session = this.#sessions.get(token);
    const key = this.keys.get(session?.key ?? "");
    if (session === undefined || key === undefined) throw new Refusal(401, 10001, "The key is missing or not known.");
    if (method !== "GET" && asked.headers["x-csrf-token"] !== session.csrf)
      throw new Refusal(403, 10004, "The token of the session is missing or wrong.");
    if (first === "session") {
      if (method === "DELETE") this.#sessions.delete(token);
      return { data: { ...key, csrfToken: session.csrf, expiresAt: "2026-11-29T09:00:00Z" } };
    }
    if (first === "events") return this.#stream(response);
    if (first === "status") return { data: { version: "0.1.0", condition: {}, alerts: this.alerts } };
    if (first === "changes") return pageOf(this.changes, asked.parameters);
    const isRead = method === "GET" || ["search", "explain", "preview"].includes(rest.at(-1) ?? "");
    if (key.scope === "read" && !isRead) throw new Refusal(403, 10003, "This key may read only.");
    if (!isRead) this.changes.unshift({ by: key.name, action: `${method} ${first}`, bot: second });
    if (first === "restore") return made(this.bots, restoredName(asked), asked.parameters.has("as"));
    if (first !== "bots") throw new Refusal(404, 20002, "There is no such route.");
    if (second === "" && method === "POST") return made(this.bots, String(asked.body.name ?? ""), true, asked.body);
    if (second === "") return { data: this.bots.map((bot) => bot.info()) };
    const bot = this.bot(second);
    if (method === "DELETE" && rest.length === 0) this.bots.splice(this.bots.indexOf(bot), 1);
    return answerBot(bot, rest, asked);
  }

  #signIn({ body }: FakeRequest, response: ServerResponse): FakeAnswer {
    const key = this.keys.get(String(body.key));
    if (key === undefined) {
      this.#failures += 1;
      if (this.#failures > 10) throw new Refusal(429, 4292, "Too many failed attempts.");
      throw new Refusal(401, 10001, "The key is missing or not known.");
    }
    const token = `token${this.#sessions.size}${Math.random().toString(36).slice(2)}`;
    this.#sessions.set(token, { key: String(body.key), csrf: `csrf-${token}` });
    response.setHeader("set-cookie", `loredex_session=${token}; HttpOnly; SameSite=Strict; Path=/`);
    return { data: { ...key, csrfToken: `csrf-${token}`, expiresAt: "2026-11-29T09:00:00Z" } };
  }

  #stream(response: ServerResponse): undefined {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const bots = this.bots.map((bot, i) => ({
      ...{
        id: bot.id,
        name: bot.name,
        questions: 34 - i * 11,
        p50Ms: 3.4 + i,
        p95Ms: 11 + i,
        p99Ms: 24 + i,
        writes: 2,
      },
      figures: bot.info().figures,
    }));
    response.write(`event: fleet\ndata: ${JSON.stringify({ at: "2026-11-28T09:00:00Z", bots })}\n\n`);
    response.write(`event: alerts\ndata: ${JSON.stringify(this.alerts)}\n\n`);
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #sendFile(path: string, response: ServerResponse): void {
    const name = path.replace(/^\/console\/?/, "");
    const file = this.#files.get(name) ?? (name.includes(".") ? undefined : this.#files.get("index.html"));
    if (!path.startsWith("/console") || file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const cache = file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, { "content-type": file.type, "content-security-policy": POLICY, "cache-control": cache });
    response.end(file.bytes);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const each of request) all.push(each as Buffer);
  return Buffer.concat(all);
}
