/** Clients that write to a bot over all nodes, and know what must be there. */

import { setTimeout as sleep } from "node:timers/promises";
import type { SearchResult } from "@loredex/core";
import { expect } from "vitest";
import { KNOWLEDGE, type ListReply, type Reply, SEARCH, type Sent, send, type WriteReply } from "../http/client.ts";
import type { Fleet, FleetBot } from "./fleet.ts";

/** How long a client waits for an answer, in milliseconds. */
const REQUEST_MS = 5_000;

/** What the lanes of a load did. */
export interface Done {
  /** Acknowledged creates, updates and deletes. */
  writes: number;
  /** Requests that got no answer, or a 503: the same one was sent again, mostly to another node. */
  again: number;
  /** Acknowledged writes that the next request on another node showed, by a list or a search. */
  seen: number;
  /** Refusals for the quota, and for the rate. */
  overQuota: number;
  overRate: number;
}

/** What a client sends, and what it does with the answer to it. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
}

interface Answered {
  readonly reply: Reply<WriteReply>;
  readonly node: number;
  readonly isFirst: boolean;
}

/** What a lane writes. */
interface Write {
  /** Undefined for a new article. */
  readonly id: string | undefined;
  readonly word: string;
  readonly body: string;
}

/** Writers that each have their own articles. A writer sends a write until it knows what became of it. */
export class Load {
  /** The bodies that must be stored, by the articles' ids. */
  readonly articles = new Map<string, string>();
  /** The bodies of writes whose last answer was a refusal or none, after an earlier request without an answer: each may be there. */
  readonly doubtful = new Set<string>();
  readonly done: Done = { writes: 0, again: 0, seen: 0, overQuota: 0, overRate: 0 };
  readonly #fleet: Fleet;
  readonly #bot: FleetBot;
  readonly #seed: string;
  #random: number;
  #isOver = false;

  constructor(fleet: Fleet, bot: FleetBot, seed: number) {
    this.#fleet = fleet;
    this.#bot = bot;
    this.#seed = `s${seed}`;
    this.#random = seed;
  }

  /** Runs the lanes until {@link end}, and then until each has the answer to its last write. */
  async run(lanes: number): Promise<void> {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#lane(lane)));
  }

  end(): void {
    this.#isOver = true;
  }

  async #lane(lane: number): Promise<void> {
    const own: string[] = [];
    for (let step = 0; !this.#isOver; step += 1) {
      const word = `${this.#seed}x${lane}x${step}`;
      const kind = own.length < 5 ? 0 : this.#below(10);
      const id = own[this.#below(own.length)];
      const body = `${word} ${"text ".repeat(this.#below(60))}`.trim();
      if (id !== undefined && kind >= 8) {
        await this.#delete(id);
        own.splice(own.indexOf(id), 1);
      } else {
        const status = await this.#put({ id: kind < 3 ? undefined : id, word, body }, own);
        const [oldest] = own;
        if ((status === 422 || status === 429) && oldest !== undefined) {
          await this.#delete(oldest);
          own.shift();
        }
      }
    }
  }

  /** Creates or updates an article. Resolves with the status. */
  async #put(write: Write, own: string[]): Promise<number> {
    const { id, word, body } = write;
    const json = id === undefined ? { title: "An article", body } : { body };
    // Some creates have no key that would find a repeated one, so that they are sent once.
    const isOnce = id === undefined && this.#below(3) === 0;
    const headers: Record<string, string> = id === undefined && !isOnce ? { "idempotency-key": word } : {};
    const way = id === undefined ? { method: "POST", path: KNOWLEDGE } : { method: "PUT", path: `${KNOWLEDGE}/${id}` };
    const answered = await this.#answered({ ...way, sent: { json, headers } }, isOnce);
    const { reply: { status } = { status: 503 }, isFirst = false } = answered ?? {};
    if (status === 422) this.done.overQuota += 1;
    if (status === 429) {
      this.done.overRate += 1;
      await sleep(200);
    }
    // The first request may be executed when nobody expects it: nothing else may be written to the article.
    if (!isFirst && id !== undefined) own.splice(own.indexOf(id), 1);
    if (status === 200 && answered !== undefined) await this.#noted(answered, write, own);
    else if (!isFirst) this.doubtful.add(body);
    return status;
  }

  async #noted(answered: Answered, { id, word, body }: Write, own: string[]): Promise<void> {
    const { json } = answered.reply;
    if (id === undefined) own.push(json.data.id);
    this.articles.set(json.data.id, body);
    this.done.writes += 1;
    await this.#see(answered, json.data.id, word);
  }

  async #delete(id: string): Promise<void> {
    const answered = await this.#answered({ method: "DELETE", path: `${KNOWLEDGE}/${id}`, sent: {} });
    const { reply, isFirst = true } = answered ?? {};
    // It may be gone after a request without an answer.
    expect(reply?.status === 200 || (reply?.status === 404 && !isFirst)).toBe(true);
    this.articles.delete(id);
    this.done.writes += 1;
  }

  /** Sends a request to one node after the other until one answers; undefined if it is sent once, and none does. */
  async #answered({ method, path, sent }: Request, isOnce = false): Promise<Answered | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const node = this.#below(this.#fleet.nodes.length);
      const reply = await this.#ask<WriteReply>(node, method, path, sent);
      if (reply !== undefined && reply.status !== 503) {
        expect([200, 404, 422, 429], reply.text).toContain(reply.status);
        return { reply, node, isFirst };
      }
      if (isOnce) return undefined;
      this.done.again += 1;
      await sleep(20 + this.#below(80));
    }
  }

  /** Asks another node for what was just written, by its words or by its id. */
  async #see({ node, isFirst }: Answered, id: string, word: string): Promise<void> {
    const other = (node + 1 + this.#below(this.#fleet.nodes.length - 1)) % this.#fleet.nodes.length;
    if (this.#below(4) === 0) {
      // A node that lost its answer may be the writer: only the writer indexes after its answer.
      if (!isFirst) return;
      const reply = await this.#ask<SearchResult[]>(other, "POST", SEARCH, { json: { query: word } });
      if (reply?.status !== 200 || reply.headers.has("x-loredex-stale")) return;
      expect(reply.json.map(({ resourceDocId }) => resourceDocId)).toContain(id);
    } else {
      const reply = await this.#ask<ListReply>(other, "GET", `${KNOWLEDGE}?id=${id}`);
      if (reply?.status !== 200) return;
      expect(reply.json.data.map(({ body }) => body)).toEqual([this.articles.get(id)]);
    }
    this.done.seen += 1;
  }

  /** Undefined if no answer came. */
  async #ask<T>(node: number, method: string, path: string, sent: Sent = {}): Promise<Reply<T> | undefined> {
    const { url } = this.#fleet.nodes[node] ?? { url: "" };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const headers = { "x-api-key": this.#bot.key, ...sent.headers };
    try {
      return await send<T>(url, method, path, { ...sent, headers, signal });
    } catch (error) {
      if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError"))
        return undefined;
      throw error;
    }
  }

  #below(limit: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * limit);
  }
}
