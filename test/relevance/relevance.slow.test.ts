import type { Bot, Embedder, Quality } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bestScores, documentsOf, noiseAfter, shareAbove } from "../../bench/benches/nonsense.ts";
import { CachedEmbedder } from "../../bench/bots/cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "../../bench/bots/judged-bot.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, questionsFor } from "../../bench/corpora/judged-sets.ts";
import { supportBots } from "../../bench/corpora/support-questions.ts";
import { mean, median, normalizedDiscountedGain } from "../../bench/measuring/measures.ts";
import { encoder as runtime } from "../../packages/encoder/test/runtime.ts";

/**
 * What questions must find, in nDCG@10: by words, with the static embedder alone, where it asks for passages that the encoder has read, and at best
 * quality. A little below what was measured, so that only a real loss fails.
 */
const BARS: readonly (readonly [set: string, words: number, staticEmbedder: number, fast: number, best: number])[] = [
  ["stackfaq-qna", 0.863, 0.918, 0.9495, 0.977],
  ["xquad-en", 0.968, 0.974, 0.978, 0.986],
  ["cranfield", 0.36, 0.38, 0.4, 0.411],
  ["squad-paragraphs", 0.885, 0.898, 0.911, 0.931],
];

/** The same for other languages, which have no static embedder. */
const BARS_OF_OTHERS: readonly (readonly [set: string, words: number, best: number])[] = [
  ["xquad-de", 0.95, 0.978],
  ["xquad-de-en", 0.48, 0.933],
];

/** What the best answers to questions that mean nothing may be worth (median), and how many of them as much as most right answers. */
const NOISE_WORTH_MAX: Readonly<Record<string, number>> = {
  "typed at random": 0.02,
  shuffled: 0.05,
  "odd token codes": 0.02,
  "invented words": 0.19,
};
const NOISE_LIKE_ANSWERS_MAX = 0.02;

/** Of forty customers' questions, none of whose words stand in their answers, so many find it before three others. */
const SUPPORT_FIRST_MIN = 22;

/** In the short form, those whose passages are encoded in half a minute. */
const SHORT = new Set(["stackfaq-qna", "xquad-en"]);
const isShort = process.env.TESTS_SHORT === "1";
const bars = BARS.filter(([set]) => !isShort || SHORT.has(set));

async function gainsOf(
  set: JudgedSet,
  embedder: JudgedEmbedder,
  encoder: Embedder,
  qualities: readonly Quality[],
): Promise<number[]> {
  const measure = async (bot: Bot): Promise<number[]> => {
    const all: number[] = [];
    for (const quality of qualities) {
      const gains: number[] = [];
      for (const { id, text } of set.questions) {
        const ranking = (await bot.search(text, { quality })).map(({ resourceDocId }) => resourceDocId);
        gains.push(normalizedDiscountedGain(ranking, set.judgements.get(id) ?? new Map()));
      }
      all.push(mean(gains));
    }
    return all;
  };
  return withJudgedBot(set.documents, embedder, encoder, measure, set.language);
}

function setOf(name: string): JudgedSet {
  const set = JUDGED_SETS[name]?.();
  if (set === undefined) throw new Error(`There is no set ${name}.`);
  return set;
}

describe.skipIf(!dataIsThere() || runtime.isMissing)(
  runtime.named("questions of judged sets"),
  { timeout: 1_800_000 },
  () => {
    let encoder: Embedder;
    beforeAll(async () => {
      encoder = new CachedEmbedder(await openMiniLm());
    });
    afterAll(() => encoder.close());

    it.each(bars)("find what answers them: %s", async (name, words, staticEmbedder, fast, best) => {
      const set = setOf(name);
      const [byWords = 0] = await gainsOf(set, "none", encoder, ["best"]);
      const [byStatic = 0] = await gainsOf(set, "static", encoder, ["fast"]);
      const [atBest = 0, byFast = 0] = await gainsOf(set, "minilm", encoder, ["best", "fast"]);
      expect(byWords).toBeGreaterThanOrEqual(words);
      expect(byStatic).toBeGreaterThanOrEqual(staticEmbedder);
      expect(byStatic).toBeGreaterThanOrEqual(byWords);
      expect(atBest).toBeGreaterThanOrEqual(best);
      expect(byFast).toBeGreaterThanOrEqual(fast);
    });
  },
);

describe.skipIf(!dataIsThere() || runtime.isMissing)(
  runtime.named("questions in German"),
  { timeout: 1_800_000 },
  () => {
    let encoder: Embedder;
    beforeAll(async () => {
      encoder = new CachedEmbedder(await openMultilingual());
    });
    afterAll(() => encoder.close());

    it.each(BARS_OF_OTHERS)("find what answers them: %s", async (name, words, best) => {
      const set = setOf(name);
      const [byWords = 0] = await gainsOf(set, "none", encoder, ["best"]);
      const [atBest = 0] = await gainsOf(set, "multilingual", encoder, ["best"]);
      expect(byWords).toBeGreaterThanOrEqual(words);
      expect(atBest).toBeGreaterThanOrEqual(best);
    });

    it.each([false, true])(
      "find in ten languages what customers ask in words of their own, across languages: %s",
      async (crossing) => {
        let [asked, first] = [0, 0];
        for (const { language, documents, questions } of (["tune", "report"] as const).flatMap((use) =>
          supportBots(use, crossing),
        )) {
          const measure = async (bot: Bot): Promise<void> => {
            for (const { text, right } of questions) {
              asked += 1;
              if ((await bot.search(text))[0]?.resourceDocId === right) first += 1;
            }
          };
          await withJudgedBot(documents, "multilingual", encoder, measure, crossing ? "multi" : language);
        }
        expect(asked).toBe(40);
        expect(first).toBeGreaterThanOrEqual(SUPPORT_FIRST_MIN);
      },
    );

    it.each(BARS_OF_OTHERS)("find next to nothing where they mean nothing: %s", async (name) => {
      const set = setOf(name);
      const [answerable, unanswerable] = (["report", "tune"] as const).map((use) =>
        questionsFor(set, use).map(({ text }) => text),
      );
      const measure = async (bot: Bot): Promise<void> => {
        const right = median(await bestScores(bot, answerable ?? [], "best"));
        expect(median(await bestScores(bot, unanswerable ?? [], "best"))).toBeLessThan(right / 2);
        for (const [kind, questions] of Object.entries(noiseAfter(unanswerable ?? [], 300))) {
          const scores = await bestScores(bot, questions, "best");
          expect(median(scores), kind).toBeLessThanOrEqual(NOISE_WORTH_MAX[kind] ?? 0);
          expect(shareAbove(scores, right), kind).toBeLessThanOrEqual(NOISE_LIKE_ANSWERS_MAX);
        }
      };
      await withJudgedBot(documentsOf(set, "report"), "multilingual", encoder, measure, set.language);
    });
  },
);
