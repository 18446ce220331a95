/** Writes whose outcome depends on what was there before: with a key, under a condition, or found by metadata. */

import { articleTag, LoredexError } from "@loredex/core";
import fc from "fast-check";
import { expect } from "vitest";
import type { Real } from "./real.ts";
import { admit, bodyOf, judge, type Model, newWord, pick, sizeOf } from "./state.ts";

type Command = fc.AsyncCommand<Model, Real>;

const DAY_MS = 24 * 3_600_000;

/** A create with a key: the first is one like any other, and all later ones of a day give its answer again. */
class CreateOnce implements Command {
  constructor(
    readonly key: number,
    readonly size: number,
    readonly isSame: boolean,
  ) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const idempotencyKey = `key-${this.key}`;
    const known = model.keys.get(this.key);
    const isKnown = known !== undefined && model.now - known.at < DAY_MS;
    if (isKnown && this.isSame) {
      const again = await real.bot.createArticle(known.input, { idempotencyKey });
      expect(again).toEqual({ ...known.answer, isReplayed: true });
      await real.expectAgreement(model);
      return;
    }
    const word = newWord(model);
    const input = { title: "Once", body: bodyOf(word, this.size) };
    const write = real.bot.createArticle(input, { idempotencyKey });
    if (isKnown) {
      const refused = await write.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(LoredexError);
      expect(refused).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    } else {
      const expected = judge(model, 0, sizeOf(input));
      expect(await real.verdict(write)).toEqual(expected);
      if (expected.kind === "accepted") {
        const answer = await write;
        admit(model, 0, sizeOf(input));
        model.keys.set(this.key, { at: model.now, input, answer });
        const [createdAt, { id }] = [real.clock.iso(), answer.article];
        const plain = { metadata: {}, source: undefined, activeOn: [] };
        model.articles.push({ id, ...input, word, ...plain, createdAt, updatedAt: createdAt });
      }
    }
    await real.expectAgreement(model);
  }
  toString = () => `createOnce(${this.key}, ${this.size}, ${this.isSame})`;
}

/** An update of what was read a moment ago, or of what has changed since. */
class UpdateIf implements Command {
  constructor(
    readonly at: number,
    readonly size: number,
    readonly isStale: boolean,
  ) {}
  check = (model: Readonly<Model>) => model.articles.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const before = pick(model, this.at);
    if (before === undefined) return;
    const read = await real.bot.getArticle(before.id);
    if (read === undefined) return expect.fail("the article is there");
    const word = newWord(model);
    const body = bodyOf(word, this.size);
    const tag = articleTag(this.isStale ? { ...read, title: `${read.title}!` } : read);
    const write = real.bot.updateArticle(before.id, { body }, { ifMatch: tag });
    if (this.isStale) {
      expect(await write.catch((error: unknown) => error)).toMatchObject({ code: "ARTICLE_CHANGED" });
    } else {
      const after = sizeOf({ title: before.title, body });
      const expected = judge(model, sizeOf(before), after);
      expect(await real.verdict(write)).toEqual(expected);
      if (expected.kind === "accepted") {
        admit(model, sizeOf(before), after);
        model.gone.push(before.word);
        const updatedAt = real.clock.iso();
        model.articles[model.articles.indexOf(before)] = { ...before, body, word, updatedAt };
      }
    }
    await real.expectAgreement(model);
  }
  toString = () => `updateIf(${this.at}, ${this.size}, ${this.isStale})`;
}

/** An article by the value of its metadata, which nothing but this command writes. */
class Upsert implements Command {
  constructor(
    readonly value: number,
    readonly size: number,
  ) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const metadata = { externalId: this.value };
    const before = model.articles.find((article) => article.metadata.externalId === this.value);
    const word = newWord(model);
    const input = { title: "Upsert", body: bodyOf(word, this.size), metadata };
    const expected = judge(model, before === undefined ? 0 : sizeOf(before), sizeOf(input));
    const write = real.bot.upsertArticle("externalId", input);
    expect(await real.verdict(write)).toEqual(expected);
    if (expected.kind === "accepted") {
      const { article, isNew } = await write;
      expect([isNew, before === undefined ? article.id : before.id]).toEqual([before === undefined, article.id]);
      admit(model, before === undefined ? 0 : sizeOf(before), sizeOf(input));
      const now = real.clock.iso();
      if (before === undefined) {
        const plain = { source: undefined, activeOn: [] };
        model.articles.push({ id: article.id, ...input, word, ...plain, createdAt: now, updatedAt: now });
      } else {
        model.gone.push(before.word);
        model.articles[model.articles.indexOf(before)] = { ...before, ...input, word, updatedAt: now };
      }
    }
    await real.expectAgreement(model);
  }
  toString = () => `upsert(${this.value}, ${this.size})`;
}

const size = fc.integer({ min: 1, max: 120 });
const at = fc.nat({ max: 50 });

export const conditionalCommands = [
  fc
    .tuple(fc.nat({ max: 2 }), size, fc.boolean())
    .map(([key, characters, isSame]) => new CreateOnce(key, characters, isSame)),
  fc.tuple(at, size, fc.boolean()).map(([which, characters, isStale]) => new UpdateIf(which, characters, isStale)),
  fc.tuple(fc.nat({ max: 2 }), size).map(([value, characters]) => new Upsert(value, characters)),
];
