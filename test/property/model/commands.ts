/** What can happen to a bot, each as a step that the model and the engine take together. */

import { LoredexError } from "@loredex/core";
import fc from "fast-check";
import { expect } from "vitest";
import { conditionalCommands } from "./conditional-commands.ts";
import type { Real } from "./real.ts";
import { admit, bodyOf, judge, type Model, newWord, pick, sizeOf, usedOf, windowAt } from "./state.ts";

type Command = fc.AsyncCommand<Model, Real>;

const METADATA = [{}, { k: 1 }, { k: "text", "a.b": true }] as const;
const SOURCES = [undefined, "https://example.org/", "https://example.org/other"] as const;
const ACTIVE_ON = [[], [{ channel: "web" }], [{ agent: "Ada", channel: "web" }]] as const;

class Create implements Command {
  constructor(
    readonly size: number,
    readonly variant: number,
  ) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const word = newWord(model);
    const input = { title: `Title ${this.variant}`, body: bodyOf(word, this.size) };
    const metadata = METADATA[this.variant % 3] ?? {};
    const source = SOURCES[this.variant % 3];
    const activeOn = ACTIVE_ON[this.variant % 3] ?? [];
    const expected = judge(model, 0, sizeOf(input));
    const write = real.bot.createArticle({
      ...input,
      metadata,
      activeOn,
      ...(source === undefined ? {} : { source }),
    });
    expect(await real.verdict(write)).toEqual(expected);
    if (expected.kind === "accepted") {
      const { id } = (await write).article;
      expect(model.articles.map((article) => article.id)).not.toContain(id);
      admit(model, 0, sizeOf(input));
      const createdAt = real.clock.iso();
      model.articles.push({ id, ...input, word, metadata, source, activeOn, createdAt, updatedAt: createdAt });
    }
    await real.expectAgreement(model);
  }
  toString = () => `create(${this.size}, ${this.variant})`;
}

/** Several creates at the same time, all of one size: how many get in does not depend on their order. */
class CreateMany implements Command {
  constructor(
    readonly count: number,
    readonly size: number,
  ) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const inputs = Array.from({ length: this.count }, () => {
      const word = newWord(model).padEnd(12, "o");
      return { title: "Many", body: bodyOf(word, this.size), word };
    });
    const size = sizeOf(inputs[0] ?? { title: "", body: "" });
    const room = Math.min(model.quota - usedOf(model), model.rate - windowAt(model, model.now));
    const outcomes = await Promise.allSettled(inputs.map(({ title, body }) => real.bot.createArticle({ title, body })));
    for (const [i, outcome] of outcomes.entries()) {
      const input = inputs[i];
      if (outcome.status === "rejected" || input === undefined) continue;
      admit(model, 0, size);
      const createdAt = real.clock.iso();
      const { id } = outcome.value.article;
      model.articles.push({
        id,
        ...input,
        metadata: {},
        source: undefined,
        activeOn: [],
        createdAt,
        updatedAt: createdAt,
      });
    }
    const accepted = outcomes.filter(({ status }) => status === "fulfilled").length;
    expect(accepted).toBe(Math.max(0, Math.min(this.count, Math.floor(room / size))));
    await real.expectAgreement(model);
  }
  toString = () => `createMany(${this.count}, ${this.size})`;
}

class Update implements Command {
  constructor(
    readonly at: number,
    readonly size: number | undefined,
    readonly variant: number | undefined,
  ) {}
  check = (model: Readonly<Model>) => model.articles.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const before = pick(model, this.at);
    if (before === undefined) return;
    const word = this.size === undefined ? before.word : newWord(model);
    const body = this.size === undefined ? before.body : bodyOf(word, this.size);
    const chosen = this.variant === undefined ? undefined : this.variant % 3;
    const metadata = chosen === undefined ? before.metadata : (METADATA[chosen] ?? {});
    const source = chosen === undefined ? before.source : SOURCES[chosen];
    const expected = judge(model, sizeOf(before), sizeOf({ title: before.title, body }));
    const write = real.bot.updateArticle(before.id, {
      ...(this.size === undefined ? {} : { body }),
      ...(chosen === undefined ? {} : { metadata, source: source ?? null }),
    });
    expect(await real.verdict(write)).toEqual(expected);
    if (expected.kind === "accepted") {
      admit(model, sizeOf(before), sizeOf({ title: before.title, body }));
      const same =
        body === before.body && JSON.stringify([metadata, source]) === JSON.stringify([before.metadata, before.source]);
      const updatedAt = same ? before.updatedAt : real.clock.iso();
      if (word !== before.word) model.gone.push(before.word);
      model.articles[model.articles.indexOf(before)] = { ...before, body, word, metadata, source, updatedAt };
    }
    await real.expectAgreement(model);
  }
  toString = () => `update(${this.at}, ${this.size}, ${this.variant})`;
}

