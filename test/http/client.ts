/** What a client of the API does: requests with a key, typed by the shapes that the API promises, which each test then checks. */

import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Article, Bot, BotUsage, DocumentInput, Engine, SearchResult, Suggestion, Violation } from "@loredex/core";
import { expect } from "vitest";
import { faultsOf } from "../../packages/http/test/support/described.ts";
import { count } from "../support/counts.ts";

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined unless the answer says that it is JSON. */
  readonly json: T;
}

export interface Sent {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
}

export interface WriteReply {
  readonly success: true;
  readonly message: string;
  readonly data: Article;
  readonly characterUsed: number;
}

export interface ListReply {
  readonly success: true;
  readonly data: readonly Article[];
}

export interface InvalidReply {
  readonly message: string;
  readonly code: number;
  readonly status: number;
  readonly data: { readonly result: readonly Violation[] };
}

export interface RefusedReply {
  readonly success: false;
  readonly error: { readonly message: string; readonly code: number; readonly status: number };
}

export async function send<T>(url: string, method: string, path: string, sent: Sent = {}): Promise<Reply<T>> {
  const type = sent.json === undefined ? {} : { "content-type": "application/json" };
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  const response = await fetch(url + path, {
    method,
    headers: { ...type, ...sent.headers },
    ...(body === undefined ? {} : { body }),
    ...(sent.signal === undefined ? {} : { signal: sent.signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
  // The one place where an answer gets its promised type unchecked: the tests are the check.
  const json: T = isJson ? JSON.parse(text) : undefined;
  const reply = { status: response.status, headers: response.headers, text, json };
  expect(faultsOf(method, path, reply)).toEqual([]);
  return reply;
}

/** Sends bytes over a bare socket and returns everything that comes back until the other side closes. */
export function exchange(port: number, ...chunks: readonly (string | Uint8Array)[]): Promise<string> {
  count("connections with bytes of our own");
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const received: Buffer[] = [];
    socket.on("data", (data: Buffer) => received.push(data));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // An answer that came before the other side hung up is still an answer.
      if (received.length === 0) reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(received).toString("latin1")));
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** What a client needs of the service: its address may change with a restart. */
interface Home {
  readonly url: string;
  readonly engine: Engine;
}

export const KNOWLEDGE = "/api/v1/knowledge";
export const SEARCH = `${KNOWLEDGE}/search`;
export const SUGGEST = `${KNOWLEDGE}/suggest`;
export const USAGE = "/api/v1/usage";

/** The holder of one key, and (as `core`) its operator. */
export class BotClient {
  readonly #home: Home;
  readonly id: string;
  readonly key: string;

  constructor(home: Home, id: string, key: string) {
    this.#home = home;
    this.id = id;
    this.key = key;
  }

  /** The same bot, asked with another key. */
  with(key: string): BotClient {
    return new BotClient(this.#home, this.id, key);
  }

  /** The operator's side, which has no HTTP route. */
  core(): Promise<Bot> {
    return this.#home.engine.bot(this.id);
  }

  send<T>(method: string, path: string, sent: Sent = {}): Promise<Reply<T>> {
    return send(this.#home.url, method, path, { ...sent, headers: { "x-api-key": this.key, ...sent.headers } });
  }

  create(input: unknown): Promise<Reply<WriteReply>> {
    return this.send("POST", KNOWLEDGE, { json: input });
  }

  update(id: string, patch: unknown): Promise<Reply<WriteReply>> {
    return this.send("PUT", `${KNOWLEDGE}/${id}`, { json: patch });
  }

  remove(id: string): Promise<Reply<{ readonly success: true; readonly message: string }>> {
    return this.send("DELETE", `${KNOWLEDGE}/${id}`);
  }

  list(parameters: Readonly<Record<string, string>> = {}): Promise<Reply<ListReply>> {
    const query = new URLSearchParams(parameters).toString();
    return this.send("GET", query === "" ? KNOWLEDGE : `${KNOWLEDGE}?${query}`);
  }

  usage(): Promise<Reply<{ readonly success: true; readonly data: BotUsage }>> {
    return this.send("GET", USAGE);
  }

  search(body: unknown): Promise<Reply<readonly SearchResult[]>> {
    return this.send("POST", SEARCH, { json: body });
  }

  suggest(body: unknown): Promise<Reply<{ readonly success: true; readonly data: readonly Suggestion[] }>> {
    return this.send("POST", SUGGEST, { json: body });
  }

  /** Creates an article that must be accepted. */
  async add(input: object): Promise<Article> {
    const reply = await this.create(input);
    expect(reply.text).toContain('"success":true');
    expect(reply.status).toBe(200);
    return reply.json.data;
  }

  /** Creates an article that must be accepted, and waits until it is active. */
  async publish(input: object): Promise<Article> {
    const { id } = await this.add(input);
    return this.active(id);
  }

  /** Waits until an article is active, the way a client would. */
  async active(id: string): Promise<Article> {
    for (;;) {
      const { json } = await this.list({ id });
      const [article] = json.data;
      if (article?.status === "active") return article;
      await sleep(2);
    }
  }

  /** All articles, once every one is active. */
  async allActive(): Promise<readonly Article[]> {
    for (;;) {
      const { json } = await this.list();
      if (json.data.every((article) => article.status === "active")) return json.data;
      await sleep(5);
    }
  }

  /** The operator imports documents; returns when all can be found. */
  async import(...documents: readonly DocumentInput[]): Promise<void> {
    const bot = await this.core();
    await Promise.all(documents.map((document) => bot.importDocument(document)));
    await bot.whenSearchable();
  }

  /** A search that must be answered. */
  async find(query: string, more: { options?: object; filters?: object } = {}): Promise<readonly SearchResult[]> {
    const reply = await this.search({ query, ...more });
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  }

  /** The ids that a search finds, in order. */
  async ids(query: string, more: { options?: object; filters?: object } = {}): Promise<string[]> {
    return (await this.find(query, more)).map((result) => result.resourceDocId);
  }
}
