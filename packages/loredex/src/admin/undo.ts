import { createHash } from "node:crypto";
import type { AdminBot } from "@loredex/http";

/** How long a delete can be undone without the rate, in milliseconds. A page offers it for 30 seconds; the rest is for slow networks and second tries. */
export const UNDO_MS = 120_000;
/** Deletes that are remembered: the last ones. */
const DELETES_MAX = 10_000;

/**
 * The articles that requests of the admin API deleted a moment ago, on this node. Only their digests are kept.
 * So a create without the rate brings back a text that was there, and never a new one.
 */
export class RecentDeletes {
  readonly #nowMs: () => number;
  /** The time of the delete, by bot and digest; the oldest first. */
  readonly #deletes = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The same bot, whose deletes are remembered, and whose creates have a rate unless they undo one of them. */
  watched(id: string, bot: AdminBot): AdminBot {
    return new Proxy(bot, {
      get: (target, name) => {
        if (name === "deleteArticle") return this.#deleting(id, target);
        if (name === "createArticle") return this.#creating(id, target);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #deleting(id: string, bot: AdminBot): AdminBot["deleteArticle"] {
    return async (article, options) => {
      const before = await bot.getArticle(article);
      await bot.deleteArticle(article, options);
      if (before !== undefined) this.#remember(keyOf(id, before.title, before.body));
    };
  }

  #creating(id: string, bot: AdminBot): AdminBot["createArticle"] {
    return async (input, { withoutRate = false, ...options } = {}) => {
      const { title, body }: { title?: unknown; body?: unknown } = Object(input);
      const key = keyOf(id, title, body);
      const isUndo = withoutRate && this.#isRemembered(key);
      // Forgotten before the write, so that two requests at once do not both count as the undo of one delete.
      const atMs = this.#deletes.get(key);
      if (isUndo) this.#deletes.delete(key);
      try {
        return await bot.createArticle(input, isUndo ? { ...options, withoutRate } : options);
      } catch (error) {
        if (isUndo && atMs !== undefined) this.#deletes.set(key, atMs);
        throw error;
      }
    };
  }

  #remember(key: string): void {
    this.#deletes.delete(key);
    this.#deletes.set(key, this.#nowMs());
    for (const [oldest, atMs] of this.#deletes) {
      if (this.#deletes.size <= DELETES_MAX && this.#nowMs() - atMs < UNDO_MS) break;
      this.#deletes.delete(oldest);
    }
  }

  #isRemembered(key: string): boolean {
    const atMs = this.#deletes.get(key);
    return atMs !== undefined && this.#nowMs() - atMs < UNDO_MS;
  }
}

/** Of title and body: they are what the rate counts. */
function keyOf(bot: string, title: unknown, body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([bot, title, body]))
    .digest("base64");
}
