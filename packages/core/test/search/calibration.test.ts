import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Embedder, EmbedderOffer } from "../../src/embedding/embedder.ts";
import { Engine } from "../../src/engine.ts";
import { VectorRows } from "../../src/index/vectors/rows.ts";
import { calibrationAbove, calibrationOf } from "../../src/search/calibration.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const cosine = fc.double({ min: -1.0001, max: 1.0001, noNaN: true });
const level = fc.double({ min: 0, max: 0.9999, noNaN: true });

describe("a calibration by the bot's own passages", () => {
  it("is in [0, 1], never falls as the cosine rises, and is 0 up to the level", () => {
    fc.assert(
      fc.property(level, cosine, cosine, (unrelated, a, b) => {
        const calibrate = calibrationAbove(unrelated);
        const [low, high] = [calibrate(Math.min(a, b)), calibrate(Math.max(a, b))];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low);
        if (a <= unrelated) expect(calibrate(a)).toBe(0);
      }),
    );
    expect(calibrationAbove(0.8)(0.9)).toBeCloseTo(0.5, 12);
    expect(calibrationAbove(0.8)(1)).toBe(1);
  });

  it("is used only where the embedder has none", () => {
    const own = calibrationOf(new FakeEmbedder(), { backgroundSimilarity: 0.8 }, QUESTION);
    expect(own(0.5)).toBe(0.5);
    expect(calibrationOf(uncalibrated(), { backgroundSimilarity: 0.8 }, QUESTION)(0.5)).toBe(0);
  });
});

it("is bounded where an embedder's own gives what is no similarity", () => {
  for (const [given, known] of [
    [Number.NaN, 0],
    [-1, 0],
    [7, 1],
    [Number.POSITIVE_INFINITY, 1],
    [0.25, 0.25],
  ] as const) {
    const own = Object.assign(uncalibrated(), { calibrate: () => given });
    expect(calibrationOf(own, { backgroundSimilarity: 0 }, QUESTION)(0.5)).toBe(known);
  }
});

/** Of length one. */
const QUESTION = Float32Array.of(0, 1);

describe("what a question that says nothing has too much", () => {
  const withSurplus = (bias: number): Embedder => Object.assign(uncalibrated(), { bias: () => bias });

  it("is taken off all its cosines, whoever says what these are worth", () => {
    fc.assert(
      fc.property(level, cosine, fc.double({ min: 0, max: 1, noNaN: true }), (backgroundSimilarity, value, bias) => {
        const bot = { backgroundSimilarity };
        const own = Object.assign(withSurplus(bias), { calibrate: calibrationAbove(0.3) });
        expect(calibrationOf(withSurplus(bias), bot, QUESTION)(value)).toBe(
          calibrationAbove(backgroundSimilarity)(value - bias),
        );
        expect(calibrationOf(own, bot, QUESTION)(value)).toBe(calibrationAbove(0.3)(value - bias));
      }),
    );
  });

  it("is told by the vector of the question", () => {
    const embedder = Object.assign(uncalibrated(), {
      calibrate: calibrationAbove(0),
      bias: ([first = 0]: Float32Array) => first,
    });
    expect(calibrationOf(embedder, { backgroundSimilarity: 0 }, Float32Array.of(0.25, 0))(0.75)).toBe(0.5);
    expect(calibrationOf(embedder, { backgroundSimilarity: 0 }, Float32Array.of(0, 1))(0.75)).toBe(0.75);
  });
});

/** In its space everything is close to everything, as with models of the e5 family, and it says nothing of it. */
function uncalibrated(): Embedder {
  const fake = new FakeEmbedder({ dimensions: 256 });
  const vectorOf = (text: string): Float32Array => {
    const vector = fake.vectorOf(text).map((component) => component + 0.13);
    const length = Math.hypot(...vector);
    return vector.map((component) => component / length);
  };
  return {
    id: "close",
    version: "1",
    dimensions: 256,
    weight: 0.5,
    cost: fake.cost,
    embedPassages: async (texts) => texts.map(vectorOf),
    embedQuery: async (text) => vectorOf(text),
    close: async () => undefined,
  };
}

/** Articles of which only the first has to do with cars. */
const ARTICLES = [
  { title: "Automobile", body: "purchase vehicle" },
  ...[
    "penguins ice",
    "cheese milk",
    "mountain river",
    "violin sonata",
    "window glass",
    "linen wool",
    "copper wire",
    "garden roses",
    "winter coat",
    "paper folder",
    "silver spoon",
  ].map((body, i) => ({
    title: `Page ${i}`,
    body,
  })),
];

describe("a bot whose embedder finds everything close to everything", () => {
  it("finds by meaning what has to do with a question, and nothing else", async () => {
    const engine = await Engine.open({ embedders: { close: { languages: ["en"], open: async () => uncalibrated() } } });
    await engine.createBot({ name: "bot" });
    const bot = await engine.bot("bot");
    for (const article of ARTICLES) await bot.createArticle(article);
    await bot.whenUpgraded();
    const found = await bot.search("buy car");
    expect(found.map(({ metaData }) => metaData.title)).toEqual(["Automobile"]);
    expect(await bot.search("quantum chromodynamics")).toEqual([]);
    await engine.close();
  });

  it.each([
    ["alone", {}],
    ["with a static embedder", { static: async () => new FakeStatic() }],
  ])("%s: the first question after a start looks at no more vectors than any other", async (_, more) => {
    const fake = new FakeEmbedder();
    const { id, version, dimensions, weight, cost } = fake;
    const silent: Embedder = {
      ...{ id, version, dimensions, weight, cost, close: async () => undefined },
      embedPassages: (texts) => fake.embedPassages(texts),
      embedQuery: (text) => fake.embedQuery(text),
    };
    const close: EmbedderOffer = { languages: ["en"], open: async () => silent, ...more };
    const [storage, embedders] = [new KeptStorage(), { close }];
    const first = await Engine.open({ storage, embedders });
    const { bot: info } = await first.createBot({ name: "bot" });
    const written = await first.bot(info.id);
    for (const article of ARTICLES) await written.createArticle(article);
    await written.whenUpgraded();
    const expected = await written.search("buy car");
    await first.close();

    const engine = await Engine.open({ storage, embedders });
    const bot = await engine.bot(info.id);
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors?.vectors).toBe(24);
    let visited = 0;
    const { forEach } = VectorRows.prototype;
    vi.spyOn(VectorRows.prototype, "forEach").mockImplementation(function (this: VectorRows, visit) {
      forEach.call(this, (key, codes) => {
        visited++;
        visit(key, codes);
      });
    });
    expect(await bot.search("buy car")).toEqual(expected);
    expect(visited).toBe(0);
    await engine.close();
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});
