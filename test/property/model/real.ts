/** The real engine as the commands see it: on a directory, with a clock that they move. */

import { Engine, QuotaExceededError, RateExceededError } from "@loredex/core";
import { expect } from "vitest";
import type { TestClock } from "../../http/test-clock.ts";
import { bytesOf, type Model, resetSeconds, usedOf, type Verdict, windowAt } from "./state.ts";

type Bot = Awaited<ReturnType<Engine["bot"]>>;

/** A bot that takes the place of the one that is looked at. */
const OTHER = "other";

export class Real {
  readonly clock: TestClock;
  readonly #directory: string;
  readonly #botId: string;
  #engine: Engine;
  #bot: Bot;

  private constructor(clock: TestClock, directory: string, botId: string, engine: Engine, bot: Bot) {
    this.clock = clock;
    this.#directory = directory;
    this.#botId = botId;
    this.#engine = engine;
    this.#bot = bot;
  }

  static async open(clock: TestClock, directory: string, quota: number, rate: number): Promise<Real> {
    const engine = await Engine.open({ directory, clock, openBotsMax: 1, embedders: {} });
    await engine.createBot({ name: OTHER });
    const settings = { name: "model", quotaCharacters: quota, rateCharactersPerMinute: rate };
    const { bot } = await engine.createBot(settings);
    return new Real(clock, directory, bot.id, engine, await engine.bot(bot.id));
  }

  get bot(): Bot {
    return this.#bot;
  }

  async setQuota(quotaCharacters: number): Promise<void> {
    await this.#engine.updateBot(this.#botId, { quotaCharacters });
  }

  async reopen(): Promise<void> {
    await this.#engine.close();
    this.clock.reboot();
    this.#engine = await Engine.open({ directory: this.#directory, clock: this.clock, openBotsMax: 1, embedders: {} });
    this.#bot = await this.#engine.bot(this.#botId);
  }

  /** Has another bot take the place of this one, which its next call opens again. */
  async evict(): Promise<void> {
    await this.#engine.bot(OTHER);
    expect(this.#engine.openBots).toBe(1);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  /** The real verdict on a write, in the model's words. */
  async verdict(write: Promise<{ readonly characterUsed: number }>): Promise<Verdict> {
    try {
      return { kind: "accepted", characterUsed: (await write).characterUsed };
    } catch (error) {
      if (error instanceof QuotaExceededError) {
        return { kind: "quota", excess: error.excessCharacters, used: error.usedCharacters };
      }
      if (error instanceof RateExceededError) return { kind: "rate", retryAfterMs: error.retryAfterMs };
      throw error;
    }
  }

  /** Everything that can be seen without a search. */
  async expectAgreement(model: Model): Promise<void> {
    const listed = await this.#bot.listArticles();
    const byAge = [...model.articles].sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
    expect(
      listed.map(({ status: _, characterCount, source, ...article }) => ({ ...article, source, characterCount })),
    ).toEqual(
      byAge.map(({ word: _, ...article }) => ({
        ...article,
        characterCount: [...article.title].length + [...article.body].length,
      })),
    );
    const { embedder: _, bytes, ...usage } = await this.#bot.usage();
    expect(bytes.used).toBe(bytesOf(model));
    expect(usage).toEqual({
      characterUsed: usedOf(model),
      characterQuota: model.quota,
      characterLeft: model.quota - usedOf(model),
      rate: {
        charactersPerMinute: model.rate,
        used: windowAt(model, model.now),
        resetSeconds: resetSeconds(model),
      },
      documents: { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: model.articles.length },
    });
    expect(await this.#bot.stats()).toMatchObject({
      articles: model.articles.length,
      characterUsed: usedOf(model),
      quotaCharacters: model.quota,
      rateCharactersPerMinute: model.rate,
    });
  }
}
