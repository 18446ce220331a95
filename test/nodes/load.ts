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

/** Writers that each have their own articles. A writer sends a write until it knows what became of it. */
export class Load {
  /** The bodies that must be stored, by the articles' ids. */
  readonly articles = new Map<string, string>();
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
        const isRefused = (await this.#put(kind < 3 ? undefined : id, word, body, own)) !== 200;
        const [oldest] = own;
        if (isRefused && oldest !== undefined) {
          await this.#delete(oldest);
          own.shift();
        }
      }
    }
  }

  /** Creates or updates an article. Resolves with the status. */
  async #put(id: string | undefined, word: string, body: string, own: string[]): Promise<number> {
    const request: Request =
      id === undefined
        ? {
            method: "POST",
            path: KNOWLEDGE,
            sent: { json: { title: "An article", body }, headers: { "idempotency-key": word } },
          }
        : { method: "PUT", path: `${KNOWLEDGE}/${id}`, sent: { json: { body } } };
    const answered = await this.#answered(request);
    const { status, json } = answered.reply;
    if (status === 422) this.done.overQuota += 1;
    if (status === 429) {
      this.done.overRate += 1;
      await sleep(200);
    }
    if (status !== 200) return status;
    if (id === undefined) own.push(json.data.id);
    this.articles.set(json.data.id, body);
    this.done.writes += 1;
    await this.#see(answered, json.data.id, word);
    return status;
  }

  async #delete(id: string): Promise<void> {
    const { reply, isFirst } = await this.#answered({ method: "DELETE", path: `${KNOWLEDGE}/${id}`, sent: {} });
    // It is gone after a request without an answer.
    expect(reply.status === 200 || (reply.status === 404 && !isFirst)).toBe(true);
    this.articles.delete(id);
    this.done.writes += 1;
  }

  /** Sends a request to one node after the other until one answers. */
  async #answered({ method, path, sent }: Request): Promise<Answered> {
    for (let isFirst = true; ; isFirst = false) {
      const node = this.#below(this.#fleet.nodes.length);
      const reply = await this.#ask<WriteReply>(node, method, path, sent);
      if (reply !== undefined && reply.status !== 503) {
        expect([200, 404, 422, 429], reply.text).toContain(reply.status);
        return { reply, node, isFirst };
      }
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
