import { expect, it, vi } from "vitest";
import type { EmbedderOffer } from "../../src/embedding/embedder.ts";
import { bareBot } from "../support/bare-bot.ts";
import { CAR, eventsOf, offer, opened, QUESTION, titles } from "../support/embedded-bot.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

type Failure = (dimensions: number) => Float32Array;

const FAILURES: readonly [string, Failure][] = [
  [
    "an exception",
    () => {
      throw new RangeError("I cannot read this.");
    },
  ],
  ["a short vector", (dimensions) => new Float32Array(dimensions - 1)],
  ["numbers that are none", (dimensions) => new Float32Array(dimensions).fill(Number.NaN)],
];

/** A static embedder that fails where a text has the word. */
class Poisoned extends FakeStatic {
  readonly #word: string;
  readonly #failure: Failure;

  constructor(word: string, failure: Failure) {
    super();
    this.#word = word;
    this.#failure = failure;
  }

  override embed(text: string): Float32Array {
    return text.includes(this.#word) ? this.#failure(this.space.dimensions) : super.embed(text);
  }
}

const PEAR = { title: "The tree", body: "A poison pear." };

it.each(FAILURES)(
  "finds a text by its words that its static embedder answers with %s, and all others as ever",
  async (_, failure) => {
    const storage = new KeptStorage();
    const alone: EmbedderOffer = { languages: ["en"], static: async () => new Poisoned("poison", failure) };
    const first = await opened(storage, {}, { embedders: { fake: alone } });
    for (const article of [PEAR, CAR, { ...PEAR, title: "Another tree" }]) await first.bot.createArticle(article);
    await first.bot.whenSearchable();
    expect((await titles(first.bot, "pear")).sort()).toEqual(["Another tree", "The tree"]);
    expect(await titles(first.bot, QUESTION)).toEqual(["The shop"]);
    expect((await titles(first.bot, "poison")).sort()).toEqual(["Another tree", "The tree"]);
    expect(eventsOf(first.events)).toEqual(["staticFails"]);
    await first.engine.close();

    const second = await opened(storage, {}, { embedders: { fake: alone } });
    expect((await titles(second.bot, "pear")).sort()).toEqual(["Another tree", "The tree"]);
    expect(await titles(second.bot, QUESTION)).toEqual(["The shop"]);
    expect(eventsOf(second.events)).toEqual(["staticFails"]);
    await second.engine.close();
  },
);

it.each(FAILURES)(
  "quotes pieces that have one vector together where its static embedder answers with %s",
  async (_, failure) => {
    const fake = { ...offer([]), static: async () => new Poisoned("", failure) };
    const { engine, bot } = await opened(new KeptStorage(), {}, { embedders: { fake } });
    await bot.createArticle({ title: "The shop", body: "You buy a car.\n\nHere you buy a car." });
    await bot.whenUpgraded();
    const [found] = await bot.search(QUESTION);
    expect(found?.metaData.title).toBe("The shop");
    await engine.close();
  },
);

it("closes what it has opened if a bot cannot be opened to the end", async () => {
  const storage = new KeptStorage();
  await storage.create("bot");
  const store = await storage.open("bot");
  const close = vi.spyOn(store, "close");
  const refuse = (): void => {
    throw new Error("This cannot be noted.");
  };
  await expect(bareBot(store, { onUnfinished: refuse })).rejects.toThrow("This cannot be noted.");
  expect(close).toHaveBeenCalledTimes(1);
});