class Delete implements Command {
  constructor(readonly at: number) {}
  check = (model: Readonly<Model>) => model.articles.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const article = pick(model, this.at);
    if (article === undefined) return;
    await real.bot.deleteArticle(article.id);
    model.articles = model.articles.filter(({ id }) => id !== article.id);
    model.gone.push(article.word);
    expect(await real.bot.search(article.word)).toEqual([]);
    const again = await real.bot.deleteArticle(article.id).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(LoredexError);
    expect(again).toMatchObject({ code: "ARTICLE_NOT_FOUND" });
    await real.expectAgreement(model);
  }
  toString = () => `delete(${this.at})`;
}

class Search implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.bot.whenSearchable();
    expect((await real.bot.listArticles()).map(({ status }) => status)).toEqual(model.articles.map(() => "active"));
    for (const article of model.articles) {
      const found = await real.bot.search(article.word, { includeContent: true });
      expect(found.map(({ resourceDocId }) => resourceDocId)).toEqual([article.id]);
      expect(found[0]).toMatchObject({
        type: "EXTERNAL",
        status: "active",
        metaData: { ...article.metadata, title: article.title },
        bestMatchScore: 1,
        similarTextParts: [{ text: article.word, similarity: 1, start: 1, stop: 1 }],
        content: [{ md: article.body }],
      });
      expect(found[0]?.url).toBe(article.source);
    }
    for (const word of model.gone.slice(-20)) expect(await real.bot.search(word)).toEqual([]);
  }
  toString = () => "search()";
}

class Advance implements Command {
  constructor(readonly ms: number) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    model.now += this.ms;
    real.clock.advance(this.ms);
    expect((await real.bot.stats()).rateUsed).toBe(windowAt(model, model.now));
  }
  toString = () => `advance(${this.ms})`;
}

class SetQuota implements Command {
  constructor(readonly quota: number) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.setQuota(this.quota);
    model.quota = this.quota;
    await real.expectAgreement(model);
  }
  toString = () => `setQuota(${this.quota})`;
}

class Snapshot implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.bot.snapshot();
    await real.expectAgreement(model);
  }
  toString = () => "snapshot()";
}

class Reopen implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.reopen();
    await real.expectAgreement(model);
    expect((await real.bot.stats()).rateUsed).toBe(windowAt(model, model.now));
  }
  toString = () => "reopen()";
}

/** The wall clock is set while the bot is not open: its rate window must not notice. */
class LetGo implements Command {
  constructor(readonly jumpMs: number) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.evict();
    real.clock.jumpWall(this.jumpMs);
    expect((await real.bot.stats()).rateUsed).toBe(windowAt(model, model.now));
    real.clock.jumpWall(-this.jumpMs);
    await real.expectAgreement(model);
  }
  toString = () => `letGo(${this.jumpMs})`;
}

const size = fc.integer({ min: 1, max: 120 });
const at = fc.nat({ max: 50 });
const variant = fc.nat({ max: 2 });

export const commands = fc.commands(
  [
    fc.tuple(size, variant).map(([characters, kind]) => new Create(characters, kind)),
    fc.tuple(fc.integer({ min: 2, max: 8 }), size).map(([count, characters]) => new CreateMany(count, characters)),
    fc
      .tuple(at, fc.option(size, { nil: undefined }), fc.option(variant, { nil: undefined }))
      .map(([which, characters, kind]) => new Update(which, characters, kind)),
    at.map((which) => new Delete(which)),
    ...conditionalCommands,
    fc.constant(new Search()),
    fc
      .oneof(fc.constantFrom(1, 999, 1_000, 20_000, 59_999, 60_000), fc.nat({ max: 90_000 }))
      .map((ms) => new Advance(ms)),
    fc.integer({ min: 100, max: 1_500 }).map((characters) => new SetQuota(characters)),
    fc.constant(new Snapshot()),
    fc.constant(new Reopen()),
    fc.constantFrom(0, 3_600_000, -3_600_000).map((ms) => new LetGo(ms)),
  ],
  { maxCommands: 40, size: "max" },
);
