import { type DocumentInput, Engine } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { describe, expect, it } from "vitest";
import { CachedEmbedder } from "../../bench/cached-embedder.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet } from "../../bench/judged-sets.ts";
import { mean, normalizedDiscountedGain } from "../../bench/measures.ts";

/**
 * What questions must find, in nDCG@10: by words, and by words and meaning together. A little below what was measured, so that
 * only a real loss fails.
 */
const BARS: readonly (readonly [set: string, words: number, both: number])[] = [
  ["stackfaq-qna", 0.86, 0.97],
  ["xquad-en", 0.965, 0.98],
  ["cranfield", 0.355, 0.41],
  ["squad-paragraphs", 0.872, 0.897],
];

/** In the short form, those whose passages are encoded in half a minute. */
const SHORT = new Set(["stackfaq-qna", "xquad-en"]);
const isShort = process.env.LOREDEX_SHORT === "1";
const bars = BARS.filter(([set]) => !isShort || SHORT.has(set));

async function gainOf({ documents, questions, judgements }: JudgedSet, embedder: string): Promise<number> {
  const open = async (): Promise<CachedEmbedder> => new CachedEmbedder(await openMiniLm());
  const engine = await Engine.open({ embedders: { minilm: { languages: [], open } } });
  try {
    await engine.createBot({ name: "judged", embedder });
    const bot = await engine.bot("judged");
    for (const document of documents satisfies readonly DocumentInput[]) await bot.importDocument(document);
    await bot.whenUpgraded();
    const gains: number[] = [];
    for (const { id, text } of questions) {
      const ranking = (await bot.search(text)).map(({ resourceDocId }) => resourceDocId);
      gains.push(normalizedDiscountedGain(ranking, judgements.get(id) ?? new Map()));
    }
    return mean(gains);
  } finally {
    await engine.close();
  }
}

describe.skipIf(!dataIsThere())("questions of judged sets", { timeout: 1_800_000 }, () => {
  it.each(bars)("find what answers them: %s", async (name, words, both) => {
    const set = JUDGED_SETS[name]?.();
    if (set === undefined) throw new Error(`There is no set ${name}.`);
    const [byWords, byBoth] = [await gainOf(set, "none"), await gainOf(set, "minilm")];
    expect(byWords).toBeGreaterThanOrEqual(words);
    expect(byBoth).toBeGreaterThanOrEqual(both);
    expect(byBoth).toBeGreaterThanOrEqual(byWords);
  });
});
